/* Every reader's ceilings, in one place. Tests lower them through the options of the reader. */
#pragma once

#include <stddef.h>

#define DIAG_MIB ((size_t)1024 * 1024)

#define DIAG_MAX_DEPTH           512               /* nesting of JSON and YAML we walk */
#define DIAG_MAX_YAML_ALIASES    1000              /* alias uses in one document */
#define DIAG_MAX_YAML_NODES      ((size_t)2000000) /* nodes of one file after alias expansion */
#define DIAG_MAX_FILE_BYTES      (256 * DIAG_MIB)  /* one manifest file or stdin */
#define DIAG_MAX_FILES           ((size_t)20000)   /* files below one -f folder */
#define DIAG_MAX_ARCHIVE_ENTRIES ((size_t)200000)
#define DIAG_MAX_ENTRY_BYTES     (256 * DIAG_MIB)  /* one archive entry, expanded */
#define DIAG_MAX_ARCHIVE_BYTES   (4096 * DIAG_MIB) /* all entries, expanded */
#define DIAG_MAX_EXPANSION       1000 /* expanded bytes per compressed byte, once over a floor */
#define DIAG_EXPANSION_FLOOR     (16 * DIAG_MIB) /* below this no ratio is computed */
#define DIAG_MAX_LOG_BYTES       (1 * DIAG_MIB)  /* tail of one container log kept in a snapshot */
#define DIAG_MAX_MESSAGE         ((size_t)64 * 1024) /* one message, one command line */
#define DIAG_MAX_REPORT          (512 * DIAG_MIB)
#define DIAG_MAX_RELATED         6 /* related objects of a finding (the JSON contract) */

#define DIAG_MAX_CONFIG_BYTES     (8 * DIAG_MIB) /* our configuration, a baseline */
#define DIAG_MAX_TOML_BYTES (1 * DIAG_MIB) /* one TOML file */
#define DIAG_MAX_KUBECONFIG_BYTES (8 * DIAG_MIB) /* a kubeconfig, a certificate, a token */
