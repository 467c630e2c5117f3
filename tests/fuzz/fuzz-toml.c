/* TOML with positions: no input crashes or runs away. */
#include <stdint.h>

#include "text/toml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	diag_positions_auto struct diag_positions *positions = diag_positions_new();
	json_t *root = NULL;

	if (diag_toml_load((const char *)data, size, positions, "f", &root, NULL) == 0)
		json_decref(root);
	return 0;
}
