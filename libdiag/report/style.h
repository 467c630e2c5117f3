/* What a report may look like where it goes: a terminal, a pipe or a file. */
#pragma once

#include <stdbool.h>

struct diag_style {
	bool colour; /* ANSI colours */
	bool utf8;   /* glyphs beyond ASCII */
	int width;   /* columns; 0: do not wrap */
};
