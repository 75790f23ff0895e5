//! The rule of the file graph, on crates of a few lines.

use super::FileGraph;
use std::fs;

/// The circles of a crate of these files.
fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (file, text) in files {
        let path = folder.path().join("src").join(file);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
    FileGraph::of_crate(folder.path(), "src/lib.rs").circles()
}

fn circle(files: &[&str]) -> Vec<Vec<String>> {
    vec![files.iter().map(|file| format!("src/{file}")).collect()]
}

#[test]
fn a_circle_goes_through_imports_paths_and_macros() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b::B; pub struct A(B);"),
        ("b.rs", "use super::c; pub struct B; fn f() { c::f() }"),
        ("c.rs", "pub fn f() { assert!(std::mem::size_of::<crate::a::A>() == 0) }"),
    ];
    assert_eq!(circles(&files), circle(&["a.rs", "b.rs", "c.rs"]));
}

#[test]
fn a_re_export_is_followed_to_the_file_that_defines_the_item() {
    let shared = [
        ("lib.rs", "pub mod a; mod b; pub use a::A;"),
        ("a/mod.rs", "mod item; pub use item::A;"),
        ("a/item.rs", "pub struct A;"),
    ];
    let user = ("b.rs", "use crate::A; pub fn f(_: A) {}");
    assert!(circles(&[&shared[..], &[user]].concat()).is_empty());
    let circular = ("a/item.rs", "pub struct A; fn g() { crate::b::f(A) }");
    assert_eq!(circles(&[&shared[..2], &[circular, user]].concat()), circle(&["a/item.rs", "b.rs"]));
}

#[test]
fn a_driver_is_in_a_circle_with_children_that_use_its_types() {
    let lib = ("lib.rs", "mod a;");
    let child = ("a/child.rs", "use super::A; pub fn run(_: A) {}");
    let signpost = ("a/mod.rs", "mod child; pub struct A; pub use child::run;");
    assert!(circles(&[lib, signpost, child]).is_empty());
    let driver = ("a/mod.rs", "mod child; pub struct A; pub use child::run; fn f() { run(A) }");
    assert_eq!(circles(&[lib, driver, child]), circle(&["a/child.rs", "a/mod.rs"]));
}

#[test]
fn a_function_of_a_type_is_followed_to_its_implementation() {
    let files = [
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "pub struct A; fn f() { A::g() }"),
        ("b.rs", "use crate::a::A; impl A { pub fn g() {} }"),
    ];
    assert_eq!(circles(&files), circle(&["a.rs", "b.rs"]));
}

#[test]
fn tests_may_look_at_everything() {
    let files = [
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "pub struct A; #[cfg(test)] mod tests { use crate::b::f; }"),
        ("b.rs", "use crate::a::A; pub fn f(_: A) {}"),
    ];
    assert!(circles(&files).is_empty());
}
