/*
 * One option table a tool. Parsing, --help, man page and completion all come from it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/exit.h"

enum diag_opt_type {
	DIAG_OPT_FLAG,     /* bool: set to true */
	DIAG_OPT_STRING,   /* const char * */
	DIAG_OPT_LIST,     /* struct diag_opt_list: may be repeated, or separated by commas */
	DIAG_OPT_PATHS,    /* struct diag_opt_list: may be repeated; commas are part of the value */
	DIAG_OPT_INTEGER,  /* int64_t */
	DIAG_OPT_DURATION, /* int64_t, milliseconds */
	DIAG_OPT_TIME,     /* int64_t, milliseconds since the epoch, from RFC 3339 */
	DIAG_OPT_ENUM,     /* int: index into `names` */
	DIAG_OPT_STOP, /* bool: set to true, and what follows is not looked at: --help, --version */
};

/* What completion may offer for a value. */
enum diag_opt_values {
	DIAG_VALUES_NONE,
	DIAG_VALUES_FILE,
	DIAG_VALUES_NAMESPACE,
	DIAG_VALUES_CHECK,
	DIAG_VALUES_FORMAT,
	DIAG_VALUES_WORLD,
	DIAG_VALUES_DIR,
	DIAG_VALUES_CONTEXT,
};

struct diag_opt_list {
	const char *
		*items; /* NULL-terminated once non-empty; strings borrowed or owned by `owned` */
	size_t count;
	char **owned;
	size_t owned_count;
};

struct diag_opt {
	char letter;       /* 'n', or 0 */
	const char *name;  /* "namespace" */
	const char *value; /* "NS"; NULL for flags */
	const char *help;  /* one sentence, lower case, no full stop */
	const char *group; /* heading in --help; options of one group stand together */
	enum diag_opt_type type;
	size_t offset;            /* of the storage in the tool's option struct */
	const char *const *names; /* of an enum, NULL-terminated */
	int64_t min, max;         /* of an integer or a duration (ms); both 0: no bounds */
	enum diag_opt_values values;
	bool negatable; /* a flag that --no-NAME sets to false */
	bool hidden;    /* works, but is not shown: for completion, or kept for old scripts */
};

struct diag_example {
	const char *command;
	const char *help;
};

/* A tool as its user sees it. */
struct diag_tool {
	const char *name;
	const char *summary;                 /* what it does, one sentence without full stop */
	const char *operands;                /* "[WORLD...]", or NULL */
	const char *about;                   /* a short paragraph */
	const struct diag_opt *options;      /* ends with a NULL name */
	const struct diag_example *examples; /* ends with a NULL command */
	const char *const *usage; /* synopsis lines after the name, NULL-terminated; NULL: one of
				   * options and operands */
	const struct diag_exit_meaning *exits; /* NULL: diag_exit_meanings */
	const char *manual;                    /* "bindery-check(1)", or NULL: the docs folder */
};

/**
 * Parse a command line. Options and operands may be mixed; "--" ends the options; --name=value,
 * --name value, -n value and -nvalue are the same; names are never abbreviated, so that an option
 * added later breaks no script. Of an option given twice the last counts. "-" is an operand.
 *
 * @store        the tool's option struct, defaults filled in
 * @ret_operands operands in order, freed with diag_opt_list_done()
 *
 * Returns DIAG_OK, or INVALID with a message that names the option and, for a misspelt one, the
 * nearest.
 */
int diag_opt_parse(const struct diag_tool *tool, int argc, char **argv, void *store,
		   struct diag_opt_list *ret_operands, struct diag_error *err);

/** Free what parsing allocated in every list of the struct. */
void diag_opt_done(const struct diag_tool *tool, void *store);
void diag_opt_list_done(struct diag_opt_list *list);

/**
 * The options in the order of --help: group by group as the groups first appear, hidden ones too.
 * For whatever is made from the table: help, man pages, completion.
 *
 * @before the option before, or NULL for the first
 *
 * Returns NULL after the last.
 */
const struct diag_opt *diag_opt_next(const struct diag_tool *tool, const struct diag_opt *before);

/** The text of --help: examples first, options by group, exit status, 80 columns. */
void diag_opt_help(const struct diag_tool *tool, struct diag_buf *out);
