//! Summary of the definitions of an input.
//!
//! In: the definitions before and after it. Out: a line for each that is new or has changed its meaning. Invariant: a
//! file of any size is answered in a few lines.

use super::settings::MOST_LINES;
use hashbrown::HashSet;
use holloway_lang::session::Definition;

use holloway::Engine;

/// The definitions before an input.
pub(super) struct Before {
    names: HashSet<String>,
    files: usize,
}

impl Before {
    /// The present definitions.
    pub(super) fn of(engine: &Engine) -> Self {
        let names = engine.definitions().into_iter().map(|found| found.name).collect();
        Self { names, files: engine.sources().files().count() }
    }

    /// The summary of the definitions since then.
    pub(super) fn answer(&self, engine: &Engine) -> String {
        let new: Vec<Definition> = engine.definitions().into_iter().filter(|found| self.is_new(found)).collect();
        let lines = new.iter().map(|found| match self.names.contains(&found.name) {
            true => format!("{} (replaced)\n", found.head),
            false => format!("{}\n", found.head),
        });
        // One line that says how many there are is no better than the line it stands for.
        if new.len() <= MOST_LINES + 1 {
            return lines.collect();
        }
        let more = format!("and {} more\n", new.len() - MOST_LINES);
        lines.take(MOST_LINES).chain([more]).collect()
    }

    fn is_new(&self, found: &Definition) -> bool {
        use cranelift_entity::EntityRef;
        found.span.file.index() >= self.files
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway::Config;

    #[test]
    fn new_and_replaced_definitions_are_told() {
        let mut engine = Engine::interactive(Config::default()).unwrap();
        let mut answer = |text: &str| {
            let before = Before::of(&engine);
            engine.load("a", text).unwrap();
            let _ = engine.run_statements();
            before.answer(&engine)
        };
        assert_eq!(answer("fn f(a: int) -> int { return a }\nlet x = f(1)"), "fn f(a: int) -> int\nlet x: int\n");
        assert_eq!(answer("fn f(a: str) { }\nconst N = 2"), "fn f(a: str) (replaced)\nconst N: int = 2\n");
        assert_eq!(answer("x + 1"), "");
        assert_eq!(answer("let y = 1\nlet x = 1 / 0\nlet z = 2"), "let y: int\n");
        let many: String = (0..20).map(|n| format!("let v{n} = {n}\n")).collect();
        let many = answer(&many);
        assert_eq!((many.lines().count(), many.lines().last()), (13, Some("and 8 more")));
    }
}
