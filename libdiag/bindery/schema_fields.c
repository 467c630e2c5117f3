/* Section 1.1 of the platform's reference, a field a row. */
#include "base/macros.h"
#include "base/str.h"
#include "bindery/schema.h"

#define REQUIRED  BINDERY_FIELD_REQUIRED
#define OPEN      BINDERY_FIELD_OPEN
#define UNREAD    BINDERY_FIELD_UNREAD
#define UNBOUNDED BINDERY_FIELD_UNBOUNDED

#define VERSION    BINDERY_PATTERN_VERSION
#define CAPABILITY BINDERY_PATTERN_CAPABILITY

#define SCOPES      "cluster region realm world world-shard session"
#define OLD_SCOPES  "cluster region world world-shard session" /* without realm */
#define MULTIPLE    "1 many"
#define HARDNESS    "hard soft"
#define DETERMINISM "required best-effort none"

/* clang-format off */
static const struct bindery_field booklet[] = {
	{ "spec", "object", REQUIRED },
	{ "spec.gameId", "string", REQUIRED, .least = 1 },
	{ "spec.version", "string", REQUIRED, .pattern = VERSION },
	{ "spec.description", "string" },
	{ "spec.modules", "array", REQUIRED, .least = 1 },
	{ "spec.modules[].name", "string", REQUIRED, .least = 1 },
	{ "spec.modules[].required", "boolean" },
	{ "spec.modules[].desiredScope", "string", UNREAD, .values = OLD_SCOPES },
	{ "spec.modules[].parameters", "object", UNREAD },
	{ "spec.modules[].parameters{}", "string" },
	{ "spec.colocation[].name", "string", REQUIRED },
	{ "spec.colocation[].modules", "array", REQUIRED },
	{ "spec.colocation[].modules[]", "string" },
	{ "spec.colocation[].strategy", "string", REQUIRED, .values = "Node Pod" },
	{ "spec.defaults", "object", UNREAD },
	{ "spec.defaults.region", "string" },
	{ "spec.defaults.shardCount", "integer", .least = 1 },
	{ "spec.defaults.tickRateHz", "number" },
	{ 0 },
};

static const struct bindery_field module_manifest[] = {
	{ "spec", "object", REQUIRED },
	{ "spec.module", "object", REQUIRED },
	{ "spec.module.id", "string", REQUIRED, .least = 1 },
	{ "spec.module.version", "string", REQUIRED, .pattern = VERSION },
	{ "spec.module.description", "string" },
	{ "spec.module.owners[]", "string" },
	{ "spec.module.repo", "string" },
	{ "spec.module.license", "string" },
	{ "spec.runtime.image", "string", .least = 1 },
	{ "spec.runtime.port", "integer", .least = 1, .most = 65535 },
	{ "spec.runtime.command[]", "string" },
	{ "spec.runtime.args[]", "string" },
	{ "spec.runtime.env{}", "string" },
	{ "spec.runtime.terminationGracePeriodSeconds", "integer" },
	{ "spec.runtime.preStopCommand", "string" },
	{ "spec.provides", "array", REQUIRED },
	{ "spec.provides[].capabilityId", "string", REQUIRED, .pattern = CAPABILITY },
	{ "spec.provides[].version", "string", REQUIRED, .pattern = VERSION },
	{ "spec.provides[].scope", "string", REQUIRED, .values = SCOPES },
	{ "spec.provides[].multiplicity", "string", REQUIRED, .values = MULTIPLE },
	{ "spec.provides[].features", "object", UNREAD },
	{ "spec.provides[].features.supported[]", "string" },
	{ "spec.provides[].nfr", "object", UNREAD },
	{ "spec.provides[].nfr.latency.p95Ms.value", "number", REQUIRED },
	{ "spec.provides[].nfr.latency.p95Ms.constraint", "string", REQUIRED, .values = HARDNESS },
	{ "spec.provides[].nfr.tickRateHz.value", "number", REQUIRED },
	{ "spec.provides[].nfr.tickRateHz.constraint", "string", REQUIRED, .values = HARDNESS },
	{ "spec.provides[].nfr.determinism.value", "string", REQUIRED, .values = DETERMINISM },
	{ "spec.provides[].nfr.determinism.constraint", "string", REQUIRED, .values = HARDNESS },
	{ "spec.provides[].interfaces", "object", UNREAD },
	{ "spec.provides[].interfaces.grpc[].package", "string", REQUIRED },
	{ "spec.provides[].interfaces.grpc[].service", "string", REQUIRED },
	{ "spec.provides[].interfaces.grpc[].protoRef", "string", REQUIRED },
	{ "spec.provides[].interfaces.grpc[].methods[]", "object", OPEN },
	{ "spec.provides[].interfaces.events[].name", "string", REQUIRED },
	{ "spec.provides[].interfaces.events[].direction", "string", REQUIRED, .values = "publish subscribe both" },
	{ "spec.provides[].interfaces.events[].schema", "object", REQUIRED },
	{ "spec.provides[].interfaces.events[].schema.id", "string", REQUIRED },
	{ "spec.provides[].interfaces.events[].schema.version", "string", REQUIRED, .pattern = VERSION },
	{ "spec.provides[].interfaces.events[].schema.format", "string", REQUIRED, .values = "protobuf json avro" },
	{ "spec.provides[].interfaces.events[].schema.schemaRef", "string", REQUIRED },
	{ "spec.provides[].interfaces.events[].orderingKey", "string" },
	{ "spec.requires", "array", REQUIRED },
	{ "spec.requires[].capabilityId", "string", REQUIRED, .pattern = CAPABILITY },
	{ "spec.requires[].versionConstraint", "string", REQUIRED, .least = 1 },
	{ "spec.requires[].scope", "string", REQUIRED, .values = SCOPES },
	{ "spec.requires[].multiplicity", "string", REQUIRED, .values = MULTIPLE },
	{ "spec.requires[].dependencyMode", "string", REQUIRED, .values = "required optional" },
	{ "spec.requires[].features", "object", UNREAD },
	{ "spec.requires[].features.required[]", "string" },
	{ "spec.requires[].features.preferred[]", "string" },
	{ "spec.requires[].nfr", "object", UNREAD },
	{ "spec.requires[].nfr.latency.p95Ms.value", "number", REQUIRED },
	{ "spec.requires[].nfr.latency.p95Ms.constraint", "string", REQUIRED, .values = HARDNESS },
	{ "spec.requires[].nfr.tickRateHz.value", "number", REQUIRED },
	{ "spec.requires[].nfr.tickRateHz.constraint", "string", REQUIRED, .values = HARDNESS },
	{ "spec.scaling", "object", REQUIRED },
	{ "spec.scaling.defaultScope", "string", REQUIRED, .values = SCOPES },
	{ "spec.scaling.statefulness", "string", REQUIRED, .values = "stateless stateful" },
	{ "spec.scaling.sharding", "object", UNREAD },
	{ "spec.scaling.sharding.strategy", "string", .values = "none world world-shard session custom" },
	{ "spec.scaling.sharding.key", "string" },
	{ "spec.scaling.autoscaling", "object", UNREAD },
	{ "spec.scaling.autoscaling.minReplicas", "integer" },
	{ "spec.scaling.autoscaling.maxReplicas", "integer" },
	{ "spec.scaling.autoscaling.metricHints[].type", "string", REQUIRED, .values = "cpu memory rps tick-lag custom" },
	{ "spec.scaling.autoscaling.metricHints[].target", "string", REQUIRED },
	{ "spec.scheduling", "object", OPEN },
	{ 0 },
};

/* spec.region is read by nobody either, but must be there. */
static const struct bindery_field world_instance[] = {
	{ "spec", "object", REQUIRED },
	{ "spec.gameRef", "object", REQUIRED },
	{ "spec.gameRef.name", "string", REQUIRED, .least = 1 },
	{ "spec.realmRef.name", "string", .least = 1 },
	{ "spec.worldId", "string", REQUIRED, .least = 1 },
	{ "spec.region", "string", REQUIRED, .least = 1 },
	{ "spec.shardCount", "integer", REQUIRED, .least = 1 },
	{ "spec.desiredState", "string", .values = "Running Stopped" },
	{ "spec.parameters", "object", UNREAD },
	{ "spec.parameters{}", "string" },
	{ 0 },
};

static const struct bindery_field realm[] = {
	{ "spec.modules[].name", "string", REQUIRED },
	{ "spec.modules[].version", "string", UNREAD },
	{ 0 },
};

static const struct bindery_field world_storage_claim[] = {
	{ "spec", "object", REQUIRED },
	{ "spec.scope", "string", REQUIRED, .values = "world world-shard" },
	{ "spec.tier", "string", REQUIRED, .values = "server-low-latency server-high-latency client-low-latency" },
	{ "spec.worldRef", "object", REQUIRED },
	{ "spec.worldRef.name", "string", REQUIRED, .least = 1 },
	{ "spec.size", "string", REQUIRED, .least = 2 },
	{ "spec.shardRef.name", "string", REQUIRED, .least = 1 },
	{ "spec.accessModes[]", "string" },
	{ "spec.storageClassName", "string" },
	{ 0 },
};

static const struct bindery_field capability_definition[] = {
	{ "spec", "object", REQUIRED },
	{ "spec.capabilityId", "string", REQUIRED, .pattern = CAPABILITY },
	{ "spec.latestVersion", "string", REQUIRED, .pattern = VERSION },
	{ "spec.scopes", "array", REQUIRED, .least = 1 },
	{ "spec.scopes[]", "string", .values = OLD_SCOPES },
	{ "spec.multiplicity", "string", REQUIRED, .values = MULTIPLE },
	{ "spec.versions[]", "string", .pattern = VERSION },
	{ "spec.features.defined[].name", "string", REQUIRED, .least = 1 },
	{ "spec.features.defined[].description", "string" },
	{ "spec.features.defined[].stability", "string", REQUIRED, .values = "experimental stable deprecated" },
	{ "spec.contractRef", "object", OPEN },
	{ "spec.nfrDefaults", "object", OPEN },
	{ 0 },
};

static const struct bindery_field shard_autoscaler[] = {
	{ "spec.worldRef.name", "string" },
	{ "spec.minShards", "integer", UNBOUNDED },
	{ "spec.maxShards", "integer", UNBOUNDED },
	{ "spec.metrics[].type", "string" },
	{ "spec.metrics[].resource.name", "string" },
	{ "spec.metrics[].resource.targetAverageUtilization", "integer", UNBOUNDED },
	{ 0 },
};
/* clang-format on */

static const struct {
	const char *kind;
	const struct bindery_field *fields;
} tables[] = {
	{ "Booklet", booklet },
	{ "ModuleManifest", module_manifest },
	{ "WorldInstance", world_instance },
	{ "Realm", realm },
	{ "WorldStorageClaim", world_storage_claim },
	{ "CapabilityDefinition", capability_definition },
	{ "ShardAutoscaler", shard_autoscaler },
};

const char *const bindery_kinds[] = {
	"Booklet",           "ModuleManifest",
	"WorldInstance",     "WorldShard",
	"CapabilityBinding", "Realm",
	"WorldStorageClaim", "CapabilityDefinition",
	"ShardAutoscaler",   NULL,
};

const struct bindery_field *bindery_fields(const char *kind)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(tables); i++)
		if (diag_str_eq(kind, tables[i].kind))
			return tables[i].fields;
	return NULL;
}
