/*
 * A look at the outermost members of a JSON object, without parsing what is in them: whether the
 * text ends where it should, and where a list's metadata and items are.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct diag_slice {
	const char *bytes; /* NULL: there is none */
	size_t length;
};

struct diag_toplevel {
	struct diag_slice metadata; /* values as written, borrowed from the text */
	struct diag_slice items;
};

/**
 * Walk over one JSON object. Strings and brackets are told apart, nothing else is judged: what is
 * between them is for whoever parses it.
 *
 * Returns false when the text is not one object from its first to its last byte (white space
 * aside): it was cut, or something follows.
 */
bool diag_toplevel_scan(const char *bytes, size_t length, struct diag_toplevel *ret);

/** True for an array without elements. */
bool diag_slice_is_empty_array(struct diag_slice slice);
