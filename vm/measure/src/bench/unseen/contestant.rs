//! The four contestants, and the comparisons of one with another.
//!
//! In: a program, its compiled C and a size. Out: recipes, and pairs of contestants. Invariant: C is the first
//! contestant.

use std::path::Path;

use super::super::child::CommandLine;
use super::super::contender::{Recipe, RunOptions, holloway_of};
use super::folder::UnseenProgram;
use crate::settings::PATIENCE;
use holloway::TierChoice;
use holloway_aos::Part;

/// A way to run a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub(super) enum Contestant {
    /// C by gcc.
    C,
    /// Optimized code for everything.
    Optimized,
    /// The adaptive system.
    Auto,
    /// The adaptive system without what path profiles lead to.
    Without,
}

impl Contestant {
    pub(super) const ALL: [Contestant; 4] =
        [Contestant::C, Contestant::Optimized, Contestant::Auto, Contestant::Without];

    /// The name in tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Contestant::C => "gcc",
            Contestant::Optimized => "optimized",
            Contestant::Auto => "auto",
            Contestant::Without => "without",
        }
    }

    /// The command that runs a program with a size, in its own folder.
    pub(super) fn recipe(self, executable: &Path, program: &UnseenProgram, binary: &Path, size: u64) -> Recipe {
        let folder = program.source.parent().expect("a file is in a folder");
        let own = |options| holloway_of(executable, options, &program.source, size, folder);
        let auto = RunOptions::of(TierChoice::Auto);
        let recipe = match self {
            Contestant::C => Recipe { build: None, run: CommandLine::new(binary, [size.to_string()], folder) },
            Contestant::Optimized => own(RunOptions::of(TierChoice::Optimized)),
            Contestant::Auto => own(auto),
            Contestant::Without => own(RunOptions { without: [Part::Traces].into_iter().collect(), ..auto }),
        };
        Recipe { run: recipe.run.within(PATIENCE), ..recipe }
    }
}

/// A ratio of the times of two contestants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    /// The price of the language and of the compiler.
    OptimizedToC,
    /// That of the whole system.
    AutoToC,
    /// The gain of adapting.
    AutoToOptimized,
    /// The gain of path-driven versions.
    AutoToWithout,
}

impl Comparison {
    pub(super) const ALL: [Comparison; 4] =
        [Comparison::OptimizedToC, Comparison::AutoToC, Comparison::AutoToOptimized, Comparison::AutoToWithout];

    /// The contestant, and the one that it is compared with.
    pub(super) fn sides(self) -> (Contestant, Contestant) {
        match self {
            Comparison::OptimizedToC => (Contestant::Optimized, Contestant::C),
            Comparison::AutoToC => (Contestant::Auto, Contestant::C),
            Comparison::AutoToOptimized => (Contestant::Auto, Contestant::Optimized),
            Comparison::AutoToWithout => (Contestant::Auto, Contestant::Without),
        }
    }

    /// The name in tables.
    pub(super) fn name(self) -> String {
        let (one, other) = self.sides();
        format!("{}/{}", one.name(), other.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines() {
        let program = UnseenProgram { name: "p".to_owned(), source: "/f/p.hw".into(), c: "/f/p.c".into() };
        let line = |contestant: Contestant| {
            let run = contestant.recipe(Path::new("/bin/holloway"), &program, Path::new("/t/p"), 9).run;
            assert!(run.limit.is_some());
            let args: Vec<_> = run.args.iter().map(|arg| arg.to_string_lossy()).collect();
            format!("({}) {} {}", run.folder.display(), run.program.display(), args.join(" "))
        };
        insta::assert_snapshot!(Contestant::ALL.map(line).join("\n"), @r#"
        (/f) /t/p 9
        (/f) /bin/holloway run --tier optimized /f/p.hw 9
        (/f) /bin/holloway run --tier auto /f/p.hw 9
        (/f) /bin/holloway run --tier auto --without traces /f/p.hw 9
        "#);
        let names = Comparison::ALL.map(Comparison::name);
        assert_eq!(names, ["optimized/gcc", "auto/gcc", "auto/optimized", "auto/without"]);
    }
}
