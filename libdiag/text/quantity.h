/*
 * Kubernetes quantities: `500m`, `1.5Gi`, `12e6`. Source: k8s.io/apimachinery/pkg/api/resource,
 * ParseQuantity, whose answers decide.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum diag_quantity_format {
	DIAG_QUANTITY_DECIMAL,  /* n u m, none, k M G T P E */
	DIAG_QUANTITY_BINARY,   /* Ki Mi Gi Ti Pi Ei */
	DIAG_QUANTITY_EXPONENT, /* 1e3, 1E3 */
};

struct diag_quantity {
	enum diag_quantity_format format;
	double value;  /* in the base unit, about 15 digits */
	int64_t whole; /* rounded away from zero to whole units, capped at the ends of the type */
};

/**
 * Read a quantity. Oddities of the original are kept: `.5` and `1.` are fine, and mostly so is a
 * number left out (`Gi`, `-`, `.` are 0); white space, `Kib`, `1e` and `1e1.5` are not.
 *
 * @text         whole text, nothing is trimmed (the operator trims a claim's size first)
 * @ret_quantity the result; may be NULL to ask whether it parses
 *
 * Returns DIAG_OK, or PARSE saying what is wrong with it.
 */
int diag_quantity_parse(const char *text, struct diag_quantity *ret_quantity,
			struct diag_error *err);

/** True when the API would take the text as a quantity. */
bool diag_quantity_is_valid(const char *text);
