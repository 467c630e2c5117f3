#include "text/quantity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"

/*
 * A number as `mantissa` times ten to `scale`. More digits than fit are dropped into `rest`, which
 * only rounding needs to know of.
 */
struct decimal {
	unsigned __int128 mantissa;
	long scale;
	bool rest;
	bool empty; /* no digit at all */
};

enum { MAX_DIGITS = 20 }; /* times 2^60 still fits in 128 bits */

static const struct {
	const char *text;
	enum diag_quantity_format format;
	int exponent; /* of ten, or of two */
} suffixes[] = {
	{ "", DIAG_QUANTITY_DECIMAL, 0 },   { "n", DIAG_QUANTITY_DECIMAL, -9 },
	{ "u", DIAG_QUANTITY_DECIMAL, -6 }, { "m", DIAG_QUANTITY_DECIMAL, -3 },
	{ "k", DIAG_QUANTITY_DECIMAL, 3 },  { "M", DIAG_QUANTITY_DECIMAL, 6 },
	{ "G", DIAG_QUANTITY_DECIMAL, 9 },  { "T", DIAG_QUANTITY_DECIMAL, 12 },
	{ "P", DIAG_QUANTITY_DECIMAL, 15 }, { "E", DIAG_QUANTITY_DECIMAL, 18 },
	{ "Ki", DIAG_QUANTITY_BINARY, 10 }, { "Mi", DIAG_QUANTITY_BINARY, 20 },
	{ "Gi", DIAG_QUANTITY_BINARY, 30 }, { "Ti", DIAG_QUANTITY_BINARY, 40 },
	{ "Pi", DIAG_QUANTITY_BINARY, 50 }, { "Ei", DIAG_QUANTITY_BINARY, 60 },
};

static void add_digit(struct decimal *number, char digit, bool fraction, int *digits)
{
	number->empty = false;
	if (*digits || digit != '0')
		(*digits)++;
	if (*digits > MAX_DIGITS) {
		number->rest |= digit != '0';
		number->scale += !fraction;
		return;
	}
	number->mantissa = number->mantissa * 10 + (unsigned)(digit - '0');
	number->scale -= fraction;
}

/* Digits with at most one dot; returns what follows. */
static const char *take_number(const char *text, struct decimal *number)
{
	bool fraction = false;
	int digits = 0;

	for (; (*text >= '0' && *text <= '9') || (*text == '.' && !fraction); text++) {
		if (*text == '.')
			fraction = true;
		else
			add_digit(number, *text, fraction, &digits);
	}
	return text;
}

/* What follows the number; an exponent is e or E and a signed decimal. */
static bool read_suffix(const char *text, enum diag_quantity_format *ret_format, long *ret_exponent)
{
	char *end;
	long exponent;

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(suffixes); i++) {
		if (strcmp(text, suffixes[i].text) != 0)
			continue;
		*ret_format = suffixes[i].format;
		*ret_exponent = suffixes[i].exponent;
		return true;
	}
	if ((*text != 'e' && *text != 'E') || !strchr("+-0123456789", text[1]))
		return false;
	errno = 0;
	exponent = strtol(text + 1, &end, 10);
	if (*end || end == text + 1 || errno)
		return false;
	*ret_format = DIAG_QUANTITY_EXPONENT;
	*ret_exponent = exponent;
	return true;
}

/* mantissa times ten to scale, rounded up, INT64_MAX when it does not fit. */
static uint64_t round_up(struct decimal number)
{
	const unsigned __int128 most = INT64_MAX;

	if (!number.mantissa)
		return number.rest;
	for (; number.scale > 0 && number.mantissa <= most; number.scale--)
		number.mantissa *= 10;
	for (; number.scale < 0 && number.mantissa; number.scale++) {
		number.rest |= number.mantissa % 10 != 0;
		number.mantissa /= 10;
	}
	number.mantissa += number.rest;
	return number.mantissa > most ? (uint64_t)most : (uint64_t)number.mantissa;
}

/* Beyond 400 places it is 0 or infinite anyway. */
static double scaled(double value, long scale)
{
	for (long i = DIAG_MIN(scale, 400L); i > 0; i--)
		value *= 10;
	for (long i = DIAG_MAX(scale, -400L); i < 0; i++)
		value /= 10;
	return value;
}

static struct diag_quantity make(struct decimal number, enum diag_quantity_format format,
				 long exponent, bool negative)
{
	struct diag_quantity quantity = { .format = format };
	uint64_t whole;

	if (format == DIAG_QUANTITY_BINARY)
		number.mantissa <<= exponent;
	else if (__builtin_add_overflow(number.scale, exponent, &number.scale))
		number.scale = exponent;
	quantity.value = number.mantissa ? scaled((double)number.mantissa, number.scale) : 0;
	whole = round_up(number);
	quantity.whole = negative ? -(int64_t)whole : (int64_t)whole;
	if (negative && number.mantissa)
		quantity.value = -quantity.value;
	return quantity;
}

/* The original reads a missing number as 0, where it takes its short cut for small numbers. */
static bool may_be_empty(enum diag_quantity_format format, long exponent)
{
	return format == DIAG_QUANTITY_BINARY ? exponent <= 40 : exponent >= -9;
}

int diag_quantity_parse(const char *text, struct diag_quantity *ret_quantity,
			struct diag_error *err)
{
	bool negative = *text == '-';
	struct decimal number = { .empty = true };
	enum diag_quantity_format format;
	const char *suffix;
	long exponent;

	if (!*text)
		return diag_error_set(err, DIAG_E_PARSE, "a quantity is missing");
	suffix = take_number(text + (negative || *text == '+'), &number);
	if (!read_suffix(suffix, &format, &exponent))
		return suffix == text
			       ? diag_error_set(err, DIAG_E_PARSE,
						"'%s' does not begin with a number", text)
			       : diag_error_set(
					 err, DIAG_E_PARSE,
					 "'%s' is no suffix of a quantity, such as Mi, Gi, M or G",
					 suffix);
	if (number.empty && !may_be_empty(format, exponent))
		return diag_error_set(err, DIAG_E_PARSE, "'%s' has no number", text);
	if (ret_quantity)
		*ret_quantity = make(number, format, exponent, negative);
	return DIAG_OK;
}

bool diag_quantity_is_valid(const char *text)
{
	return diag_quantity_parse(text, NULL, NULL) == 0;
}
