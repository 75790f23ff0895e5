/* Writes the blocks that a program executes to a file, for `holloway lab import --llvm`. docs/lab.md says how to build with it.
 *
 * In: the calls that clang inserts with -fsanitize-coverage=trace-pc-guard,no-prune and -finstrument-functions-after-inlining.
 * Out: the file that HOLLOWAY_TRACE names, or holloway.trace. All numbers are little-endian:
 *
 *   8 bytes  "hwtrace1"
 *   u32      HOLLOWAY_MODULE: the checksum of PROG.ll that cksum(1) prints
 *   u32      number of guards
 *   u64      number of events; 0 until the trace is closed
 *   u32 ...  the events: the number of a guard, from 1 in the order of the guards, or 0 when a function returns
 *
 * The trace is closed at exit, and at the signals that end a program, abort's among them, unless the program was started with the signal
 * ignored (nohup) or handles it itself. A signal that arrives while an event is written waits until that is done. The trace stays open if the
 * program ends by _exit, is killed, or overflows its stack, as the handler has no stack of its own; it is then refused.
 *
 * One thread is traced. Another that reaches a block ends the program with status 3: its blocks would be taken for calls of the first.
 * A child of fork is not traced. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef HOLLOWAY_MODULE
#error "compile with -DHOLLOWAY_MODULE=$(cksum < PROG.ll | cut -d ' ' -f 1): traces name the build that they belong to"
#endif

#define BUFFERED (1u << 18)

struct header {
    char magic[8];
    uint32_t module, guards;
    uint64_t events;
};

static struct header header = {"hwtrace1", HOLLOWAY_MODULE, 0, 0};
static uint32_t buffer[BUFFERED];
static uint32_t buffered;
static int file = -1;
static _Thread_local char is_traced;
/* Set while the buffer or the file changes. */
static volatile sig_atomic_t is_busy;
/* The signal that arrived meanwhile. */
static volatile sig_atomic_t pending;

static void complain(const char *what, const char *why) {
    fprintf(stderr, "holloway_trace: %s: %s\n", what, why);
    file = -1;
    _exit(3);
}

static void put(const void *from, size_t size) {
    const char *bytes = from;
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) complain("cannot write the trace", strerror(errno));
        bytes += written;
        size -= (size_t)written;
    }
}

static void flush(void) {
    put(buffer, buffered * sizeof buffer[0]);
    header.events += buffered;
    buffered = 0;
}

static void begin(void) {
    is_busy = 1;
    atomic_signal_fence(memory_order_seq_cst);
}

static void end_by(int signal_number);

static void end(void) {
    atomic_signal_fence(memory_order_seq_cst);
    is_busy = 0;
    if (pending) end_by(pending);
}

static void event(uint32_t number) {
    if (file < 0) return;
    if (!is_traced) complain("a second thread runs traced code", "only programs of one thread can be traced");
    begin();
    buffer[buffered++] = number;
    if (buffered == BUFFERED) flush();
    end();
}

static void close_trace(void) {
    if (file < 0) return;
    begin();
    flush();
    if (lseek(file, 0, SEEK_SET) < 0) complain("cannot close the trace", strerror(errno));
    put(&header, sizeof header);
    close(file);
    file = -1;
    end();
}

static void end_by(int signal_number) {
    pending = 0;
    close_trace();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static int is_fault(int signal_number) {
    return signal_number == SIGSEGV || signal_number == SIGBUS || signal_number == SIGFPE || signal_number == SIGILL;
}

static void on_fatal_signal(int signal_number) {
    if (!is_busy) {
        end_by(signal_number);
    } else if (is_fault(signal_number)) {
        /* It would come again at once; the trace stays open. */
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    } else {
        pending = signal_number;
    }
}

static void handle(int signal_number) {
    struct sigaction old, new;
    if (sigaction(signal_number, NULL, &old) != 0 || old.sa_handler != SIG_DFL) return;
    memset(&new, 0, sizeof new);
    new.sa_handler = on_fatal_signal;
    new.sa_flags = SA_RESTART;
    sigfillset(&new.sa_mask);
    sigaction(signal_number, &new, NULL);
}

static void in_child(void) { file = -1; }

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
    if (start == stop || *start != 0) return;
    if (header.guards != 0) complain("two modules are traced", "link them with llvm-link first");
    for (uint32_t *guard = start; guard < stop; guard++) *guard = ++header.guards;
    const char *path = getenv("HOLLOWAY_TRACE");
    if (path == NULL) path = "holloway.trace";
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0) complain(path, strerror(errno));
    put(&header, sizeof header);
    is_traced = 1;
    atexit(close_trace);
    pthread_atfork(NULL, NULL, in_child);
    const int fatal[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGINT, SIGHUP};
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++) handle(fatal[i]);
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) { event(*guard); }

void __cyg_profile_func_enter(void *function, void *call_site) { (void)function, (void)call_site; }

void __cyg_profile_func_exit(void *function, void *call_site) {
    (void)function, (void)call_site;
    event(0);
}
