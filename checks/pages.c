#include "checks/pages.h"

#include <stddef.h>

#include "base/macros.h"
#include "base/str.h"

static const struct {
	const char *id, *text;
} pages[] = {
#include "pages.inc"
};

const char *checks_page(const char *id)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(pages); i++)
		if (diag_str_eq(pages[i].id, id))
			return pages[i].text;
	return NULL;
}
