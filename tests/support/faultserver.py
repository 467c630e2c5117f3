#!/usr/bin/env python3
"""An API server that misbehaves on request, on loopback ports, for the tests of the transport.

    faultserver.py FOLDER

Makes certificates in FOLDER (with openssl), prints "NAME PORT" for each listener and "ready", then answers one
line on stdin with one line on stdout until stdin ends:

    reset           forget the counts
    count NAME      connections, requests, most requests at a time, requests with credentials

What a request gets is written in its path, so that a test reads as one: /fault/status=429,retry-after=1,times=1/x.
Without words it is a small JSON object. See `class Answer` for the words; `times=N`: only the first N requests of
this path, later ones are answered properly.
"""
import datetime
import email.utils
import json
import os
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
import urllib.parse

# ---- certificates


def openssl(folder, *args, text=None):
    subprocess.run(["openssl", *args], cwd=folder, input=text, text=True, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def authority(folder, name):
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", f"{name}.key", "-out", f"{name}.pem", "-days", "2", "-subj", f"/CN={name}")


def certificate(folder, name, ca, subject, names="", days="2", use="serverAuth"):
    openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", subject)
    with open(os.path.join(folder, f"{name}.ext"), "w", encoding="ascii") as out:
        out.write(f"extendedKeyUsage={use}\n" + (f"subjectAltName={names}\n" if names else ""))
    openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", f"{ca}.pem", "-CAkey", f"{ca}.key",
            "-set_serial", str(abs(hash(name)) % 10**9 + 1), "-days", days, "-extfile", f"{name}.ext",
            "-out", f"{name}.pem")


def make_certificates(folder):
    authority(folder, "test-authority")
    authority(folder, "other-authority")
    local = "DNS:localhost,IP:127.0.0.1"
    certificate(folder, "server", "test-authority", "/CN=server", local)
    certificate(folder, "expired", "test-authority", "/CN=server", local, days="-1")
    certificate(folder, "stranger", "other-authority", "/CN=server", local)
    certificate(folder, "misnamed", "test-authority", "/CN=server", "DNS:api.example.invalid,DNS:kubernetes")
    certificate(folder, "client", "test-authority", "/O=system:masters/CN=tester", use="clientAuth")
    certificate(folder, "client-stranger", "other-authority", "/CN=tester", use="clientAuth")
    openssl(folder, "ec", "-in", "client.key", "-aes128", "-passout", "pass:secret", "-out", "client-locked.key")


# ---- counting


class Counts:
    def __init__(self):
        self.lock = threading.Lock()
        self.reset()

    def reset(self):
        with self.lock:
            self.by_name, self.paths = {}, {}

    def _of(self, name):
        return self.by_name.setdefault(name, {"connections": 0, "requests": 0, "now": 0, "peak": 0, "credentials": 0})

    def connection(self, name):
        with self.lock:
            self._of(name)["connections"] += 1

    def begin(self, name, path, credentials):
        """Returns how many requests this path has had, this one included."""
        with self.lock:
            counts = self._of(name)
            counts["requests"] += 1
            counts["now"] += 1
            counts["peak"] = max(counts["peak"], counts["now"])
            counts["credentials"] += credentials
            self.paths[path] = self.paths.get(path, 0) + 1
            return self.paths[path]

    def end(self, name):
        with self.lock:
            self._of(name)["now"] -= 1

    def line(self, name):
        with self.lock:
            counts = self._of(name)
            return "{connections} {requests} {peak} {credentials}".format(**counts)


counts = Counts()
ports = {}

# ---- answers


class Reset(Exception):
    """End the connection the hard way."""


class Closed(Exception):
    """End the connection."""


def reset(connection):
    raw = connection
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raise Reset


def status_object(code, reason, message, **details):
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message,
            "reason": reason, "details": details, "code": code}


class Answer:
    """One answer, from the words of the path."""

    def __init__(self, connection, request, words):
        self.connection, self.request, self.words = connection, request, words
        self.headers = [("Content-Type", "application/json"), ("Date", email.utils.formatdate(usegmt=True))]

    def word(self, name, default=None):
        return self.words.get(name, default)

    def number(self, name, default=0):
        return int(self.words.get(name, default))

    def set(self, name, value):
        self.headers = [h for h in self.headers if h[0] != name] + [(name, value)]

    def body(self):
        kind = self.word("body", "json")
        code = self.number("status", 200)
        if kind == "echo":
            return json.dumps(self.request).encode()
        if kind == "html":
            self.set("Content-Type", "text/html")
            return b"<html><head><title>Sorry,\n\x1b[31m we are down</title></head><body>no</body></html>"
        if kind == "text":
            self.set("Content-Type", "text/plain")
            return self.word("text", "line\n" * 20).replace("+", " ").encode()
        if kind == "empty":
            return b""
        if kind == "garbage":
            return b'{"a": [1, 2}]}'
        if kind == "evil":
            return json.dumps(status_object(code, "Bad\nReason", "pods \x1b[2J is\nforbidden " + "x" * 5000)).encode()
        if self.number("size"):
            return b'{"kind": "List", "pad": "' + b"x" * (self.number("size") - 27) + b'"}'
        if code >= 300:
            details = {"retryAfterSeconds": self.number("details")} if "details" in self.words else {}
            reason = self.word("reason", {401: "Unauthorized", 403: "Forbidden", 404: "NotFound", 410: "Expired",
                                          429: "TooManyRequests"}.get(code, "InternalError"))
            return json.dumps(status_object(code, reason, f"the server says {code}", **details)).encode()
        return b'{"kind": "Thing", "metadata": {}}'

    def send(self):
        if self.word("delay"):
            time.sleep(self.number("delay") / 1000)
        if self.word("reset") == "before":
            reset(self.connection)
        if self.word("close") == "before":
            raise Closed
        if self.word("raw"):
            self.connection.sendall(b"this is no HTTP at all\r\n\r\n")
            raise Closed
        body = self.body()
        self.retry_after()
        if self.word("location"):
            self.set("Location", self.word("location").replace("|", "/"))
        for name in ("cut", "framing"):
            if self.word(name) == "chunked":
                return self.chunked(body, self.word("cut") == "chunked")
        self.plain(body)

    def retry_after(self):
        text = self.word("retry-after")
        if text == "date":
            text = email.utils.formatdate(time.time() + 1, usegmt=True)
        elif text == "garbage":
            text = "soon"
        if text:
            self.set("Retry-After", text)

    def head(self):
        code = self.number("status", 200)
        lines = [f"HTTP/1.1 {code} Whatever"] + [f"{k}: {v}" for k, v in self.headers]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def flood(self):
        """Interim answers and headers without end."""
        if self.word("flood") == "interim":
            while True:
                self.connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 100)
        self.connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            self.connection.sendall(b"X-More: " + b"y" * 1000 + b"\r\n")

    def plain(self, body):
        if self.word("flood"):
            self.flood()
        if self.word("framing") == "close":
            self.set("Connection", "close")
        else:
            self.set("Content-Length", str(len(body)))
        half = body[:len(body) // 2]
        if self.word("cut") == "json":  # well framed, but not all
            self.set("Content-Length", str(len(half)))
            body = half
        if self.word("cut") in ("length", "close"):
            if self.word("cut") == "close":
                self.headers = [h for h in self.headers if h[0] != "Content-Length"]
            self.connection.sendall(self.head() + half)
            raise Closed
        if self.word("reset") == "body":
            self.connection.sendall(self.head() + half)
            time.sleep(0.05)
            reset(self.connection)
        if self.word("stall"):
            self.connection.sendall(self.head() + half)
            time.sleep(60)
        self.connection.sendall(self.head() + body)
        if self.word("framing") == "close":
            raise Closed

    def chunked(self, body, cut):
        self.set("Transfer-Encoding", "chunked")
        self.connection.sendall(self.head())
        step = max(1, len(body) // 4)
        pieces = [body[i:i + step] for i in range(0, len(body), step)]
        for piece in pieces[:2] if cut else pieces:
            self.connection.sendall(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        if cut:
            raise Closed
        self.connection.sendall(b"0\r\n\r\n")


class Page(Answer):
    """/list/WORDS/NAME: pages of a list. count=N items in all; at=P: the other words are for page P alone;
    endless, same-token, ignore-limit, empty=P, tail (metadata behind the items)."""

    def body(self):
        query = urllib.parse.parse_qs(self.request["query"])
        total, limit = self.number("count", 5), int(query["limit"][0])
        start = int(query.get("continue", ["p0+/="])[0][1:-3])
        if self.word("status") and self.page() == self.number("at", self.page()):
            return super().body()
        self.words.pop("status", None)
        if "ignore-limit" in self.words:
            limit = total
        if self.number("empty") == self.page():
            limit = 0
        items = [{"metadata": {"name": f"o{i}", "continue": "no"}} for i in range(start, min(start + limit, total))]
        meta = {"resourceVersion": "7"}
        if "endless" in self.words:
            meta["continue"] = f"p{start + 1}+/="
        elif "same-token" in self.words:
            meta["continue"] = "p1+/="
        elif start + limit < total or (self.number("empty") == self.page()):
            meta["continue"] = f"p{start + limit}+/="
        out = {"kind": "ThingList", "metadata": meta, "items": items}
        if "tail" in self.words:
            out = {"items": items, "kind": "ThingList", "metadata": meta}
        if self.number("pad"):
            out["items"].append({"metadata": {"name": "pad"}, "pad": "x" * self.number("pad")})
        return json.dumps(out).encode()

    def page(self):
        query = urllib.parse.parse_qs(self.request["query"])
        start = int(query.get("continue", ["p0+/="])[0][1:-3])
        return start // int(query["limit"][0]) + 1

    def send(self):
        if self.number("at", self.page()) != self.page():
            for name in ("delay", "reset", "cut", "stall", "status", "body"):
                self.words.pop(name, None)
        super().send()


# ---- connections


def read_request(stream):
    line = stream.readline(65536).decode("latin-1").split()
    if len(line) < 3:
        return None
    headers = {}
    while True:
        text = stream.readline(65536).decode("latin-1").rstrip("\r\n")
        if not text:
            break
        name, _, value = text.partition(":")
        headers.setdefault(name.lower(), []).append(value.strip())
    length = int(headers.get("content-length", ["0"])[0])
    body = stream.read(length).decode() if length else ""
    path, _, query = line[1].partition("?")
    return {"method": line[0], "path": path, "query": query, "headers": headers, "body": body}


def serve(name, connection):
    stream = connection.makefile("rb")
    while True:
        if stream.peek(1)[:1] == b"\x16":  # TLS on a plain port: what a web server says to that
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
            return
        request = read_request(stream)
        if not request:
            return
        peer = connection.getpeercert() if isinstance(connection, ssl.SSLSocket) else None
        request["client"] = dict(x[0] for x in peer["subject"]).get("commonName") if peer else None
        credentials = "authorization" in request["headers"] or bool(peer)
        nth = counts.begin(name, request["path"], credentials)
        try:
            respond(connection, request, nth)
        finally:
            counts.end(name)


def respond(connection, request, nth):
    parts = request["path"].split("/")
    words = {}
    if len(parts) > 2 and parts[1] in ("fault", "list"):
        words = dict((w.partition("=")[0], w.partition("=")[2]) for w in parts[2].split(","))
    if words.get("token") and words["token"] not in str(request["headers"].get("authorization")):
        words = {"status": "401"}
    elif nth > int(words.get("times", nth)):
        words = {k: v for k, v in words.items() if k in ("count", "size", "tail")}
    (Page if parts[1] == "list" else Answer)(connection, request, words).send()


def proxy_connect(name, connection):
    """An HTTP proxy: CONNECT, with "Proxy-Authorization" counted as credentials; a host "denied" is refused."""
    stream = connection.makefile("rb", buffering=0)
    request = read_request(stream)
    if not request:
        return
    counts.begin(name, request["path"], "authorization" in request["headers"])
    if "denied" in request["path"]:
        connection.sendall(b"HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n")
        return
    connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
    relay(connection, int(request["path"].rpartition(":")[2]))


def proxy_socks(name, connection):
    """SOCKS5 without authentication; any name is this machine."""
    hello = connection.recv(2)
    connection.recv(hello[1])
    connection.sendall(b"\x05\x00")
    kind = connection.recv(4)[3]
    length = {1: 4, 4: 16}.get(kind) or connection.recv(1)[0]
    host = connection.recv(length)
    port = struct.unpack(">H", connection.recv(2))[0]
    counts.begin(name, f"{kind} {host!r}", kind == 3)  # "credentials": a name came, not an address
    connection.sendall(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
    relay(connection, port)


def relay(a, port):
    b = socket.create_connection(("127.0.0.1", port))

    def copy(source, sink):
        try:
            while chunk := source.recv(65536):
                sink.sendall(chunk)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    other = threading.Thread(target=copy, args=(b, a), daemon=True)
    other.start()
    copy(a, b)
    other.join()
    b.close()


def silent(name, connection):
    counts.begin(name, "", False)
    connection.recv(65536)
    time.sleep(60)


def shake_hands(raw, context):
    """A refusal is let through: closing with bytes unread would reset the connection, and the alert be lost."""
    copy = raw.dup()
    try:
        return context.wrap_socket(raw, server_side=True)
    except ssl.SSLError:
        copy.shutdown(socket.SHUT_WR)
        copy.settimeout(1)
        while copy.recv(65536):
            pass
        raise
    finally:
        copy.close()


def handle(name, raw, context, serve_fn):
    counts.connection(name)
    connection = raw
    try:
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context:
            connection = shake_hands(raw, context)
        serve_fn(name, connection)
    except Reset:
        connection.close()
        return
    except (OSError, Closed, ssl.SSLError):
        pass
    try:
        if isinstance(connection, ssl.SSLSocket):
            connection.settimeout(0.2)
            connection.unwrap()
    except (OSError, ValueError):
        pass
    connection.close()


def listen(name, context=None, serve_fn=serve):
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    ports[name] = listener.getsockname()[1]

    def accept():
        while True:
            raw, _ = listener.accept()
            threading.Thread(target=handle, args=(name, raw, context, serve_fn), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


def tls(folder, name, client=ssl.CERT_OPTIONAL):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, f"{name}.pem"), os.path.join(folder, f"{name}.key"))
    context.load_verify_locations(os.path.join(folder, "test-authority.pem"))
    context.verify_mode = client
    context.set_alpn_protocols(["http/1.1"])
    return context


def main():
    folder = sys.argv[1]
    make_certificates(folder)
    listen("tls", tls(folder, "server"))
    listen("spy", tls(folder, "server"))
    listen("mutual", tls(folder, "server", ssl.CERT_REQUIRED))
    for name in ("expired", "stranger", "misnamed"):
        listen(name, tls(folder, name))
    listen("plain")
    listen("proxy", serve_fn=proxy_connect)
    listen("tls-proxy", tls(folder, "server", ssl.CERT_NONE), serve_fn=proxy_connect)
    listen("socks", serve_fn=proxy_socks)
    listen("silent", serve_fn=silent)
    gone = socket.create_server(("127.0.0.1", 0))
    ports["gone"] = gone.getsockname()[1]
    gone.close()
    for name, port in ports.items():
        print(name, port)
    print("ready", flush=True)
    for line in sys.stdin:
        command = line.split()
        if command[0] == "reset":
            counts.reset()
            print("ok", flush=True)
        else:
            print(counts.line(command[1]), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
