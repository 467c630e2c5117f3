/* Without libFuzzer a target replays its seeds: every file named on the command line. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");
		static uint8_t data[1 << 20];
		size_t size;

		if (!file)
			return 2;
		size = fread(data, 1, sizeof(data), file);
		fclose(file);
		LLVMFuzzerTestOneInput(data, size);
	}
	printf("%d seeds replayed\n", argc - 1);
	return argc > 1 ? 0 : 2;
}
