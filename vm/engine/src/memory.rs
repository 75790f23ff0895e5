//! The memory that variables take.
//!
//! In: a global. Out: its bytes, with those of all objects that it leads to. Invariant: nothing is allocated, so every
//! reference stays that of a live object.
#![expect(unsafe_code, reason = "takes words as references, as their types say")]

use crate::engine::Engine;
use holloway_lang::ir::{Elem, Global};

/// Bytes of a global itself.
const WORD: usize = 8;

impl Engine {
    /// Bytes of a global and of the objects that it leads to; those that it shares with others count for each.
    #[doc(hidden)]
    pub fn bytes_of_global(&self, global: Global) -> usize {
        let (module, runtime) = (self.module(), self.executor.runtime());
        match module.elem(module.globals[global].ty) {
            // SAFETY: a global of such a type holds a reference to a live object, or 0.
            Elem::Ref => WORD + unsafe { runtime.heap().bytes_reached_from(runtime.globals().get(global)) },
            Elem::Int | Elem::Float | Elem::Bool | Elem::Byte | Elem::Func | Elem::Char => WORD,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Config, Engine};

    #[test]
    fn shared_objects_count_once() {
        let mut engine = Engine::interactive(Config::default()).unwrap();
        engine.load("a", "let n = 1\nlet a = [0; 1000]\nlet b = [a, a]\nvar none_yet: str? = none").unwrap();
        engine.run_statements().unwrap();
        let bytes = |name: &str| {
            let global = engine.module().globals.iter().find(|(_, global)| global.name == name).unwrap().0;
            engine.bytes_of_global(global)
        };
        assert_eq!([bytes("n"), bytes("none_yet")], [8, 8]);
        // Cells are up to a third larger than what they hold.
        assert!((8000..11_000).contains(&bytes("a")), "{}", bytes("a"));
        assert!(bytes("b") > bytes("a") && bytes("b") < bytes("a") + 100, "{}", bytes("b"));
    }
}
