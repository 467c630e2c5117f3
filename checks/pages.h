/* The pages of docs/checks inside the binary, for --explain. */
#pragma once

/** The page of a check as Markdown; NULL for an unknown id. */
const char *checks_page(const char *id);
