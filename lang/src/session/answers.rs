//! The values that a REPL has shown, for later inputs: `ans`, and `_` for short.
//!
//! In: an input. Out: its additions; if it shows a value, the last of its top-level functions also stores that in a
//! global, which both names mean from then on. Invariants: a program's own `ans` stays what it is; code that outlives
//! its input, a closure say, keeps the answer that it was made with; every other answer but the last is given back, so
//! that its memory can be collected.

use super::shows;
use super::{Added, Input, Loader, NewGlobal, Session};
use crate::ast::Mutability;
use crate::check::Attention;
use crate::check::environment::{Def, DefKind};
use crate::diagnostic::Diagnostic;
use crate::ir::verify::verify;
use crate::ir::{FuncRef, Global, Inst, Module, TypeRef};
use crate::source::{FileId, Span};
use std::sync::Arc;

/// The short name, which no program can define.
const SHORT: &str = "_";
/// The long name.
const LONG: &str = "ans";

impl Session {
    /// Adds an input, and keeps the value that it shows for the next one.
    pub fn add_keeping(&mut self, input: Input<'_>, loader: &mut dyn Loader) -> Result<Added, Vec<Diagnostic>> {
        let (env, loaded, output) = self.check(input, loader, Attention::Errors)?;
        let last: Vec<(&str, Def)> =
            self.answer_names().into_iter().filter_map(|name| Some((name, *self.env.names.get(name)?))).collect();
        let bodies: Vec<FuncRef> = output.functions.iter().map(|function| function.func).collect();
        let mut added = self.take(env, loaded, output);
        let lasting = bodies.into_iter().filter(|func| !added.top_level.contains(func));
        for func in lasting {
            let read = globals_read(&self.env.module, func);
            let seen: Vec<Global> = read.into_iter().filter(|global| self.answers.contains(global)).collect();
            if !seen.is_empty() {
                self.lasting_answers.extend(seen);
                self.fix_names(self.env.module.funcs[func].body.span.file, &last);
            }
        }
        if let (Some(ty), Some(&func)) = (added.shown, added.top_level.last()) {
            self.keep(ty, func, &mut added);
        }
        self.publish();
        Ok(added)
    }

    /// Makes the names of the last answer mean that one for good in a file, whose functions may be checked again.
    fn fix_names(&mut self, file: FileId, last: &[(&str, Def)]) {
        let own = self.env.aliases.entry(file).or_default();
        last.iter().for_each(|&(name, def)| _ = own.entry(name.into()).or_insert(def));
    }

    /// Makes `func` store the value that it shows.
    fn keep(&mut self, ty: TypeRef, func: FuncRef, added: &mut Added) {
        let Some(span) = span_of_shown(&self.env.module, func) else { return };
        let last = self.answer();
        let fits =
            |global: &Global| !self.lasting_answers.contains(global) && self.env.module.globals[*global].ty == ty;
        let global = match last.filter(fits).or_else(|| self.answers.iter().copied().find(fits)) {
            Some(global) => global,
            None => {
                let global = self.env.add_global(LONG.into(), span, Mutability::Fixed);
                self.env.set_global_type(global, Ok(ty));
                self.env.globals[global].is_answer = true;
                self.answers.push(global);
                global
            }
        };
        // The last answer has a value even if this input fails before it stores another.
        if last != Some(global) {
            added.globals.push(NewGlobal { global, func, span });
        }
        for name in self.free_names() {
            self.env.names.insert(name.into(), Def { span, kind: DefKind::Global(global) });
        }
        store_shown(&mut self.env.module, func, global);
    }

    /// The globals of former answers that no code reads any more, after an input has run.
    pub fn former_answers(&self) -> impl Iterator<Item = Global> + '_ {
        let last = self.answer();
        let is_former = move |global: &Global| last != Some(*global) && !self.lasting_answers.contains(global);
        self.answers.iter().copied().filter(is_former)
    }

    /// The names that mean the last answer.
    pub fn answer_names(&self) -> Vec<&'static str> {
        if self.answer().is_some() { self.free_names() } else { Vec::new() }
    }

    /// The places in a file at which code reads an answer, in order: each the span of a name.
    pub fn answers_read_in(&self, file: FileId) -> Vec<Span> {
        let bodies = self.module.funcs.values().map(|decl| &decl.body).filter(|body| body.span.file == file);
        let insts = bodies.flat_map(|body| body.blocks.values()).flat_map(|block| block.insts.iter().zip(&block.spans));
        let read = insts.filter_map(|(inst, span)| match inst {
            Inst::GlobalGet { global, .. } => self.answers.contains(global).then_some(*span),
            _ => None,
        });
        let mut read: Vec<Span> = read.collect();
        read.sort_unstable();
        read.dedup();
        read
    }

    /// The global of the last answer.
    fn answer(&self) -> Option<Global> {
        self.global(SHORT).map(|(global, _)| global)
    }

    /// The names of answers, without the long one if the program has given it a meaning.
    fn free_names(&self) -> Vec<&'static str> {
        let long = self.env.names.get(LONG).map(|def| def.kind);
        let is_free = long.is_none() || long == self.answer().map(DefKind::Global);
        if is_free { vec![SHORT, LONG] } else { vec![SHORT] }
    }
}

fn span_of_shown(module: &Module, func: FuncRef) -> Option<Span> {
    let blocks = module.funcs[func].body.blocks.values();
    blocks.flat_map(|block| block.insts.iter().zip(&block.spans)).find(|(inst, _)| shows(inst)).map(|(_, span)| *span)
}

/// Stores the value in `global` before it is shown.
fn store_shown(module: &mut Module, func: FuncRef, global: Global) {
    let mut body = (*module.funcs[func].body).clone();
    for block in body.blocks.values_mut() {
        let Some(at) = block.insts.iter().position(shows) else { continue };
        let Inst::Builtin { args, .. } = &block.insts[at] else { unreachable!("it shows") };
        let (src, span) = (args[0], block.spans[at]);
        block.insts.insert(at, Inst::GlobalSet { global, src });
        block.spans.insert(at, span);
    }
    debug_assert_eq!(verify(module, &body), Ok(()), "the body of an answer");
    module.funcs[func].body = Arc::new(body);
}

fn globals_read(module: &Module, func: FuncRef) -> Vec<Global> {
    let insts = module.funcs[func].body.blocks.values().flat_map(|block| &block.insts);
    let read = insts.filter_map(|inst| match inst {
        Inst::GlobalGet { global, .. } => Some(*global),
        _ => None,
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use super::super::{NoFiles, SessionKind};
    use super::*;
    use cranelift_entity::EntityRef;

    fn add(session: &mut Session, text: &str) -> Result<Added, Vec<Diagnostic>> {
        session.add_keeping(Input { name: "a", key: None, bytes: text.as_bytes() }, &mut NoFiles)
    }

    /// The global that a name means after the inputs.
    fn after(session: &mut Session, texts: &[&str]) -> Option<Global> {
        for text in texts {
            add(session, text).expect("it is right");
        }
        session.answer()
    }

    #[test]
    fn answers_of_one_type_share_a_global() {
        let mut session = Session::new(SessionKind::Repl);
        assert_eq!(after(&mut session, &["let x = 1", "print(x)"]), None);
        let first = after(&mut session, &["1 + 2"]);
        assert!(first.is_some());
        assert_eq!(after(&mut session, &["ans * _"]), first);
        let text = after(&mut session, &["\"a\""]);
        assert_ne!(text, first);
        assert_eq!(session.former_answers().collect::<Vec<_>>(), [first.unwrap()]);
        assert_eq!(after(&mut session, &["len(ans)"]), first);
        assert!(add(&mut session, "ans + \"b\"").is_err());
    }

    #[test]
    fn a_closure_keeps_its_answer() {
        let mut session = Session::new(SessionKind::Repl);
        let first = after(&mut session, &["1 + 2"]);
        let second = after(&mut session, &["let f = fn() => ans", "4"]);
        assert_ne!(first, second);
        assert_eq!(session.former_answers().count(), 0);
        assert_eq!(after(&mut session, &["5", "6"]), second);
    }

    #[test]
    fn the_places_that_read_an_answer_are_known() {
        let mut session = Session::new(SessionKind::Repl);
        after(&mut session, &["1 + 2"]);
        let text = "let (_, n) = (1, ans)\nfn f(a: int) -> int { let _ = a; return _ }\nprint(f\"{ans}: {f(_):>3}\")\nlet ns = list(7).map(fn(_) => n + ans)";
        let file = FileId::new(session.sources.files().count());
        after(&mut session, &[text]);
        let read: Vec<u32> = session.answers_read_in(file).iter().map(|span| span.start).collect();
        let at = |part: &str, within: usize| (text.find(part).expect("it is there") + within) as u32;
        assert_eq!(read, [at("1, ans", 3), at("return _", 7), at("{ans", 1), at("f(_)", 2), at("n + ans", 4)]);
        // A variable of the program is no answer.
        after(&mut session, &["let ans = 1"]);
        let file = FileId::new(session.sources.files().count());
        after(&mut session, &["ans"]);
        assert!(session.answers_read_in(file).is_empty());
    }

    #[test]
    fn a_program_may_have_its_own_ans() {
        let mut session = Session::new(SessionKind::Repl);
        after(&mut session, &["\"text\"", "let ans = 1", "2.5"]);
        assert_eq!(session.definition("ans").unwrap().head, "let ans: int");
        assert_eq!(session.answer_names(), ["_"]);
        assert!(add(&mut session, "let x: float = _").is_ok());
        assert_eq!(session.definition("_").unwrap().head, "let _: float");
    }
}
