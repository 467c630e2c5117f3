#include "tests/support/namespace.h"

#include <stdarg.h>

#include "base/buf.h"
#include "base/limits.h"

#include "tests/support/unit.h"

void test_namespace_init(struct test_namespace *ns)
{
	*ns = (struct test_namespace){ json_array(), json_array(), json_array(), json_array(),
				       NULL };
}

void test_namespace_done(struct test_namespace *ns)
{
	bindery_prediction_free(ns->prediction);
	json_decref(ns->worlds);
	json_decref(ns->booklets);
	json_decref(ns->manifests);
	json_decref(ns->realms);
}

void test_add(json_t *array, const char *format, ...)
{
	struct diag_buf text diag_buf_auto = { 0 };
	json_error_t error;
	json_t *value;
	va_list args;

	diag_buf_init(&text, DIAG_MAX_FILE_BYTES);
	va_start(args, format);
	diag_buf_vprintf(&text, format, args);
	va_end(args);
	for (char *p = text.data; *p; p++)
		if (*p == '\'')
			*p = '"';
	value = json_loads(text.data, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
	if (!value)
		fail_msg("%s: %s", text.data, error.text);
	json_array_append_new(array, value);
}

void test_add_world(struct test_namespace *ns, const char *name, const char *booklet)
{
	test_add(ns->worlds,
		 "{'metadata':{'name':'%s'},'spec':{'gameRef':{'name':'%s'},'shardCount':1}}", name,
		 booklet);
}

void test_add_booklet(struct test_namespace *ns, const char *name, const char *modules,
		      const char *colocation)
{
	test_add(ns->booklets,
		 "{'metadata':{'name':'%s'},'spec':{'modules':[%s],'colocation':[%s]}}", name,
		 modules, colocation);
}

void test_add_module(struct test_namespace *ns, const char *name, const char *provides,
		     const char *requires, const char *annotations)
{
	test_add(
		ns->manifests,
		"{'metadata':{'name':'%s','annotations':{%s}},'spec':{'module':{'id':'%s','version':"
		"'0.9.0'},'runtime':{'image':'x:1','port':8080},'provides':[%s],'requires':[%s],"
		"'scaling':{'defaultScope':'world'}}}",
		name, annotations, name, provides, requires);
}

struct bindery_prediction *test_predict(struct test_namespace *ns)
{
	struct bindery_input input = { "game",        ns->worlds, ns->booklets,
				       ns->manifests, ns->realms, 0 };

	bindery_prediction_free(ns->prediction);
	ns->prediction = bindery_predict(&input);
	return ns->prediction;
}

const struct bindery_workload *test_workload(const struct test_namespace *ns, const char *name)
{
	const struct bindery_workload *workload = bindery_prediction_workload(ns->prediction, name);

	if (!workload)
		fail_msg("no workload %s", name);
	return workload;
}
