//! The programs with their sizes, checksums and kind of arithmetic.
//!
//! In: the embedded `expected.json`. Out: [`BenchProgram`]s. Invariant: every embedded Holloway program has all three
//! sizes with their checksums, and one kind of arithmetic.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use super::embedded;
use crate::extent::SizeName;
use holloway_study::report::text::nearest;

/// One benchmark program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchProgram {
    /// Its name: the file is `NAME.hw`.
    pub name: &'static str,
    /// The arithmetic of its hot code.
    pub arithmetic: Arithmetic,
    small: Workload,
    mid: Workload,
    default: Workload,
}

/// The arithmetic of a program's hot code, as SPEC divides its programs into INT and FP.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arithmetic {
    /// On integers.
    Int,
    /// On floats: at least a tenth of the operators that it executes; counts of loops and indices are integers in any case.
    Fp,
}

impl Arithmetic {
    /// The name in tables: `INT` or `FP`.
    pub fn name(self) -> &'static str {
        match self {
            Arithmetic::Int => "INT",
            Arithmetic::Fp => "FP",
        }
    }
}

/// One size of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Workload {
    /// Its argument.
    pub size: u64,
    /// Its expected output.
    pub checksum: i64,
}

impl BenchProgram {
    /// Its name without the folder of the papers' programs.
    pub fn short_name(&self) -> &'static str {
        self.name.rsplit('/').next().expect("a split has a last part")
    }

    /// The workload of the given size.
    pub fn workload(&self, size: SizeName) -> Workload {
        match size {
            SizeName::Small => self.small,
            SizeName::Mid => self.mid,
            SizeName::Default => self.default,
        }
    }
}

/// Error: no program has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownProgram {
    name: String,
}

impl fmt::Display for UnknownProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no benchmark program '{}'; ", self.name)?;
        match nearest(&self.name, embedded::program_names()) {
            Some(name) => write!(f, "did you mean '{name}'?"),
            None => write!(f, "there are: {}", embedded::program_names().collect::<Vec<_>>().join(", ")),
        }
    }
}

/// The programs of the given names, each once, in alphabetical order; all programs if there are no names.
pub fn select(names: &[String]) -> Result<Vec<BenchProgram>, UnknownProgram> {
    let all = programs();
    if let Some(name) = names.iter().find(|name| all.iter().all(|program| program.name != **name)) {
        return Err(UnknownProgram { name: name.clone() });
    }
    let is_wanted = |program: &BenchProgram| names.is_empty() || names.iter().any(|name| name == program.name);
    Ok(all.into_iter().filter(is_wanted).collect())
}

/// The programs that only `reproduce` has: they have the control flow of programs in the papers.
pub fn papers_programs() -> Vec<BenchProgram> {
    described("papers/expected.json", embedded::papers_names())
}

#[derive(Deserialize)]
struct Expected {
    arithmetic: Arithmetic,
    sizes: BTreeMap<String, u64>,
    checksums: BTreeMap<String, i64>,
}

/// Every program, in alphabetical order.
fn programs() -> Vec<BenchProgram> {
    described("expected.json", embedded::program_names())
}

fn described(file: &str, names: impl Iterator<Item = &'static str>) -> Vec<BenchProgram> {
    let json = embedded::file(file).expect("the expectations are embedded");
    let expected: BTreeMap<String, Expected> = serde_json::from_slice(json).expect("expectations have their shape");
    let program = |name| {
        let expected: &Expected = expected.get(name).unwrap_or_else(|| panic!("expected.json knows no program {name}"));
        let workload = |size: SizeName| {
            let size = expected.sizes[size.name()];
            Workload { size, checksum: expected.checksums[&size.to_string()] }
        };
        let (small, mid, default) = (workload(SizeName::Small), workload(SizeName::Mid), workload(SizeName::Default));
        BenchProgram { name, arithmetic: expected.arithmetic, small, mid, default }
    };
    names.map(program).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(names: &[&str]) -> Result<Vec<&'static str>, String> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let programs = select(&names).map_err(|error| error.to_string())?;
        Ok(programs.iter().map(|program| program.name).collect())
    }

    #[test]
    fn names_select() {
        assert_eq!(selected(&[]).unwrap(), embedded::program_names().collect::<Vec<_>>());
        assert_eq!(selected(&["sor", "fib", "sor"]).unwrap(), ["fib", "sor"]);
        assert_eq!(selected(&["fibb"]).unwrap_err(), "there is no benchmark program 'fibb'; did you mean 'fib'?");
        let unlike_any = selected(&["fib", "quicksilver!"]).unwrap_err();
        assert!(unlike_any.contains("there are: adpcm, adventure, base64,"), "{unlike_any}");
    }

    #[test]
    fn each_kind_of_arithmetic_has_programs() {
        let of = |kind| programs().iter().filter(|program| program.arithmetic == kind).count();
        assert!(of(Arithmetic::Int) >= 50 && of(Arithmetic::Fp) >= 14);
    }

    #[test]
    fn sizes_grow_and_checksums_are_known() {
        let crc = select(&["crc".to_owned()]).unwrap()[0];
        assert_eq!(crc.workload(SizeName::Small), Workload { size: 30, checksum: 3_210_155_466 });
        for program in programs() {
            assert!(program.small.size < program.mid.size && program.mid.size < program.default.size, "{program:?}");
        }
    }
}
