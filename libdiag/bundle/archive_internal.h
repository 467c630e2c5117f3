/* The two ways to read a bundle, behind diag_archive_read(). */
#pragma once

#include "bundle/archive.h"

/** The limits with defaults filled in. */
struct diag_archive_limits diag_archive_effective(const struct diag_archive_limits *limits);

/** As diag_archive_read() for a folder. */
int diag_archive_read_folder(const char *path, const struct diag_archive_limits *limits,
			     const struct diag_archive_visitor *visitor,
			     const struct diag_cancel *cancel, struct diag_error *err);
