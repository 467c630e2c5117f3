/*
 * What the parts of the redaction engine share:
 *   redact.c         the engine: tokens, spans, the masked copy
 *   redact_kind.c    where each kind of object can hold a secret
 *   redact_object.c  the places themselves: variables, settings, arguments, annotations
 *   redact_table.c   the table of patterns
 *   redact_scan.c    the pass over a text for their literals
 *   redact_pairs.c   name and value: key=value, "key": "value", --flag value
 *   redact_name.c    is this name a credential
 *   redact_judge.c   is this value a secret
 *   redact_values.c  the hunt for learnt values
 *   redact_encode.c  the forms in which a value may occur
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "text/redact.h"
#include "text/regex.h"

/* A piece of borrowed text. */
struct slice {
	const char *text;
	size_t length;
};

/* --- redact_name.c, redact_judge.c --- */

/* How much a name tells about its value, from nothing to everything. */
enum name_class {
	NAME_PLAIN,
	NAME_LONG,     /* key, session, signature: secret only if long and random */
	NAME_AUTH,     /* auth, cookie: secret if it looks random at all */
	NAME_TOKEN,    /* token, secret, api key: secret unless it is prose, a count, a switch */
	NAME_PASSWORD, /* secret, however plain it looks */
};

struct name_verdict {
	enum name_class class;
	bool last; /* the credential word ends the name: DB_PASSWORD, not PASSWORD_SALT */
};

/**
 * Judge the name of a variable, key or flag by its words (split at _ . - and case).
 *
 * A later word such as file, name, ref, url or ttl makes it plain: the value is about a credential,
 * not one. BINDERY_CAPABILITY_* and BINDERY_UDS_* are written by the operator and always plain.
 */
struct name_verdict diag_redact_judge_name(const char *name, size_t length);

/* How a value stood beside its name. */
enum value_style {
	VALUE_QUOTED,  /* "key": "value", key='value' */
	VALUE_EQUALS,  /* key=value, --key value */
	VALUE_COLON,   /* key: value inside a line, perhaps prose */
	VALUE_LEADING, /* key: value as the first thing on its line, as in YAML */
};

/** Whether a value beside a name of this verdict must be masked. */
bool diag_redact_judge_value(struct name_verdict name, enum value_style style, struct slice value);

/** Begins with a mask, ours or another tool's. */
bool diag_redact_is_masked(struct slice value);

/** Values that are no secret whatever their name says: empty, masks, placeholders, switches, paths.
 */
bool diag_redact_is_exempt(struct slice value);

/** Letters and punctuation only, in one case: a word or a phrase. */
bool diag_redact_is_wordy(struct slice value);

/** At least `minimum` bytes of one alphabet that read as random: digits among letters, or mixed
 * case. */
bool diag_redact_is_random(struct slice value, size_t minimum);

/** Part of a mask, whatever its number, or of a withheld line: hunting it would find our own
 * output. */
bool diag_redact_is_own(struct slice form);

/** Worth hunting everywhere: long enough, no number, no common word. */
bool diag_redact_is_learnable(struct slice value);

/** White space at both ends taken off. */
struct slice diag_redact_trim(struct slice value);

/* --- redact_encode.c --- */

/** Call `each` for every form in which the value may occur, itself first; some may be equal. */
void diag_redact_encode(struct slice value, void (*each)(struct slice form, void *arg), void *arg);

/** Resolve %41 (URL) escapes; appended to `ret`. Returns whether there were any. */
bool diag_redact_url_decode(struct slice text, struct diag_buf *ret);

/* --- redact_values.c --- */

struct values;

struct values *diag_redact_values_new(void);
void diag_redact_values_free(struct values *values);

/** Hunt a value in all its forms. Returns false when it was known or memory for more is used up. */
bool diag_redact_values_add(struct values *values, struct slice value, uint64_t key);

struct value_hit {
	size_t start;
	size_t end;
	uint64_t key; /* of the plain value */
};

/** The leftmost, then longest, occurrence of any form at or after `from`; false when there is none.
 */
bool diag_redact_values_find(const struct values *values, struct slice text, size_t from,
			     struct value_hit *ret_hit);

size_t diag_redact_values_count(const struct values *values);
size_t diag_redact_values_longest(const struct values *values);

/* --- redact_table.c --- */

enum { DIAG_REDACT_MAX_LITERALS = 9 };

/* Where an expression is tried. */
enum place {
	AT_START, /* of the literal */
	AT_END,
	AT_WORD, /* start of the run without blanks and quotes that the literal stands in */
};

struct pattern {
	const char *id;
	const char *literals[DIAG_REDACT_MAX_LITERALS];
	bool exact; /* case of the literals and of the expression matters */
	enum place place;
	const char *regex;
	unsigned group;                       /* the secret; 0: all of it */
	bool (*accepts)(struct slice secret); /* NULL: always */
	bool url;                             /* the secret is escaped as in a URL */
	char near; /* unless 0: must stand within a short way after the literal */
};

/** The patterns; `*ret_count` of them. */
const struct pattern *diag_redact_table(size_t *ret_count);

/* --- redact_scan.c --- */

struct patterns;

/* What the scan found; the engine decides what becomes of it. */
enum find_kind {
	FIND_SECRET,
	FIND_GAVE_UP, /* at this place: the line must go */
	FIND_MASK,    /* a mask of an earlier pass; `number` is its number or 0 */
};

struct find {
	enum find_kind kind;
	size_t start;
	size_t end;
	unsigned number;
	bool url; /* the value is escaped as in a URL */
};

struct find_sink {
	void (*found)(const struct find *find, void *arg);
	void *arg;
};

struct patterns *diag_redact_patterns_new(void);
void diag_redact_patterns_free(struct patterns *patterns);

/** Add a pattern of the user's; see diag_redact_add_pattern(). */
int diag_redact_patterns_add(struct patterns *patterns, const char *pattern,
			     struct diag_error *err);

/** Report what the patterns find in a text, in any order. */
void diag_redact_patterns_scan(struct patterns *patterns, struct slice text, struct find_sink sink);

/** Compile every pattern of the table and set the steps each may take; for tests. */
int diag_redact_patterns_set_steps(struct patterns *patterns, uint32_t steps,
				   struct diag_error *err);

/* --- redact_pairs.c --- */

enum pair_pattern {
	PAIR_BLOCK,
	PAIR_QUOTED,
	PAIR_PLAIN,
	PAIR_FLAG,
	PAIR_XML,
	PAIR_URL,
	PAIR_COUNT
};

/** The expression for a way to write a value after its name; matched at the end of the name. */
const char *diag_redact_pair_pattern(enum pair_pattern which);

/** Try one of these expressions at a place. */
typedef enum diag_regex_result (*pair_match_fn)(void *arg, enum pair_pattern which, size_t at,
						const struct diag_regex **ret_regex);

/**
 * Look for a name and its value around a word that hints at a credential.
 *
 * @at         where the word stands
 * @floor      nothing before this place may be used
 * @match, arg how to match the expressions
 * @ret_end    end of the name, so that it is tried only once
 *
 * Returns DIAG_REGEX_MATCH with the value in `ret_value`, NO_MATCH or GAVE_UP.
 */
enum diag_regex_result diag_redact_pair_at(struct slice text, size_t at, size_t floor,
					   pair_match_fn match, void *arg, size_t *ret_end,
					   struct find *ret_value);

/* --- redact.c --- */

/** Identity of a value; equal values get equal tokens. */
uint64_t diag_redact_key(struct slice value);

/** Append the token of a value, numbering it when it is new. */
void diag_redact_put_token(struct diag_redact *redact, struct slice value, struct diag_buf *ret);

/**
 * As diag_redact_text(); with `learn` the values found by patterns are hunted from then on, in this
 * text too.
 */
bool diag_redact_apply(struct diag_redact *redact, struct slice text, bool learn,
		       struct diag_buf *ret);

/** Hunt a value that stood beside a telling name or pattern; plain words are left out. */
void diag_redact_learn_found(struct diag_redact *redact, struct slice value);

/** Learn what the patterns find in a text that is itself secret. */
void diag_redact_learn_within(struct diag_redact *redact, struct slice text);

/** The patterns of an engine, for tests. */
struct patterns *diag_redact_patterns_of(struct diag_redact *redact);

/* --- redact_object.c, redact_kind.c --- */

/* One walk over one object. */
struct walk {
	struct diag_redact *redact;
	unsigned depth;
	bool learn; /* values found here are hunted elsewhere: settings yes, messages no */
};

/** The text of a JSON string; empty for anything else. */
struct slice diag_redact_text_of(const json_t *value);

/** Text that may contain a secret among other things, in place. */
void diag_redact_string(struct walk *walk, json_t *value);

/** A variable of a container, in place. */
void diag_redact_variable(struct walk *walk, const char *name, json_t *value);

/** Everything below a value, in place; `name` is the key it stands under, or NULL. */
void diag_redact_any(struct walk *walk, const char *name, json_t *value);

/** The containers of a pod. */
void diag_redact_pod_spec(struct walk *walk, const json_t *spec);

/** The annotations; `secret`: those of a Secret. */
void diag_redact_annotations(struct walk *walk, const json_t *metadata, bool secret);

/** An object, whatever its kind. */
void diag_redact_one(struct walk *walk, json_t *object);
