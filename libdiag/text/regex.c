#include "text/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/alloc.h"

enum {
	MATCH_LIMIT = 200000, /* backtracking steps */
	HEAP_LIMIT_KIB = 4096,
};

struct diag_regex {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *context;
};

int diag_regex_new(const char *pattern, struct diag_regex **ret_regex, struct diag_error *err)
{
	struct diag_regex *regex;
	PCRE2_UCHAR message[128];
	PCRE2_SIZE offset;
	int code;
	pcre2_code *compiled =
		pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, 0, &code, &offset, NULL);

	if (!compiled) {
		pcre2_get_error_message(code, message, sizeof(message));
		return diag_error_set(err, DIAG_E_INVALID, "bad pattern at character %zu: %s",
				      (size_t)offset + 1, (const char *)message);
	}
	pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE); /* slower without, not wrong */
	regex = diag_xcalloc(1, sizeof(*regex));
	regex->code = compiled;
	regex->match = pcre2_match_data_create_from_pattern(compiled, NULL);
	regex->context = pcre2_match_context_create(NULL);
	pcre2_set_match_limit(regex->context, MATCH_LIMIT);
	pcre2_set_heap_limit(regex->context, HEAP_LIMIT_KIB);
	*ret_regex = regex;
	return DIAG_OK;
}

void diag_regex_free(struct diag_regex *regex)
{
	if (!regex)
		return;
	pcre2_match_context_free(regex->context);
	pcre2_match_data_free(regex->match);
	pcre2_code_free(regex->code);
	free(regex);
}

enum diag_regex_result diag_regex_find(const struct diag_regex *regex, const char *text,
				       size_t length, size_t from, unsigned group,
				       struct diag_regex_span *ret_span)
{
	int count = pcre2_match(regex->code, (PCRE2_SPTR)text, length, from, 0, regex->match,
				regex->context);
	const PCRE2_SIZE *spans;

	if (count == PCRE2_ERROR_NOMATCH)
		return DIAG_REGEX_NO_MATCH;
	if (count < 0)
		return DIAG_REGEX_GAVE_UP;
	spans = pcre2_get_ovector_pointer(regex->match);
	if (group >= (unsigned)count || spans[2 * group] == PCRE2_UNSET)
		group = 0;
	*ret_span = (struct diag_regex_span){ spans[2 * group], spans[2 * group + 1] };
	return DIAG_REGEX_MATCH;
}
