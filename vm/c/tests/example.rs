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

/// Whatever C leaves out is an error, not a crash.
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
