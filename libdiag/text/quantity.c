#include "text/quantity.h"

#include <ctype.h>
#include <string.h>

#include "base/macros.h"

static const char *digits(const char *p)
{
	while (isdigit((unsigned char)*p))
		p++;
	return p;
}

/* [eE] [+-]? digits, or one of the suffixes, or nothing; the whole rest. */
static bool is_suffix(const char *p)
{
	static const char *const suffixes[] = { "",  "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "n",
						"u", "m",  "k",  "M",  "G",  "T",  "P",  "E" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(suffixes); i++)
		if (strcmp(p, suffixes[i]) == 0)
			return true;
	if (*p != 'e' && *p != 'E')
		return false;
	p += 1 + (p[1] == '+' || p[1] == '-');
	return isdigit((unsigned char)*p) && !*digits(p);
}

bool diag_quantity_is_valid(const char *text)
{
	const char *start = text + (*text == '+' || *text == '-');
	const char *p = digits(start);
	size_t count = (size_t)(p - start);

	if (*p == '.') {
		const char *fraction = p + 1;

		p = digits(fraction);
		count += (size_t)(p - fraction);
	}
	return count > 0 && is_suffix(p);
}
