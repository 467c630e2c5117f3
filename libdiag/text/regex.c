#include "text/regex.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/alloc.h"

/* The machine code's own stack. Most matches need none of it; nested repetition over a long line
 * that needs more gives up. */
enum { JIT_STACK_START = 32 * 1024, JIT_STACK_MAX = 512 * 1024 };

struct diag_regex {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	pcre2_jit_stack *stack; /* NULL without JIT */
	uint32_t steps;
};

static const struct {
	unsigned flag;
	uint32_t option;
} options[] = {
	{ DIAG_REGEX_ICASE, PCRE2_CASELESS },
	{ DIAG_REGEX_MULTILINE, PCRE2_MULTILINE },
	{ DIAG_REGEX_DOTALL, PCRE2_DOTALL },
	/* An anchored try fails at once; looking ahead for a byte it needs costs far more. */
	{ DIAG_REGEX_ANCHORED, PCRE2_ANCHORED | PCRE2_NO_START_OPTIMIZE },
};

static int compile(struct diag_regex *regex, const char *pattern, uint32_t flags,
		   struct diag_error *err)
{
	PCRE2_UCHAR reason[128];
	PCRE2_SIZE offset;
	int code;

	regex->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, flags, &code,
				    &offset, NULL);
	if (regex->code)
		return DIAG_OK;
	pcre2_get_error_message(code, reason, sizeof(reason));
	return diag_error_set(err, DIAG_E_INVALID, "pattern '%.80s': %s at offset %zu", pattern,
			      (const char *)reason, (size_t)offset);
}

int diag_regex_new(const char *pattern, unsigned flags, struct diag_regex **ret_regex,
		   struct diag_error *err)
{
	diag_regex_auto struct diag_regex *regex = NULL;
	uint32_t compiled = PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C;
	int r;

	if (strlen(pattern) > DIAG_REGEX_MAX_PATTERN)
		return diag_error_set(err, DIAG_E_LIMIT, "pattern is longer than %zu bytes",
				      DIAG_REGEX_MAX_PATTERN);
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(options); i++)
		if (flags & options[i].flag)
			compiled |= options[i].option;
	regex = diag_xcalloc(1, sizeof(*regex));
	r = compile(regex, pattern, compiled, err);
	if (r < 0)
		return r;
	regex->data = pcre2_match_data_create_from_pattern(regex->code, NULL);
	regex->context = pcre2_match_context_create(NULL);
	if (!regex->data || !regex->context)
		return diag_error_set(err, DIAG_E_LIMIT, "no memory to match with");
	pcre2_set_heap_limit(regex->context, DIAG_REGEX_MAX_HEAP_KIB);
	diag_regex_set_steps(regex, DIAG_REGEX_MAX_STEPS);
	/* Hardened systems forbid writable code: the interpreter then does the same, slower. */
	if (pcre2_jit_compile(regex->code, PCRE2_JIT_COMPLETE) == 0)
		regex->stack = pcre2_jit_stack_create(JIT_STACK_START, JIT_STACK_MAX, NULL);
	if (regex->stack)
		pcre2_jit_stack_assign(regex->context, NULL, regex->stack);
	*ret_regex = DIAG_STEAL(regex);
	return DIAG_OK;
}

void diag_regex_free(struct diag_regex *regex)
{
	if (!regex)
		return;
	pcre2_jit_stack_free(regex->stack);
	pcre2_match_context_free(regex->context);
	pcre2_match_data_free(regex->data);
	pcre2_code_free(regex->code);
	free(regex);
}

void diag_regex_set_steps(struct diag_regex *regex, uint32_t steps)
{
	assert(steps > 0);
	regex->steps = steps;
	pcre2_set_match_limit(regex->context, steps);
}

uint32_t diag_regex_steps(const struct diag_regex *regex)
{
	return regex->steps;
}

enum diag_regex_result diag_regex_match(struct diag_regex *regex, const char *text, size_t length,
					size_t start)
{
	int r;

	assert(start <= length);
	r = pcre2_match(regex->code, (PCRE2_SPTR)(text ? text : ""), length, start, 0, regex->data,
			regex->context);
	if (r > 0)
		return DIAG_REGEX_MATCH;
	return r == PCRE2_ERROR_NOMATCH ? DIAG_REGEX_NO_MATCH : DIAG_REGEX_GAVE_UP;
}

bool diag_regex_group(const struct diag_regex *regex, unsigned group, size_t *ret_start,
		      size_t *ret_end)
{
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(regex->data);

	if (group >= pcre2_get_ovector_count(regex->data) || at[2 * (size_t)group] == PCRE2_UNSET)
		return false;
	at += 2 * (size_t)group;
	/* \K in a look-ahead, allowed before PCRE2 10.38, can put the end before the start. */
	*ret_start = DIAG_MIN(at[0], at[1]);
	*ret_end = DIAG_MAX(at[0], at[1]);
	return true;
}

unsigned diag_regex_group_index(const struct diag_regex *regex, const char *name)
{
	int number = pcre2_substring_number_from_name(regex->code, (PCRE2_SPTR)name);

	return number > 0 ? (unsigned)number : 0;
}

unsigned diag_regex_group_count(const struct diag_regex *regex)
{
	uint32_t count = 0;

	pcre2_pattern_info(regex->code, PCRE2_INFO_CAPTURECOUNT, &count);
	return count;
}
