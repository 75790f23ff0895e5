//! Modules of WebAssembly on the command line.
//!
//! In: text modules. Out: what the command prints of them, and its status. Lines are those of the text.

use crate::command::{done, holloway, run, succeeds};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const MATH: &str = r#"(module
  (func $gcd (export "gcd") (param i32 i32) (result i32)
    (block $done
      (loop $more
        (br_if $done (i32.eqz (local.get 1)))
        (local.get 1)
        (local.set 1 (i32.rem_u (local.get 0) (local.get 1)))
        (local.set 0)
        (br $more)))
    (local.get 0))
  (func (export "divide") (param i32 i32) (result i32)
    (i32.div_s (local.get 0) (local.get 1)))
  (func (export "halves") (param f64) (result f64 i64)
    (f64.div (local.get 0) (f64.const 2))
    (i64.trunc_f64_s (local.get 0))))
"#;

const PROGRAM: &str = r#"(module
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $sizes (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 100) "hello\n")
  (func $count (param i32) (result i32) (local i32)
    (loop $more
      (local.set 1 (i32.add (local.get 1) (local.get 0)))
      (br_if $more (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
    (local.get 1))
  (func (export "_start")
    (drop (call $count (i32.const 100000)))
    (i32.store (i32.const 0) (i32.const 100))
    (i32.store (i32.const 4) (i32.const 6))
    (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
    (drop (call $sizes (i32.const 16) (i32.const 20)))
    (if (i32.gt_u (i32.load (i32.const 16)) (i32.const 1))
      (then unreachable))))
"#;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("math.wat"), MATH).unwrap();
    fs::write(folder.path().join("program.wat"), PROGRAM).unwrap();
    folder
}

fn invoked(folder: &Path, args: &[&str]) -> String {
    succeeds(folder, &[&["--invoke"], args].concat())
}

#[test]
fn exports_are_called() {
    let folder = folder();
    for tier in ["interp", "baseline", "optimized", "auto"] {
        assert_eq!(invoked(folder.path(), &["gcd", "--tier", tier, "math.wat", "48", "36"]), "12\n");
    }
    assert_eq!(invoked(folder.path(), &["divide", "math.wat", "-7", "2"]), "-3\n");
    assert_eq!(invoked(folder.path(), &["halves", "math.wat", "7"]), "3.5\n7\n");
}

/// Replays call the same export, with the same directories.
#[test]
fn replays_call_the_export_that_was_called() {
    let folder = folder();
    let args =
        ["explain", "--audit=1", "--sync-compile", "--dir", ".::here", "--invoke", "gcd", "math.wat", "48", "36"];
    let told = succeeds(folder.path(), &args);
    assert!(told.starts_with("12\n") && told.contains("1 replay "), "{told}");
}

#[test]
fn what_cannot_be_called_is_said() {
    let folder = folder();
    let complaint = |args: &[&str]| {
        let ended = done(folder.path(), args);
        assert_eq!(ended.status, 1, "{args:?}");
        ended.complaint().to_owned()
    };
    assert_eq!(complaint(&["--invoke", "lcm", "math.wat"]), "holloway: the module exports no function `lcm`");
    assert_eq!(complaint(&["--invoke", "gcd", "math.wat", "48"]), "holloway: `gcd` takes 2 arguments, and 1 are given");
    assert_eq!(complaint(&["--invoke", "gcd", "math.wat", "48", "x"]), "holloway: `x` is no i32, which `gcd` takes");
    assert_eq!(
        complaint(&["--invoke", "gcd", "math.wat", "48", "4294967296"]),
        "holloway: `4294967296` is no i32, which `gcd` takes"
    );
}

#[test]
fn traps_have_a_status_a_place_and_callers() {
    let folder = folder();
    let ended = done(folder.path(), &["--invoke", "divide", "math.wat", "1", "0"]);
    assert_eq!(ended.status, 1);
    assert!(ended.err.contains("integer divide by zero") && ended.err.contains("math.wat:12:5"), "{}", ended.err);
    assert!(ended.err.contains("(i32.div_s (local.get 0) (local.get 1))"), "{}", ended.err);
    let trapped = done(folder.path(), &["program.wat", "argument"]);
    assert_eq!((trapped.status, trapped.out.as_str()), (134, "hello\n"), "{}", trapped.err);
    assert!(trapped.err.contains("unreachable") && trapped.err.contains("program.wat:18:"), "{}", trapped.err);
}

#[test]
fn programs_run_and_are_looked_at() {
    let folder = folder();
    assert_eq!(succeeds(folder.path(), &["program.wat"]), "hello\n");
    assert_eq!(succeeds(folder.path(), &["run", "--dir", ".", "--dir", "/tmp::tmp", "program.wat"]), "hello\n");
    let profile = succeeds(folder.path(), &["profile", "program.wat", "--scheme", "bl"]);
    assert!(profile.contains("99,998") && profile.contains("count"), "{profile}");
    assert!(profile.contains("(local.set 1 (i32.add (local.get 1) (local.get 0)))"), "{profile}");
    let ir = succeeds(folder.path(), &["dump", "--stage", "ir", "--fn", "gcd", "math.wat"]);
    assert!(ir.contains("irem"), "{ir}");
    let explained = succeeds(folder.path(), &["explain", "program.wat"]);
    assert!(explained.contains("hello\n") && explained.contains("All compilation"), "{explained}");
    assert_eq!(succeeds(folder.path(), &["check", "program.wat", "math.wat"]), "");
    let trace = folder.path().join("run.twpp");
    succeeds(folder.path(), &["trace", "record", "program.wat", "-o", trace.to_str().unwrap()]);
    let facts = succeeds(folder.path(), &["trace", "info", trace.to_str().unwrap()]);
    assert!(!facts.is_empty());
}

#[test]
fn modules_see_the_environment_that_they_are_given() {
    let folder = folder();
    let text = r#"(module
        (import "wasi_snapshot_preview1" "environ_sizes_get" (func $sizes (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "environ_get" (func $get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
        (memory (export "memory") 1)
        (func (export "_start")
          (drop (call $sizes (i32.const 0) (i32.const 12)))
          (drop (call $get (i32.const 100) (i32.const 1000)))
          (i32.store (i32.const 8) (i32.const 1000))
          (drop (call $write (i32.const 1) (i32.const 8) (i32.const 1) (i32.const 16)))))"#;
    fs::write(folder.path().join("environ.wat"), text).unwrap();
    assert_eq!(succeeds(folder.path(), &["--env", "TZ=UTC", "--env", "A=b=c", "environ.wat"]), "TZ=UTC\0A=b=c\0");
    assert_eq!(succeeds(folder.path(), &["environ.wat"]), "", "nothing of the command's own environment");
    for wrong in ["TZ", "=UTC"] {
        let refused = done(folder.path(), &["--env", wrong, "environ.wat"]);
        assert_eq!(refused.status, 64);
        assert!(refused.err.contains("write NAME=VALUE"), "{}", refused.err);
    }
}

#[test]
fn what_is_no_module_is_said() {
    let folder = folder();
    let refused = |name: &str, bytes: &[u8], args: &[&str]| {
        fs::write(folder.path().join(name), bytes).unwrap();
        let ended = run(holloway(folder.path(), [args, &[name]].concat()));
        (ended.status, ended.complaint().to_owned())
    };
    assert_eq!(
        refused("bad.wat", b"(module (func i32.fish))", &[]),
        (65, "holloway: bad.wat: line 1, column 15: unknown operator or unexpected token".to_owned())
    );
    assert_eq!(
        refused("bad.wasm", b"\0asm\x01\0\0\0\x01", &["check"]),
        (65, "holloway: bad.wasm: invalid module at offset 0x9: unexpected end-of-file".to_owned())
    );
    assert_eq!(
        refused("simd.wat", b"(module (func (drop (v128.const i64x2 0 0))))", &[]),
        (65, "holloway: simd.wat: at offset 0x17 the module uses a proposal that is not supported: SIMD".to_owned())
    );
    assert_eq!(
        refused("import.wat", b"(module (import \"a\" \"b\" (func)))", &[]),
        (65, "holloway: import.wat: unknown import: there is no function `b` in `a`".to_owned())
    );
    assert_eq!(
        refused("math.wat", MATH.as_bytes(), &["dump", "--stage", "ast"]),
        (64, "holloway: a module of WebAssembly has no tokens and no tree; show --stage ir".to_owned())
    );
    assert_eq!(
        refused("math.wat", MATH.as_bytes(), &["fmt"]),
        (65, "holloway: math.wat is a module of WebAssembly, and no program of the language".to_owned())
    );
    let (status, complaint) = refused("program.wat", PROGRAM.as_bytes(), &["--dir", "missing"]);
    assert_eq!(status, 65);
    assert!(
        complaint.starts_with("holloway: program.wat: cannot open a directory of the program: missing: "),
        "{complaint}"
    );
    let (status, complaint) = refused("program.wat", PROGRAM.as_bytes(), &["--dir", "::x"]);
    assert_eq!(status, 64, "{complaint}");
}
