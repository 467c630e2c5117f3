#include "cli/opt.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"

/* Bytes of a foreign word in a message. */
enum { SHOWN = 80, MAX_NAMES = 128 };

static void *storage(const struct diag_opt *opt, void *store)
{
	return (char *)store + opt->offset;
}

static void list_add(struct diag_opt_list *list, const char *item)
{
	list->items = diag_xrealloc(list->items, list->count + 2, sizeof(*list->items));
	list->items[list->count++] = item;
	list->items[list->count] = NULL;
}

/* "a,b" is two values. */
static void list_add_split(struct diag_opt_list *list, const char *value)
{
	char *copy = diag_xstrdup(value), *at = copy;

	list->owned = diag_xrealloc(list->owned, list->owned_count + 1, sizeof(*list->owned));
	list->owned[list->owned_count++] = copy;
	while (at) {
		char *item = strsep(&at, ",");

		if (*item)
			list_add(list, item);
	}
}

void diag_opt_list_done(struct diag_opt_list *list)
{
	for (size_t i = 0; i < list->owned_count; i++)
		free(list->owned[i]);
	free(list->owned);
	free(list->items);
	*list = (struct diag_opt_list){ 0 };
}

void diag_opt_done(const struct diag_tool *tool, void *store)
{
	for (const struct diag_opt *opt = tool->options; opt->name; opt++)
		if (opt->type == DIAG_OPT_LIST || opt->type == DIAG_OPT_PATHS)
			diag_opt_list_done(storage(opt, store));
}

static int bad_value(const struct diag_opt *opt, const char *value, const char *wanted,
		     struct diag_error *err)
{
	return diag_error_set(err, DIAG_E_INVALID, "--%s: '%.*s' is not %s", opt->name, SHOWN,
			      value, wanted);
}

static int set_enum(const struct diag_opt *opt, const char *value, int *ret_index,
		    struct diag_error *err)
{
	struct diag_buf names diag_buf_auto = { 0 };
	const char *nearest;
	size_t count = 0;

	diag_buf_init(&names, DIAG_MAX_MESSAGE);
	diag_buf_puts(&names, "one of ");
	for (; opt->names[count]; count++) {
		if (strcmp(opt->names[count], value) == 0) {
			*ret_index = (int)count;
			return DIAG_OK;
		}
		diag_buf_printf(&names, "%s%s", count ? ", " : "", opt->names[count]);
	}
	nearest = diag_str_nearest(value, opt->names, count);
	if (nearest)
		diag_buf_printf(&names, "; did you mean '%s'?", nearest);
	return bad_value(opt, value, diag_buf_str(&names), err);
}

static bool has_bounds(const struct diag_opt *opt)
{
	return opt->min || opt->max;
}

static int set_integer(const struct diag_opt *opt, const char *value, int64_t *ret_number,
		       struct diag_error *err)
{
	char *end;
	long long number;

	errno = 0;
	number = strtoll(value, &end, 10);
	/* strtoll() takes leading blanks and a plus as well. */
	if (end == value || *end || errno || (*value != '-' && !isdigit((unsigned char)*value)))
		return bad_value(opt, value, "a whole number", err);
	if (has_bounds(opt) && (number < opt->min || number > opt->max))
		return diag_error_set(err, DIAG_E_INVALID,
				      "--%s: %lld is not between %lld and %lld", opt->name, number,
				      (long long)opt->min, (long long)opt->max);
	*ret_number = number;
	return DIAG_OK;
}

static int set_duration(const struct diag_opt *opt, const char *value, int64_t *ret_ms,
			struct diag_error *err)
{
	char min[32], max[32];
	int64_t ms;

	if (!diag_duration_parse(value, &ms))
		return bad_value(opt, value, "a duration such as 30s or 1m30s", err);
	if (has_bounds(opt) && (ms < opt->min || ms > opt->max))
		return diag_error_set(err, DIAG_E_INVALID, "--%s: '%s' is not between %s and %s",
				      opt->name, value,
				      diag_duration_format(opt->min, min, sizeof(min)),
				      diag_duration_format(opt->max, max, sizeof(max)));
	*ret_ms = ms;
	return DIAG_OK;
}

static int set_value(const struct diag_opt *opt, const char *value, void *store,
		     struct diag_error *err)
{
	void *at = storage(opt, store);
	int64_t time;

	switch (opt->type) {
	case DIAG_OPT_FLAG:
	case DIAG_OPT_STOP:
		*(bool *)at = true;
		return DIAG_OK;
	case DIAG_OPT_STRING:
		*(const char **)at = value;
		return DIAG_OK;
	case DIAG_OPT_LIST:
		list_add_split(at, value);
		return DIAG_OK;
	case DIAG_OPT_PATHS:
		list_add(at, value);
		return DIAG_OK;
	case DIAG_OPT_INTEGER:
		return set_integer(opt, value, at, err);
	case DIAG_OPT_DURATION:
		return set_duration(opt, value, at, err);
	case DIAG_OPT_TIME:
		time = diag_time_parse(value);
		if (time == DIAG_TIME_NONE)
			return bad_value(opt, value, "a time such as 2026-01-31T12:00:00Z", err);
		*(int64_t *)at = time;
		return DIAG_OK;
	case DIAG_OPT_ENUM:
		return set_enum(opt, value, at, err);
	}
	DIAG_UNREACHABLE();
}

/* Where parsing stands. */
struct args {
	int argc;
	char **argv;
	int next;
	bool stopped; /* --help: the rest does not count */
};

static int take_value(const struct diag_opt *opt, const char *attached, struct args *args,
		      void *store, struct diag_error *err)
{
	if (!opt->value) {
		if (attached)
			return diag_error_set(err, DIAG_E_INVALID, "--%s takes no value",
					      opt->name);
		args->stopped = opt->type == DIAG_OPT_STOP;
		return set_value(opt, NULL, store, err);
	}
	if (!attached) {
		if (args->next >= args->argc)
			return diag_error_set(err, DIAG_E_INVALID, "--%s needs a value: %s",
					      opt->name, opt->value);
		attached = args->argv[args->next++];
	}
	return set_value(opt, attached, store, err);
}

/* What a misspelt name may have meant: the most alike, or one that begins like it. */
static const char *nearest_name(const struct diag_tool *tool, const char *name, bool negated)
{
	const char *names[MAX_NAMES] = { NULL };
	const char *nearest;
	size_t count = 0;

	for (const struct diag_opt *opt = tool->options; opt->name && count < MAX_NAMES; opt++)
		if (!opt->hidden && (opt->negatable || !negated))
			names[count++] = opt->name;
	nearest = diag_str_nearest(name, names, count);
	for (size_t i = 0; !nearest && *name && i < count; i++)
		if (diag_str_starts(names[i], name))
			nearest = names[i];
	return nearest;
}

static int unknown(const struct diag_tool *tool, const char *name, struct diag_error *err)
{
	const char *nearest = nearest_name(tool, name, false);
	const char *no = "";

	if (!nearest && diag_str_starts(name, "no-")) {
		nearest = nearest_name(tool, name + 3, true);
		no = "no-";
	}
	if (nearest)
		return diag_error_set(err, DIAG_E_INVALID,
				      "unknown option '--%.*s'; did you mean '--%s%s'?", SHOWN,
				      name, no, nearest);
	return diag_error_set(err, DIAG_E_INVALID, "unknown option '--%.*s'; see %s --help", SHOWN,
			      name, tool->name);
}

/* --no-NAME, with nothing attached. */
static bool set_negated(const struct diag_tool *tool, const char *name, void *store)
{
	for (const struct diag_opt *opt = tool->options; opt->name; opt++) {
		if (!opt->negatable || !diag_str_starts(name, "no-") ||
		    strcmp(opt->name, name + 3) != 0)
			continue;
		*(bool *)storage(opt, store) = false;
		return true;
	}
	return false;
}

static int long_option(const struct diag_tool *tool, const char *text, struct args *args,
		       void *store, struct diag_error *err)
{
	const char *equals = strchr(text, '=');
	diag_autofree char *name =
		diag_xstrndup(text, equals ? (size_t)(equals - text) : strlen(text));

	for (const struct diag_opt *opt = tool->options; opt->name; opt++)
		if (strcmp(opt->name, name) == 0)
			return take_value(opt, equals ? equals + 1 : NULL, args, store, err);
	if (!equals && set_negated(tool, name, store))
		return DIAG_OK;
	return unknown(tool, name, err);
}

/* The letter may be a character of several bytes. */
static int unknown_letter(const struct diag_tool *tool, const char *letter, struct diag_error *err)
{
	int length = 1;

	while (length < 4 && ((unsigned char)letter[length] & 0xc0) == 0x80)
		length++;
	return diag_error_set(err, DIAG_E_INVALID, "unknown option '-%.*s'; see %s --help", length,
			      letter, tool->name);
}

/* -A, -n NS, -nNS, -n=NS, -vA */
static int short_options(const struct diag_tool *tool, const char *letters, struct args *args,
			 void *store, struct diag_error *err)
{
	for (; *letters && !args->stopped; letters++) {
		const struct diag_opt *opt = tool->options;
		int r;

		while (opt->name && opt->letter != *letters)
			opt++;
		if (!opt->name)
			return unknown_letter(tool, letters, err);
		if (opt->value)
			return take_value(opt,
					  letters[1] ? letters + 1 + (letters[1] == '=') : NULL,
					  args, store, err);
		r = take_value(opt, NULL, args, store, err);
		if (r < 0)
			return r;
	}
	return DIAG_OK;
}

int diag_opt_parse(const struct diag_tool *tool, int argc, char **argv, void *store,
		   struct diag_opt_list *ret_operands, struct diag_error *err)
{
	struct args args = { .argc = argc, .argv = argv, .next = 1 };
	bool ended = false;
	int r = DIAG_OK;

	while (r == 0 && !args.stopped && args.next < argc) {
		const char *text = argv[args.next++];

		if (ended || text[0] != '-' || !text[1])
			list_add(ret_operands, text);
		else if (strcmp(text, "--") == 0)
			ended = true;
		else if (text[1] == '-')
			r = long_option(tool, text + 2, &args, store, err);
		else
			r = short_options(tool, text + 1, &args, store, err);
	}
	return r;
}

static bool same_group(const struct diag_opt *a, const struct diag_opt *b)
{
	return diag_str_eq(a->group, b->group);
}

/* A group stands where its first option is, with all its options. */
static const struct diag_opt *first_of_group(const struct diag_tool *tool,
					     const struct diag_opt *member)
{
	const struct diag_opt *opt = tool->options;

	while (!same_group(opt, member))
		opt++;
	return opt;
}

const struct diag_opt *diag_opt_next(const struct diag_tool *tool, const struct diag_opt *before)
{
	const struct diag_opt *opt;

	if (!before)
		return tool->options->name ? tool->options : NULL;
	for (opt = before + 1; opt->name; opt++)
		if (same_group(opt, before))
			return opt;
	for (opt = first_of_group(tool, before) + 1; opt->name; opt++)
		if (first_of_group(tool, opt) == opt)
			return opt;
	return NULL;
}
