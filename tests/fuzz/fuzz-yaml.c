/* YAML with positions: no input crashes or runs away. */
#include <stdint.h>

#include "text/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	diag_positions_auto struct diag_positions *positions = diag_positions_new();
	json_t *documents = NULL;

	if (diag_yaml_load((const char *)data, size, positions, "f", 1, &documents, NULL) == 0)
		json_decref(documents);
	return 0;
}
