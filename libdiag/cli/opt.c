#include "cli/opt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"

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
	return diag_error_set(err, DIAG_E_INVALID, "--%s: '%s' is not %s", opt->name, value,
			      wanted);
}

static int set_enum(const struct diag_opt *opt, const char *value, int *ret_index,
		    struct diag_error *err)
{
	struct diag_buf names diag_buf_auto = { 0 };

	diag_buf_init(&names, DIAG_MAX_MESSAGE);
	diag_buf_puts(&names, "one of ");
	for (int i = 0; opt->names[i]; i++) {
		if (strcmp(opt->names[i], value) == 0) {
			*ret_index = i;
			return DIAG_OK;
		}
		diag_buf_printf(&names, "%s%s", i ? ", " : "", opt->names[i]);
	}
	return bad_value(opt, value, diag_buf_str(&names), err);
}

static int set_integer(const struct diag_opt *opt, const char *value, int64_t *ret_number,
		       struct diag_error *err)
{
	char *end;
	long long number;

	errno = 0;
	number = strtoll(value, &end, 10);
	if (end == value || *end || errno)
		return bad_value(opt, value, "a whole number", err);
	if ((opt->min || opt->max) && (number < opt->min || number > opt->max))
		return diag_error_set(err, DIAG_E_INVALID,
				      "--%s: %lld is not between %lld and %lld", opt->name, number,
				      (long long)opt->min, (long long)opt->max);
	*ret_number = number;
	return DIAG_OK;
}

static int set_value(const struct diag_opt *opt, const char *value, void *store,
		     struct diag_error *err)
{
	void *at = storage(opt, store);
	int64_t time;

	switch (opt->type) {
	case DIAG_OPT_FLAG:
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
		if (diag_duration_parse(value, at))
			return DIAG_OK;
		return bad_value(opt, value, "a duration such as 30s or 1m30s", err);
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
};

static int take_value(const struct diag_opt *opt, const char *attached, struct args *args,
		      void *store, struct diag_error *err)
{
	if (!opt->value) {
		if (attached)
			return diag_error_set(err, DIAG_E_INVALID, "--%s takes no value",
					      opt->name);
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

static int unknown(const struct diag_tool *tool, const char *name, struct diag_error *err)
{
	const char *names[128];
	const char *nearest;
	size_t count = 0;

	for (const struct diag_opt *opt = tool->options; opt->name && count < 128; opt++)
		names[count++] = opt->name;
	nearest = diag_str_nearest(name, names, count);
	if (nearest)
		return diag_error_set(err, DIAG_E_INVALID,
				      "unknown option '--%s'; did you mean '--%s'?", name, nearest);
	return diag_error_set(err, DIAG_E_INVALID, "unknown option '--%s'; see %s --help", name,
			      tool->name);
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
	return unknown(tool, name, err);
}

/* -A, -n NS, -nNS, -vA */
static int short_options(const struct diag_tool *tool, const char *letters, struct args *args,
			 void *store, struct diag_error *err)
{
	for (; *letters; letters++) {
		const struct diag_opt *opt = tool->options;
		int r;

		while (opt->name && opt->letter != *letters)
			opt++;
		if (!opt->name)
			return diag_error_set(err, DIAG_E_INVALID,
					      "unknown option '-%c'; see %s --help", *letters,
					      tool->name);
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
	struct args args = { argc, argv, 1 };
	bool ended = false;
	int r = DIAG_OK;

	while (r == 0 && args.next < argc) {
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
