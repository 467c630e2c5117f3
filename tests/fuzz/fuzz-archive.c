/*
 * Archives: whatever the bytes, nothing crashes, the names that come out are safe and come once,
 * and the limits hold. The same bytes are then loaded as a bundle into a snapshot.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/map.h"
#include "base/timestamp.h"
#include "bundle/archive.h"
#include "bundle/layout.h"
#include "bundle/name.h"
#include "model/snapshot.h"
#include "source/bundle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct diag_archive_options limits = {
	.entries = 200,
	.entry_bytes = 20000,
	.total_bytes = 100000,
	.expansion = 50,
	.expansion_floor = 200000,
	.name_bytes = 300,
};

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_name(struct diag_map *seen, const char *name)
{
	const char *reason;
	char *normal = diag_bundle_name(name, &reason);

	require(normal && *normal && strcmp(normal, name) == 0);
	require(strlen(name) <= limits.name_bytes);
	require(!diag_map_get(seen, name));
	diag_map_set(seen, name, seen);
	free(normal);
}

/* Each kind of reading gets its share: by the length of the name. */
static size_t read_file(struct diag_archive *archive, const char *name)
{
	const size_t most = 1000;
	const char *bytes = "";
	size_t length = 0;
	bool cut;

	if (strlen(name) % 3 == 0 && diag_archive_content(archive, &bytes, &length, NULL) == 0)
		require(length <= limits.entry_bytes && bytes[length] == '\0');
	if (strlen(name) % 3 == 1 &&
	    diag_archive_tail(archive, most, &bytes, &length, &cut, NULL) == 0)
		require(length <= most && bytes[length] == '\0');
	return length;
}

static void check_iterator(const uint8_t *data, size_t size)
{
	diag_archive_auto struct diag_archive *archive = NULL;
	diag_map_auto struct diag_map *seen = diag_map_new();
	struct diag_archive_entry entry;
	size_t entries = 0, total = 0;

	if (diag_archive_open_memory(data, size, "b", &limits, &archive, NULL) < 0)
		return;
	while (diag_archive_next(archive, &entry, NULL) > 0) {
		struct diag_bundle_path path diag_bundle_path_auto = { 0 };

		/* The entry that breaks the limit is told, too. */
		require(++entries <= limits.entries + 1);
		diag_bundle_classify(entry.name, &path);
		if (entry.kind != DIAG_ARCHIVE_FILE)
			continue;
		check_name(seen, entry.name);
		total += read_file(archive, entry.name);
		require(total <= limits.total_bytes);
	}
}

static void check_load(const uint8_t *data, size_t size)
{
	struct diag_bundle_options options = { .archive = limits,
					       .log_bytes = 100,
					       .held_bytes = 500 };
	struct diag_snapshot_options how = { .at_ms = DIAG_TIME_NONE };
	diag_snapshot_auto struct diag_snapshot *snapshot = diag_snapshot_new(&how);
	diag_source_auto struct diag_source *source = NULL;
	int fd = memfd_create("bundle", MFD_CLOEXEC);
	char path[64];

	require(fd >= 0);
	require(write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	require(diag_bundle_open_with(path, &options, &source, NULL) == 0);
	if (diag_source_load(source, diag_snapshot_sink(snapshot), NULL) == 0)
		diag_snapshot_finish(snapshot, NULL);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_iterator(data, size);
	check_load(data, size);
	return 0;
}
