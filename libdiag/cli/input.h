/*
 * What the source options name, opened: a cluster, a bundle or manifests, and manifests laid over
 * one of the first two. A cluster can be read again and again.
 */
#pragma once

#include "base/cancel.h"
#include "cli/app.h"
#include "model/snapshot.h"

struct diag_input;

/**
 * Open; nothing is asked of a cluster yet. `options`, `wants` and `cancel` are borrowed and outlive
 * it.
 *
 * @wants as in struct diag_snapshot_options
 *
 * Returns DIAG_OK; INVALID for options that contradict each other; else the error of the source or
 * of the kubeconfig.
 */
int diag_input_open(const struct diag_source_options *options, const char *const *wants,
		    const struct diag_cancel *cancel, struct diag_input **ret,
		    struct diag_error *err);
void diag_input_free(struct diag_input *input);

/** A finished snapshot, with logs, without what is laid over it. The caller's. */
int diag_input_read(struct diag_input *input, struct diag_snapshot **ret_snapshot,
		    struct diag_error *err);

/** Whether manifests are laid over what diag_input_read() gives. */
bool diag_input_has_overlay(const struct diag_input *input);

/** Lay them over it; the snapshot is finished again. Nothing to do without. */
int diag_input_overlay(struct diag_input *input, struct diag_snapshot *snapshot,
		       struct diag_error *err);

/** Whether it may look different when it is read again. */
bool diag_input_is_live(const struct diag_input *input);

DIAG_GUARD(diag_input_auto, struct diag_input *, diag_input_free);
#define diag_input_auto DIAG_CLEANUP(diag_input_auto)
