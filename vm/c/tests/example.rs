//! The example in C, built by the system's compiler against the header and the library, and run.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder with the library, which cargo has built beside the tests.
fn libraries() -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    let folder = test.parent().expect("it is in a folder");
    let built = [folder, folder.parent().expect("that is in another")];
    let found = built.into_iter().find(|folder| folder.join("libholloway_c.so").exists());
    found.expect("the library was built with the tests").to_owned()
}

/// Builds a program in C with all warnings as errors, and runs it; returns its output.
fn run(source: &Path) -> String {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (program, libraries) = (folder.path().join("program"), libraries());
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let compiled = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-o"])
        .arg(&program)
        .arg(source)
        .arg(format!("-I{}", here.join("include").display()))
        .arg(format!("-L{}", libraries.display()))
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .arg("-lholloway_c")
        .output()
        .expect("there is a C compiler");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).output().expect("the program was built");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{:?}: {text}{}", output.status, String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn the_example_runs() {
    let text = run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/plugin.c"));
    let expected = "12 apples: 5.40
error: no such item
  at plugin.hw:2:16
   2 |     let each = lookup(item)
     |                ^^^^^^^^^^^^
call stack:
  price at plugin.hw:2
caught: no such item
total: 6.50
halves: 3 items, the first 0.50
out of fuel
error: the function takes 2 arguments, 1 were given
error: unknown name `y`
  at wrong.hw:1:9
   1 | let x = y
     |         ^
hello
status 0, 3 calls of lookup
";
    assert_eq!(text, expected);
}

/// A pointer that C leaves out is an error, or stands for nothing where the header says so.
#[test]
fn missing_pointers_are_errors() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let source = folder.path().join("missing.c");
    let text = "#include \"holloway.h\"\n#include <stdio.h>
        #define SAY(does) do { int done = does; printf(\"%d %s\\n\", done, hw_error(engine)); } while (0)
        int main(void) {
            hw_config odd = {.tier = (hw_tier)9};
            printf(\"%d %d %s\\n\", hw_new(&odd) == NULL, hw_load(NULL, \"a\", \"\", 0), hw_error(NULL));
            hw_engine *engine = hw_new(NULL);
            hw_value odd_value = {.kind = (hw_kind)77}, text = {.kind = HW_STR};
            text.as.s.len = 3;
            SAY(hw_load(engine, NULL, \"\", 0));
            SAY(hw_load(engine, \"a\", NULL, 5));
            SAY(hw_declare(engine, \"fn f()\", NULL, NULL));
            printf(\"%d\\n\", hw_load(engine, \"a\", \"fn f(a: int) { }\", 16));
            SAY(hw_call(engine, \"f\", NULL, 1, NULL));
            SAY(hw_call(engine, \"f\", &odd_value, 1, NULL));
            SAY(hw_call(engine, \"f\", &text, 1, NULL));
            hw_interrupt *handle = hw_interrupt_new(engine);
            hw_free(engine);
            hw_interrupt_raise(handle);
            hw_interrupt_free(handle);
            hw_interrupt_raise(NULL);
            hw_free(NULL);
            return 0;
        }";
    std::fs::write(&source, text).expect("the folder is there");
    let expected = "1 0 there is no engine
0 there is no name
0 there is nothing where something was announced
0 there is no function
1
0 there is nothing where something was announced
0 there is no kind 77 of values
0 a value points to nothing
";
    assert_eq!(run(&source), expected);
}

/// The result of a call, and the text of its error, are arguments of the next one.
#[test]
fn results_are_arguments_of_the_next_call() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let source = folder.path().join("next.c");
    // Megabytes, whose memory goes back to the system when they are freed.
    let text = "#include \"holloway.h\"\n#include <stdio.h>\n#include <string.h>
        static const char *P = \"fn twice(s: str) -> str { return s + s }\\n\"
            \"fn size(s: str) -> int { return len(s) }\\n\"
            \"fn grown(a: [int]) -> [int] { let b = [7; 300000]\\n b[0] = len(a) + a[0]\\n return b }\\n\"
            \"fn bad(s: str) -> str { fail s }\\n\";
        int main(void) {
            hw_engine *engine = hw_new(NULL);
            hw_value value = {.kind = HW_STR};
            value.as.s.bytes = \"x\";
            value.as.s.len = 1;
            if (!hw_load(engine, \"p\", P, strlen(P))) return 1;
            for (int i = 0; i < 22; i++) if (!hw_call(engine, \"twice\", &value, 1, &value)) return 2;
            hw_value size, error = {.kind = HW_STR}, ints = {.kind = HW_INTS};
            if (!hw_call(engine, \"size\", &value, 1, &size)) return 3;
            int64_t one[1] = {1};
            ints.as.ints.items = one;
            ints.as.ints.len = 1;
            for (int i = 0; i < 3; i++) if (!hw_call(engine, \"grown\", &ints, 1, &ints)) return 4;
            printf(\"%d %d\\n\", (int)size.as.i, (int)ints.as.ints.items[0]);
            if (hw_call(engine, \"bad\", &(hw_value){.kind = HW_STR, .as.s = {\"odd\", 3}}, 1, NULL)) return 5;
            error.as.s.bytes = hw_error(engine);
            error.as.s.len = 10;
            if (!hw_call(engine, \"twice\", &error, 1, &value)) return 6;
            printf(\"%.*s\\n\", (int)value.as.s.len, value.as.s.bytes);
            hw_free(engine);
            return 0;
        }";
    std::fs::write(&source, text).expect("the folder is there");
    assert_eq!(run(&source), "4194304 600002\nerror: odderror: odd\n");
}

/// An array without elements has the kind of its type.
#[test]
fn empty_arrays_have_their_kinds() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let source = folder.path().join("empty.c");
    let text = "#include \"holloway.h\"\n#include <stdio.h>\n#include <string.h>
        static const char *P = \"fn floats() -> [float] { return [0.0; 0] }\\n\"
            \"fn ints() -> [int] { return [0; 0] }\\n\"
            \"fn to_host() -> int { return kinds(ints(), floats(), none, floats()) }\\n\";
        static bool kinds(void *data, const hw_value *args, size_t count, hw_value *result) {
            (void)data;
            result->kind = HW_INT;
            result->as.i = 0;
            for (size_t i = 0; i < count; i++) result->as.i = 10 * result->as.i + (int)args[i].kind;
            return true;
        }
        int main(void) {
            hw_engine *engine = hw_new(NULL);
            hw_value value;
            if (!hw_declare(engine, \"fn kinds(a: [int], b: [float], c: [float]?, d: [float]?) -> int\", kinds, NULL)) return 1;
            if (!hw_load(engine, \"p\", P, strlen(P))) return 2;
            if (!hw_call(engine, \"floats\", NULL, 0, &value)) return 3;
            printf(\"%d %d\\n\", value.kind == HW_FLOATS, (int)value.as.floats.len);
            if (!hw_call(engine, \"ints\", NULL, 0, &value)) return 4;
            printf(\"%d %d\\n\", value.kind == HW_INTS, (int)value.as.ints.len);
            if (!hw_call(engine, \"to_host\", NULL, 0, &value)) return 5;
            printf(\"%d\\n\", (int)value.as.i);
            hw_free(engine);
            return 0;
        }";
    std::fs::write(&source, text).expect("the folder is there");
    assert_eq!(run(&source), "1 0\n1 0\n5606\n");
}

/// A function of C calls functions that the program gives it, and one by its name: in each tier, and within the limits of the call.
#[test]
fn functions_of_c_call_the_program_back() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let source = folder.path().join("back.c");
    let text = r#"#include "holloway.h"
        #include <stdio.h>
        #include <string.h>
        static const char *P =
            "fn plus(by: int) -> int { return twice(fn(n: int) => n + by, 1) }\n"
            "fn texts() -> str { return again(fn(s: str) => s + \"!\" + s, \"a\") }\n"
            "fn deep(n: int) -> int { if n == 0 { return 0 }\n return twice(deep, n - 1) + 1 }\n"
            "fn caught() -> str { try { twice(fn(n: int) => 1 / n, 0) } catch e { return e }\n return \"\" }\n"
            "fn later() -> str { try { again(fn(s: str) => str(1 / (len(s) - 1)), \"aa\") } catch e { return e }\n return \"\" }\n"
            "fn square(n: int) -> int { return n * n }\n"
            "fn squares() -> int { return named(7) }\n"
            "fn absent() -> int { return twice_or(none, 5) }\n"
            "fn present() -> int { return twice_or(square, 5) }\n"
            "fn forever(n: int) -> int { loop { } }\n"
            "fn endless() -> int { return swallow(forever, 1) }\n"
            "fn leave(n: int) -> int { exit(n) }\n"
            "fn leaves() -> int { return swallow(leave, 3) }\n";
        static bool twice(const hw_context *context, void *data, const hw_value *args, size_t count, hw_value *result) {
            (void)data; (void)count;
            return hw_call_back(context, args[0].as.function, &args[1], 1, result)
                && hw_call_back(context, args[0].as.function, result, 1, result);
        }
        static bool named(const hw_context *context, void *data, const hw_value *args, size_t count, hw_value *result) {
            return hw_call_back(context, *(hw_callable **)data, args, count, result);
        }
        static bool twice_or(const hw_context *context, void *data, const hw_value *args, size_t count, hw_value *result) {
            if (args[0].kind == HW_FUNCTION) return twice(context, data, args, count, result);
            *result = args[1];
            return args[0].kind == HW_NONE;
        }
        static bool swallow(const hw_context *context, void *data, const hw_value *args, size_t count, hw_value *result) {
            for (int i = 0; i < 3; i++) hw_call_back(context, args[0].as.function, args + 1, count - 1, result);
            (void)data;
            result->kind = HW_INT;
            result->as.i = -1;
            return true;
        }
        /* Wrong uses, of which each is an error. */
        static const hw_context *outer;
        static void say(const hw_context *context, bool done) { printf("%d %s\n", done, hw_context_error(context)); }
        static bool wrong(const hw_context *context, void *data, const hw_value *args, size_t count, hw_value *result) {
            hw_value three[3] = {args[1], args[1], args[0]};
            (void)data; (void)count;
            if (outer && outer != context) {
                say(outer, hw_call_back(outer, args[0].as.function, three, 1, result));
            } else {
                outer = context;
                say(context, hw_call_back(context, NULL, three, 1, NULL));
                say(context, hw_call_back(context, args[0].as.function, three, 2, NULL));
                say(context, hw_call_back(context, args[0].as.function, three + 2, 1, NULL));
                three[0].kind = HW_BOOL;
                say(context, hw_call_back(context, args[0].as.function, three, 1, NULL));
                say(context, hw_call_back(context, args[0].as.function, three + 1, 1, NULL));
            }
            result->kind = HW_INT;
            result->as.i = 1;
            return true;
        }
        static void show(hw_engine *engine, const char *name, const hw_value *args, size_t count) {
            hw_value value;
            if (!hw_call(engine, name, args, count, &value)) printf("%.*s", (int)strcspn(hw_error(engine), "\n"), hw_error(engine));
            else if (value.kind == HW_STR) printf("%.*s", (int)value.as.s.len, value.as.s.bytes);
            else printf("%d", (int)value.as.i);
            printf("; ");
        }
        int main(void) {
            for (int tier = HW_AUTO; tier <= HW_OPTIMIZED; tier++) {
                hw_config config = {.tier = (hw_tier)tier, .fuel = 100000};
                hw_engine *engine = hw_new(&config);
                hw_callable *square = NULL;
                hw_declare_callback(engine, "fn twice(f: fn(int) -> int, n: int) -> int", twice, NULL);
                hw_declare_callback(engine, "fn again(f: fn(str) -> str, s: str) -> str", twice, NULL);
                hw_declare_callback(engine, "fn named(n: int) -> int", named, &square);
                hw_declare_callback(engine, "fn twice_or(f: (fn(int) -> int)?, n: int) -> int", twice_or, NULL);
                hw_declare_callback(engine, "fn swallow(f: fn(int) -> int, n: int) -> int", swallow, NULL);
                if (!hw_load(engine, "p", P, strlen(P))) { puts(hw_error(engine)); return 1; }
                square = hw_lookup(engine, "square");
                hw_value number = {.kind = HW_INT, .as.i = 20};
                show(engine, "plus", &number, 1);
                show(engine, "texts", NULL, 0);
                number.as.i = 8;
                show(engine, "deep", &number, 1);
                show(engine, "caught", NULL, 0);
                show(engine, "later", NULL, 0);
                show(engine, "squares", NULL, 0);
                show(engine, "absent", NULL, 0);
                show(engine, "present", NULL, 0);
                show(engine, "endless", NULL, 0);
                show(engine, "leaves", NULL, 0);
                printf("\n");
                if (tier == HW_AUTO) {
                    if (hw_lookup(engine, "cube") || hw_lookup(engine, NULL)) return 2;
                    hw_declare_callback(engine, "fn wrong(f: fn(int) -> int, n: int) -> int", wrong, NULL);
                    const char *more = "fn wrongs(n: int) -> int { return wrong(wrongs, n) }";
                    if (!hw_load(engine, "more", more, strlen(more))) return 3;
                    show(engine, "wrongs", &number, 1);
                    printf("\n");
                }
                if (tier == HW_OPTIMIZED) {
                    hw_load(engine, "top", "let early = named(3)", 20);
                    show(engine, "squares", NULL, 0);
                    printf("\n");
                }
                hw_callable_free(square);
                hw_free(engine);
            }
            say(NULL, hw_call_back(NULL, NULL, NULL, 0, NULL));
            return 0;
        }"#;
    std::fs::write(&source, text).expect("the folder is there");
    let each = "41; a!a!a!a; 8; division by zero; division by zero; 49; 5; 625; error: out of fuel; error: the program ended with status 3; \n";
    let wrong = "0 there is no function
0 the function takes 1 arguments, 2 were given
0 a function of the program can be called, and nothing else
0 expected a value of type int, found a bool
0 a call with this context is under way
1 a call with this context is under way
1; \n";
    let early = "error: the function `square` is called before the program's statements have run; \n";
    assert_eq!(run(&source), format!("{each}{wrong}{each}{each}{each}{early}0 there is no context\n"));
}
