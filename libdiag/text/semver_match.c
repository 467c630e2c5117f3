/* What a comparator means: operators by how much of its version is open (docs/internals/semver.md).
 */
#include <string.h>

#include "text/semver_internal.h"

static bool same_minor(const struct diag_semver *v, const struct diag_semver *b)
{
	return v->major == b->major && v->minor == b->minor;
}

static bool not_equal(const struct comparator *c, const struct diag_semver *v)
{
	const struct diag_semver *b = &c->base;

	switch (c->open) {
	case FULL:
	case ANY:
		return diag_semver_compare(v, b) != 0;
	case MINOR_OPEN:
		return v->major != b->major;
	case PATCH_OPEN:
		if (!same_minor(v, b))
			return true;
		return (*v->pre || *b->pre) && strcmp(v->pre, b->pre) != 0;
	}
	DIAG_UNREACHABLE();
}

static bool greater(const struct comparator *c, const struct diag_semver *v)
{
	const struct diag_semver *b = &c->base;

	switch (c->open) {
	case FULL:
	case ANY:
		return diag_semver_compare(v, b) > 0;
	case PATCH_OPEN:
		return v->major > b->major || (v->major == b->major && v->minor > b->minor);
	case MINOR_OPEN:
		return v->major > b->major;
	}
	DIAG_UNREACHABLE();
}

static bool at_most(const struct comparator *c, const struct diag_semver *v)
{
	const struct diag_semver *b = &c->base;

	switch (c->open) {
	case FULL:
		return diag_semver_compare(v, b) <= 0;
	case PATCH_OPEN:
	case ANY: /* the base is 0.0.0: only 0.0.z */
		return v->major < b->major || (v->major == b->major && v->minor <= b->minor);
	case MINOR_OPEN:
		return v->major <= b->major;
	}
	DIAG_UNREACHABLE();
}

static bool tilde(const struct comparator *c, const struct diag_semver *v)
{
	const struct diag_semver *b = &c->base;

	if (diag_semver_compare(v, b) < 0)
		return false;
	if (c->open == ANY)
		return true;
	/* ~0.0.0 accepts everything from there on. */
	if (c->open == FULL && !b->major && !b->minor && !b->patch)
		return true;
	if (c->open == MINOR_OPEN)
		return v->major == b->major;
	return same_minor(v, b);
}

static bool caret(const struct comparator *c, const struct diag_semver *v)
{
	const struct diag_semver *b = &c->base;

	if (diag_semver_compare(v, b) < 0 || v->major != b->major)
		return false;
	if (b->major > 0 || c->open == MINOR_OPEN)
		return true;
	if (v->minor != b->minor)
		return false;
	if (b->minor > 0 || c->open == PATCH_OPEN)
		return true;
	return v->patch == b->patch;
}

/* A prerelease passes a comparator only when that comparator has one, `!=` with a full version
 * aside. */
static bool gate(const struct comparator *c, const struct diag_semver *v)
{
	return !*v->pre || *c->base.pre || (c->op == CMP_NE && c->open == FULL);
}

bool diag_comparator_holds(const struct comparator *c, const struct diag_semver *v)
{
	if (!gate(c, v))
		return false;
	switch (c->op) {
	case CMP_EQ:
		return c->open == FULL ? diag_semver_compare(v, &c->base) == 0 : tilde(c, v);
	case CMP_NE:
		return not_equal(c, v);
	case CMP_GT:
		return greater(c, v);
	case CMP_LT:
		return diag_semver_compare(v, &c->base) < 0;
	case CMP_GE:
		return diag_semver_compare(v, &c->base) >= 0;
	case CMP_LE:
		return at_most(c, v);
	case CMP_TILDE:
		return tilde(c, v);
	case CMP_CARET:
		return caret(c, v);
	}
	DIAG_UNREACHABLE();
}

bool diag_constraint_holds(const struct diag_constraint *constraint,
			   const struct diag_semver *version)
{
	for (size_t i = 0; i < constraint->count; i++) {
		const struct alternative *alternative = &constraint->items[i];
		bool holds = true;

		for (size_t j = 0; holds && j < alternative->count; j++)
			holds = diag_comparator_holds(&alternative->items[j], version);
		if (holds)
			return true;
	}
	return false;
}

bool diag_constraint_fails_on_prerelease(const struct diag_constraint *constraint,
					 const struct diag_semver *version)
{
	static char none[] = "";
	struct diag_semver release = *version;

	release.pre = none;
	return *version->pre && !diag_constraint_holds(constraint, version) &&
	       diag_constraint_holds(constraint, &release);
}
