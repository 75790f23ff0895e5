/* Holloway: programs of a small language, run by a C program. See docs/embedding.md.
 *
 * Link with -lholloway_c. Each function that returns a bool returns false on an error, of which hw_error tells the text.
 * An engine is used by one thread at a time; which one may change. What a function gives (the text of an error, the
 * bytes of a string) is valid until the next call with the same engine, of which it may be an argument. Arguments are copied.
 */
#ifndef HOLLOWAY_H
#define HOLLOWAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hw_engine hw_engine;
typedef struct hw_interrupt hw_interrupt;
typedef struct hw_context hw_context;
typedef struct hw_callable hw_callable;

typedef enum hw_kind {
    HW_NONE,   /* no result, or `none` */
    HW_INT,    /* int */
    HW_FLOAT,  /* float */
    HW_BOOL,   /* bool */
    HW_STR,    /* str: bytes, mostly UTF-8; no zero byte ends them */
    HW_INTS,   /* [int], copied */
    HW_FLOATS, /* [float], copied */
    HW_FUNCTION /* a function of the program, which only a hw_callback gets */
} hw_kind;

typedef struct hw_value {
    hw_kind kind;
    union {
        int64_t i;
        double f;
        bool b;
        struct { const char *bytes; size_t len; } s;
        struct { const int64_t *items; size_t len; } ints;
        struct { const double *items; size_t len; } floats;
        const hw_callable *function;
    } as;
} hw_value;

typedef enum hw_tier {
    HW_AUTO,      /* baseline code at first, hot functions recompiled */
    HW_INTERP,    /* the interpreter */
    HW_BASELINE,  /* baseline code */
    HW_OPTIMIZED  /* optimized code */
} hw_tier;

/* A configuration of zeroes is the default. */
typedef struct hw_config {
    hw_tier tier;
    uint64_t heap_bytes;    /* limit of the heap; 0: the default */
    uint64_t fuel;          /* steps of each run and call; 0: no limit */
    uint64_t milliseconds;  /* time of each run and call; 0: no limit */
    bool captures_output;   /* the program's output goes to hw_take_output instead of standard output */
} hw_config;

/* A function of the host. It stores its result, or the message of a failure as a HW_STR and returns false: the program may
 * catch that. Bytes and items that it stores are copied at once. It must not use the engine. */
typedef bool (*hw_function)(void *data, const hw_value *args, size_t count, hw_value *result);

/* A function of the host that calls the program, by hw_call_back. Arguments that are functions of the program are HW_FUNCTIONs. Context
 * and arguments are valid until it returns. It must not use the engine. If it returns false and stores no message, it fails with the
 * text of the last error of hw_call_back:
 *
 *     // fn twice(f: fn(int) -> int, n: int) -> int
 *     bool twice(const hw_context *context, void *data, const hw_value *args, size_t count, hw_value *result) {
 *         return hw_call_back(context, args[0].as.function, &args[1], 1, result)
 *             && hw_call_back(context, args[0].as.function, result, 1, result);
 *     }
 */
typedef bool (*hw_callback)(const hw_context *context, void *data, const hw_value *args, size_t count, hw_value *result);

/* An engine; NULL if there is no memory, or the configuration has an unknown tier. A NULL for the configuration means the default. */
hw_engine *hw_new(const hw_config *config);
void hw_free(hw_engine *engine);

/* The text of the last error: for errors in a program with its line, for failures with the call stack. */
const char *hw_error(const hw_engine *engine);

/* Declares a function of the host, for programs that are loaded from then on: "fn lookup(key: str) -> int?". */
bool hw_declare(hw_engine *engine, const char *declaration, hw_function function, void *data);

/* The same for a function that calls the program. */
bool hw_declare_callback(hw_engine *engine, const char *declaration, hw_callback function, void *data);

/* A function of the program by its name, for hw_call_back; NULL if there is none, of which hw_error tells. It means what its name means
 * when it is called. Top-level statements that call it through the host fail, as globals that it uses may have no value yet. */
hw_callable *hw_lookup(hw_engine *engine, const char *function);
void hw_callable_free(hw_callable *function);

/* Calls a function of the program, within the limits of the call that the program has made. The result may be NULL if it is not
 * wanted; after an error it is HW_NONE. The bytes of a string and the items of an array are valid until the next call with this context, of which they may be
 * arguments, and as a result of the function. Once a limit, or `exit`, has ended a call, every further one fails alike, and so does the caller. */
bool hw_call_back(const hw_context *context, const hw_callable *function, const hw_value *args, size_t count, hw_value *result);

/* The text of the last error of hw_call_back with this context. */
const char *hw_context_error(const hw_context *context);

/* Adds a program. */
bool hw_load(hw_engine *engine, const char *name, const char *source, size_t len);

/* Replaces a program that was loaded under this name; its globals keep their values. */
bool hw_reload(hw_engine *engine, const char *name, const char *source, size_t len);

/* Runs top-level statements, then `main`; gives the exit status. */
bool hw_run(hw_engine *engine, int *status);

/* Calls a function of the program. The result may be NULL if it is not wanted. */
bool hw_call(hw_engine *engine, const char *function, const hw_value *args, size_t count, hw_value *result);

/* The output since the last time, of an engine that captures it. */
bool hw_take_output(hw_engine *engine, hw_value *output);

/* A handle by which any thread stops what an engine runs. It may outlive the engine. */
hw_interrupt *hw_interrupt_new(const hw_engine *engine);
void hw_interrupt_raise(const hw_interrupt *handle);
void hw_interrupt_free(hw_interrupt *handle);

#ifdef __cplusplus
}
#endif

#endif
