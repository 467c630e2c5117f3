"""Breaks of which a real cluster shows more than one field: the kubelet, the Deployment controller and
the EndpointSlice controller each write their part. A shape is a function of (recording, path of the
object's file, the object, what the row gives as `with`)."""

LONG_AGO = -600  # seconds before the recording: beyond every grace


def owner(item, kind):
    return next((o["name"] for o in item["metadata"].get("ownerReferences", []) if o["kind"] == kind), None)


def set_condition(conditions, kind, status, time, **more):
    conditions[:] = [c for c in conditions if c["type"] != kind]
    conditions.append({"type": kind, "status": status, "lastTransitionTime": time, **more})


def deployment_down(recording, pod):
    """What the Deployment says once its only pod is not ready."""
    sets = {i["metadata"]["name"]: i for _, i in recording.items("replicasets")}
    name = owner(sets.get(owner(pod, "ReplicaSet"), {"metadata": {}}), "Deployment")
    for path, item in recording.items("deployments"):
        if item["metadata"]["name"] != name:
            continue
        recording.touch(path)
        status = item["status"]
        status.pop("availableReplicas", None), status.pop("readyReplicas", None)
        status["unavailableReplicas"] = 1
        set_condition(status["conditions"], "Available", "False", recording.time(LONG_AGO),
                      lastUpdateTime=recording.time(LONG_AGO), reason="MinimumReplicasUnavailable",
                      message="Deployment does not have minimum availability.")


def endpoints_down(recording, pod):
    """The pod's addresses, as not ready."""
    for path, item in recording.items("endpointslices"):
        for endpoint in item.get("endpoints") or []:
            if endpoint.get("targetRef", {}).get("name") == pod["metadata"]["name"]:
                recording.touch(path)
                endpoint["conditions"] = {"ready": False, "serving": False, "terminating": False}


def not_ready(recording, path, pod, containers):
    """The pod itself and those that follow it."""
    recording.touch(path)
    conditions = pod["status"].setdefault("conditions", [])
    for kind in ("Ready", "ContainersReady"):
        set_condition(conditions, kind, "False", recording.time(LONG_AGO), reason="ContainersNotReady",
                      message=f"containers with unready status: [{' '.join(containers)}]")
    deployment_down(recording, pod)
    endpoints_down(recording, pod)


def waiting(recording, path, pod, spec):
    """A container waits with a reason; `restarts` and `last` (terminated) say what came before."""
    recording.touch(path)
    status = pod["status"]["containerStatuses"][0]
    status.update(ready=False, started=False, restartCount=spec.get("restarts", 0), lastState={},
                  state={"waiting": {"reason": spec["reason"], "message": spec["message"]}})
    if "last" in spec:
        status["lastState"] = {"terminated": {"startedAt": recording.time(-40), "finishedAt": recording.time(-35), **spec["last"]}}
    if not spec.get("restarts"):
        pod["status"]["phase"] = "Pending"
    not_ready(recording, path, pod, [status["name"]])


def init_waiting(recording, path, pod, spec):
    """The same of the first init container: nothing after it has started."""
    recording.touch(path)
    status = pod["status"]["initContainerStatuses"][0]
    status.update(ready=False, started=False, restartCount=spec.get("restarts", 0), lastState={},
                  state={"waiting": {"reason": spec["reason"], "message": spec["message"]}})
    for other in pod["status"]["containerStatuses"]:
        other.update(ready=False, started=False, lastState={}, state={"waiting": {"reason": "PodInitializing"}})
    set_condition(pod["status"]["conditions"], "Initialized", "False", recording.time(LONG_AGO), reason="ContainersNotInitialized",
                  message=f"containers with incomplete status: [{status['name']}]")
    pod["status"]["phase"] = "Pending"
    not_ready(recording, path, pod, [c["name"] for c in pod["status"]["containerStatuses"]])


def init_hangs(recording, path, pod, spec):
    """wait-for-deps runs and prints that it waits for the first of its targets."""
    recording.touch(path)
    status = pod["status"]["initContainerStatuses"][0]
    status.update(ready=False, started=True, state={"running": {"startedAt": recording.time(LONG_AGO)}})
    for other in pod["status"]["containerStatuses"]:
        other.update(ready=False, started=False, lastState={}, state={"waiting": {"reason": "PodInitializing"}})
    set_condition(pod["status"]["conditions"], "Initialized", "False", recording.time(LONG_AGO), reason="ContainersNotInitialized",
                  message="containers with incomplete status: [wait-for-deps]")
    pod["status"]["phase"] = "Pending"
    not_ready(recording, path, pod, [c["name"] for c in pod["status"]["containerStatuses"]])


def unschedulable(recording, path, pod, spec):
    """The scheduler finds no node."""
    recording.touch(path)
    pod["spec"].pop("nodeName", None)
    pod["status"] = {"phase": "Pending", "qosClass": "BestEffort", "conditions": [
        {"type": "PodScheduled", "status": "False", "lastTransitionTime": recording.time(LONG_AGO),
         "reason": "Unschedulable", "message": spec["message"]}]}
    deployment_down(recording, pod)
    endpoints_down(recording, pod)


def failed(recording, path, pod, spec):
    """The pod as a whole ended: evicted, preempted, node lost."""
    recording.touch(path)
    pod["status"] = {"phase": "Failed", "startTime": recording.time(LONG_AGO), **spec}
    deployment_down(recording, pod)
    endpoints_down(recording, pod)


def node_condition(recording, path, node, spec):
    """A condition of the node; when it is Ready, the pods on it turn unready too."""
    recording.touch(path)
    set_condition(node["status"]["conditions"], spec["type"], spec["status"], recording.time(LONG_AGO),
                  lastHeartbeatTime=recording.time(LONG_AGO), reason=spec["reason"], message=spec["message"])
    if spec["type"] != "Ready":
        return
    for pods, pod in list(recording.items("pods")):
        if pod["spec"].get("nodeName") == node["metadata"]["name"]:
            recording.touch(pods)
            set_condition(pod["status"]["conditions"], "Ready", "False", recording.time(LONG_AGO))
            deployment_down(recording, pod)
            endpoints_down(recording, pod)


def gone_with_pods(recording, path, item, spec):
    """An object and the pods it stands for are gone: a Deployment that somebody deleted."""
    name = item["metadata"]["name"]
    recording.drop(path, item)
    for folder in ("replicasets", "pods"):
        for other, thing in list(recording.items(folder)):
            if thing["metadata"]["name"].startswith(name + "-"):
                recording.drop(other, thing)
                if folder == "pods":
                    endpoints_gone(recording, thing)


def endpoints_gone(recording, pod):
    for path, item in recording.items("endpointslices"):
        kept = [e for e in item.get("endpoints") or [] if e.get("targetRef", {}).get("name") != pod["metadata"]["name"]]
        if len(kept) != len(item.get("endpoints") or []):
            recording.touch(path)
            item["endpoints"] = kept


def service_gone(recording, path, service, spec):
    """A Service that somebody deleted takes its EndpointSlices along."""
    recording.drop(path, service)
    for folder in ("endpointslices", "endpoints"):
        for other, item in list(recording.items(folder)):
            labels = item["metadata"].get("labels", {})
            if service["metadata"]["name"] in (labels.get("kubernetes.io/service-name"), item["metadata"]["name"]):
                recording.drop(other, item)


def selector_changed(recording, path, service, spec):
    """A Service that selects nothing: its slices hold nothing any more."""
    recording.touch(path)
    service["spec"]["selector"][spec["key"]] = spec["value"]
    empty_slices(recording, service)


def selector_misspelt(recording, path, service, spec):
    recording.touch(path)
    key = sorted(service["spec"]["selector"])[-1]
    service["spec"]["selector"][key] += "x"
    empty_slices(recording, service)


def empty_slices(recording, service):
    for other, item in recording.items("endpointslices"):
        if item["metadata"].get("labels", {}).get("kubernetes.io/service-name") == service["metadata"]["name"]:
            recording.touch(other)
            item["endpoints"] = []


def operator_down(recording, path, deployment, spec):
    """The operator's Deployment has no pod that is ready."""
    recording.touch(path)
    status = deployment["status"]
    status.pop("availableReplicas", None), status.pop("readyReplicas", None)
    status["unavailableReplicas"] = 1
    set_condition(status["conditions"], "Available", "False", recording.time(LONG_AGO), reason="MinimumReplicasUnavailable",
                  message="Deployment does not have minimum availability.")
    for pods, pod in list(recording.items("pods", "other")):
        recording.touch(pods)
        state = pod["status"]["containerStatuses"][0]
        state.update(ready=False, started=False, restartCount=spec.get("restarts", 0),
                     state={"waiting": {"reason": spec["reason"], "message": spec["message"]}})
        if "last" in spec:
            state["lastState"] = {"terminated": {"startedAt": recording.time(-100), "finishedAt": recording.time(-90), **spec["last"]}}
        set_condition(pod["status"]["conditions"], "Ready", "False", recording.time(LONG_AGO))


def lease_lost(recording, path, lease, spec):
    """The lease is not renewed any more, and a changed world is not looked at."""
    recording.touch(path)
    lease["spec"]["renewTime"] = recording.time(-900)
    for worlds, world in recording.items("custom-resources/worldinstances.bindery.platform"):
        recording.touch(worlds)
        world["metadata"]["generation"] += 1


def rule_removed(recording, path, role, spec):
    """A right taken out of a role."""
    recording.touch(path)
    for rule in role["rules"]:
        if spec["resource"] in rule.get("resources", []):
            if "verb" in spec:
                rule["verbs"] = [v for v in rule["verbs"] if v != spec["verb"]]
            else:
                rule["resources"] = [r for r in rule["resources"] if r != spec["resource"]]


SHAPES = {name: value for name, value in list(globals().items()) if callable(value)}
