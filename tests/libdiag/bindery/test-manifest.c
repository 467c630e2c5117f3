/* What the operator reads of a ModuleManifest: spec first, then annotations, trimmed. */
#include "base/arena.h"
#include "bindery/manifest.h"

#include "tests/support/namespace.h"
#include "tests/support/unit.h"

static json_t *manifest(const char *runtime, const char *annotations)
{
	json_auto_t *list = json_array();

	test_add(list, "{'metadata':{'annotations':{%s}},'spec':{'runtime':{%s}}}", annotations,
		 runtime);
	return json_incref(json_array_get(list, 0));
}

TEST(images)
{
	static const struct {
		const char *runtime, *annotations, *image;
	} rows[] = {
		{ "'image':'a:1'", "'bindery.dev/runtime-image':'b:1'", "a:1" },
		{ "'image':''", "'bindery.dev/runtime-image':'b:1'", "b:1" },
		{ "'image':'  '", "'bindery.dev/runtime-image':'b:1'", "b:1" },
		{ "'image':7", "", NULL },
		{ "", "'bindery.dev/runtime-image':' '", NULL },
		{ "", "", NULL },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		json_auto_t *object = manifest(rows[i].runtime, rows[i].annotations);
		const char *image = bindery_manifest_image(object);

		if (rows[i].image)
			assert_string_equal(image, rows[i].image);
		else
			assert_null(image);
	}
	assert_null(bindery_manifest_image(NULL));
}

TEST(ports)
{
	static const struct {
		const char *runtime, *annotation;
		int port;
	} rows[] = {
		{ "'port':80", "81", 80 },
		{ "'port':0", "81", 81 },
		{ "'port':65536", "", 50051 },
		{ "'port':65535", "", 65535 },
		{ "'port':'80'", " 8081 ", 8081 },
		{ "", "+82", 82 },
		{ "", "0x50", 50051 },
		{ "", "80 81", 50051 },
		{ "", "0", 50051 },
		{ "", "-1", 50051 },
		{ "", "65536", 50051 },
		{ "", "99999999999999999999", 50051 },
		{ "", "", 50051 },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		char annotation[64];
		json_auto_t *object = NULL;

		snprintf(annotation, sizeof(annotation), "'bindery.dev/runtime-port':'%s'",
			 rows[i].annotation);
		object = manifest(rows[i].runtime, annotation);
		assert_int_equal(bindery_manifest_port(object), rows[i].port);
	}
}

TEST(termination)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	json_auto_t *spec = manifest("'terminationGracePeriodSeconds':0,'preStopCommand':' sync '",
				     "'bindery.dev/termination-grace-period':'9'");
	json_auto_t *annotated = manifest("", "'bindery.dev/termination-grace-period':' 45 ',"
					      "'bindery.dev/pre-stop-command':' stop now '");
	json_auto_t *neither = manifest("", "'bindery.dev/termination-grace-period':'5s'");

	assert_int_equal(bindery_manifest_grace(spec), 0);
	assert_string_equal(bindery_manifest_pre_stop(arena, spec), "sync");
	assert_int_equal(bindery_manifest_grace(annotated), 45);
	assert_string_equal(bindery_manifest_pre_stop(arena, annotated), "stop now");
	assert_int_equal(bindery_manifest_grace(neither), -1);
	assert_null(bindery_manifest_pre_stop(arena, neither));
}

TEST(annotations)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	json_auto_t *object = manifest("", "'bindery.dev/storage-tier':'\\tserver-low-latency '");

	assert_string_equal(bindery_manifest_annotation(object, "storage-tier"),
			    "\tserver-low-latency ");
	assert_string_equal(bindery_manifest_trimmed(arena, object, "storage-tier"),
			    "server-low-latency");
	assert_null(bindery_manifest_trimmed(arena, object, "storage-size"));
}

RUN_TESTS("manifest", T(images), T(ports), T(termination), T(annotations))
