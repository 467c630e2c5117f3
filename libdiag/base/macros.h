/* Small macros that every file may use. */
#pragma once

#include <stddef.h>

#define DIAG_UNUSED            __attribute__((unused))
#define DIAG_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define DIAG_NORETURN          __attribute__((noreturn))
#define DIAG_MUST_CHECK        __attribute__((warn_unused_result))
#define DIAG_ARRAY_SIZE(a)     (sizeof(a) / sizeof((a)[0]))
#define DIAG_UNREACHABLE()     __builtin_unreachable()
#define DIAG_MIN(a, b)         ((a) < (b) ? (a) : (b))
#define DIAG_MAX(a, b)         ((a) > (b) ? (a) : (b))

/* Give a guarded pointer away: return DIAG_STEAL(x); */
#define DIAG_STEAL(ptr)                                                                            \
	({                                                                                         \
		__typeof__(ptr) steal_tmp_ = (ptr);                                                \
		(ptr) = NULL;                                                                      \
		steal_tmp_;                                                                        \
	})

/* Define the scope guard of a type: DIAG_GUARD(diag_arena_auto, struct diag_arena *,
 * diag_arena_free) then `diag_arena_auto struct diag_arena *a = NULL;`. */
#define DIAG_GUARD(name, type, destroy)                                                            \
	static inline void name##_cleanup_(type *ptr)                                              \
	{                                                                                          \
		destroy(*ptr);                                                                     \
	}                                                                                          \
	typedef char name##_guard_is_defined_ DIAG_UNUSED

#define DIAG_CLEANUP(name) __attribute__((cleanup(name##_cleanup_)))
