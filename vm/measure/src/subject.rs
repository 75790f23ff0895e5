//! Programs that are measured in processes of their own: embedded ones, or modules of a folder.
//!
//! In: names, a size. Out: [`Subject`]s. Invariant: a subject's output, if known, is that of its size.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::bench::{Arithmetic, BenchProgram};
use crate::extent::SizeName;
use crate::folder::{self, FolderError};

/// A program with its workload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// Its name in tables.
    pub name: String,
    /// The arithmetic of its hot code.
    pub arithmetic: Arithmetic,
    /// The program itself.
    pub code: Code,
    /// Its argument.
    pub size: u64,
    /// Its output, if it is known.
    pub output: Option<String>,
}

/// The place of a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Code {
    /// An embedded file, without its extension.
    Embedded(String),
    /// A module of WebAssembly.
    Module(PathBuf),
}

impl Subject {
    /// An embedded program.
    pub fn embedded(program: &BenchProgram, size: SizeName) -> Subject {
        let workload = program.workload(size);
        Subject {
            name: program.short_name().to_owned(),
            arithmetic: program.arithmetic,
            code: Code::Embedded(program.name.to_owned()),
            size: workload.size,
            output: Some(workload.checksum.to_string()),
        }
    }
}

/// The modules of a folder, each with its size in the folder's `expected.json`; those of some names, if there are names.
pub fn modules(folder: &Path, names: &[String], size: SizeName) -> Result<Vec<Subject>, FolderError> {
    let expectations = folder::expectations(folder)?;
    let of = |file: PathBuf| {
        let name = folder::name_of(&file);
        let size = expectations.size(&name, size)?;
        let (arithmetic, output) = (expectations.arithmetic(&name), expectations.output(&name, size));
        Some(Subject { name, arithmetic, code: Code::Module(file), size, output })
    };
    let modules: Vec<Subject> = folder::files(folder, "wasm")?.into_iter().filter_map(of).collect();
    if modules.is_empty() {
        let advice =
            "put NAME.wasm there, and expected.json with the argument of each, as bench-programs/wasm/build.sh does";
        return Err(FolderError::Empty(folder.to_owned(), advice));
    }
    for name in names {
        folder::known(name, modules.iter().map(|module| module.name.as_str()), "with a size among the modules")?;
    }
    let is_wanted = |module: &Subject| names.is_empty() || names.contains(&module.name);
    Ok(modules.into_iter().filter(is_wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn modules_have_the_sizes_of_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            let error = modules(folder.path(), &names, SizeName::Mid).unwrap_err();
            error.to_string().replace(&folder.path().display().to_string(), "DIR")
        };
        assert!(refused(&[]).starts_with("DIR has no program to measure: put NAME.wasm there"));
        for file in ["b.wasm", "a.wasm", "unsized.wasm", "c.wat"] {
            fs::write(folder.path().join(file), "").unwrap();
        }
        let expected = r#"{"a": {"arithmetic": "fp", "sizes": {"mid": 7}, "checksums": {"7": "x y"}}, "b": {"mid": 3}, "c": {"mid": 1}}"#;
        fs::write(folder.path().join("expected.json"), expected).unwrap();
        let found = modules(folder.path(), &[], SizeName::Mid).unwrap();
        let told: Vec<_> =
            found.iter().map(|of| (of.name.as_str(), of.size, of.output.as_deref(), of.arithmetic)).collect();
        assert_eq!(told, [("a", 7, Some("x y"), Arithmetic::Fp), ("b", 3, None, Arithmetic::Int)]);
        assert_eq!(modules(folder.path(), &["b".to_owned()], SizeName::Mid).unwrap(), found[1..]);
        assert_eq!(refused(&["bb"]), "there is no 'bb' with a size among the modules; did you mean 'b'?");
        fs::write(folder.path().join("expected.json"), "[").unwrap();
        assert!(refused(&[]).starts_with("DIR/expected.json: "));
    }
}
