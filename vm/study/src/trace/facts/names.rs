//! The variable that a name means at a place of the source.
//!
//! In: a function with its text. Out: for a name and an offset, the local or the global that is read there.
//!
//! The IR names its locals and does not say where a name holds. So the tokens of the file are scanned for declarations, each with the
//! end of its scope: the brace that closes the block around a `let` or `var`; that of the block behind a parameter, a `for`, a `catch`, an
//! `if let` or a `while let`. A local belongs to the innermost declaration of its name around its first assignment.
//!
//! Locals of a module of WebAssembly hold in all of their function.

use holloway_lang::ir::{FuncRef, Function, Global, Local, Module};
use holloway_lang::source::{FileId, SourceMap};
use holloway_lang::token::{Token, TokenKind, lex};
use std::ops::Range;

/// A variable of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// A local of the function, parameters included.
    Local(Local),
    /// A global.
    Global(Global),
    /// Bytes of the linear memory.
    Memory(MemoryPlace),
}

/// Bytes of the linear memory that are a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemoryPlace {
    /// The variable whose value is added to the address.
    pub base: Option<BaseVariable>,
    /// The address of the first byte.
    pub address: i64,
    /// The number of bytes.
    pub size: u64,
}

/// A variable that an address counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BaseVariable {
    /// A local.
    Local(Local),
    /// A global.
    Global(Global),
}

impl MemoryPlace {
    /// The addresses, given the value of the base; `None` if they lie outside of any memory.
    pub fn addresses(self, base: u64) -> Option<Range<u64>> {
        let start = u64::from(u32::try_from(base as i64 + self.address).ok()?);
        Some(start..start.checked_add(self.size)?.min(1 << 32))
    }
}

/// A declaration of a local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Declaration {
    name: String,
    /// The offset of the name.
    start: u32,
    /// The offset of the brace that ends its scope.
    end: u32,
}

/// The variables that can be read at places of one function.
#[derive(Clone, Debug)]
pub struct VisibleNames<'a> {
    module: &'a Module,
    func: FuncRef,
    file: FileId,
    sources: &'a SourceMap,
    /// The named locals of the function.
    locals: Vec<(Local, Declaration)>,
}

impl<'a> VisibleNames<'a> {
    /// The names of a function.
    pub fn new(module: &'a Module, sources: &'a SourceMap, func: FuncRef) -> VisibleNames<'a> {
        let body = module.function(func);
        let file = body.span.file;
        if module.linear.is_some() {
            return VisibleNames { module, func, file, sources, locals: of_module(body) };
        }
        let declarations = declarations(file, &sources.file(file).text);
        let named = body.locals.iter().filter_map(|(local, decl)| Some((local, decl.name.as_deref()?)));
        let locals = named.filter_map(|(local, name)| {
            let of_name = declarations.iter().filter(|declaration| declaration.name == name);
            let declaration = match first_assignment(body, local) {
                _ if body.params.contains(&local) => of_name.clone().find(|it| it.start >= body.span.start),
                Some(at) => of_name.filter(|it| it.start <= at && at < it.end).max_by_key(|it| it.start),
                None => None,
            };
            Some((local, declaration?.clone()))
        });
        VisibleNames { module, func, file, sources, locals: locals.collect() }
    }

    /// The variable that a name means just before the statement at an offset. A variable that the same line declares is meant only if
    /// there is no other.
    pub fn find(&self, name: &str, at: u32) -> Option<Variable> {
        if self.module.linear.is_some() {
            // As it is written in text modules.
            let name = name.strip_prefix('$').unwrap_or(name);
            let local = self.locals.iter().find(|(_, declaration)| declaration.name == name);
            let global = || self.module.globals.iter().find(|(_, global)| global.name == name);
            let local = local.map(|(local, _)| Variable::Local(*local));
            return local.or_else(|| Some(Variable::Global(global()?.0)));
        }
        let line = self.line(at);
        let is_parameter = |local: &Local| self.module.function(self.func).params.contains(local);
        let visible = self.visible(at).filter(|(_, declaration)| declaration.name == name);
        let ranked = visible.map(|(local, declaration)| {
            let is_set = is_parameter(local) || self.line(declaration.start) < line;
            ((is_set, declaration.start), Variable::Local(*local))
        });
        let mut of_name = self.module.globals.iter().filter(|(_, global)| global.name == name);
        // Between the locals of earlier lines and those of this one.
        let global = of_name.next_back().map(|(global, _)| ((true, 0), Variable::Global(global)));
        ranked.chain(global).max_by_key(|(rank, _)| *rank).map(|(_, variable)| variable)
    }

    /// The names that mean something at an offset, sorted.
    pub fn names(&self, at: u32) -> Vec<String> {
        let locals = self.visible(at).map(|(_, declaration)| declaration.name.clone());
        let globals = self.module.globals.values().filter(|global| !is_hidden(self.module, &global.name));
        let mut names: Vec<String> = locals.chain(globals.map(|global| global.name.clone())).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn visible(&self, at: u32) -> impl Iterator<Item = &(Local, Declaration)> {
        let (line, is_module) = (self.line(at), self.module.linear.is_some());
        let is_visible = move |declaration: &Declaration| {
            if is_module {
                return true;
            }
            (declaration.start <= at || self.line(declaration.start) == line) && at < declaration.end
        };
        self.locals.iter().filter(move |(_, declaration)| is_visible(declaration))
    }

    fn line(&self, offset: u32) -> u32 {
        self.sources.file(self.file).line(offset)
    }
}

/// The locals of a module's function that have names, which hold in all of it.
fn of_module(body: &Function) -> Vec<(Local, Declaration)> {
    let named = body.locals.iter().filter_map(|(local, decl)| Some((local, decl.name.clone()?)));
    named.map(|(local, name)| (local, Declaration { name, start: 0, end: u32::MAX })).collect()
}

/// Returns whether a global of a module is one that no program names: it carries results and operands.
fn is_hidden(module: &Module, name: &str) -> bool {
    module.linear.is_some() && name.starts_with("value ") && name.ends_with(')')
}

/// The offset of the first instruction that assigns a local. Blocks stand in source order; the step of a loop, whose span is the whole
/// loop, comes behind the first assignment of its variable.
fn first_assignment(body: &Function, local: Local) -> Option<u32> {
    let mut all = body.blocks.values().flat_map(|data| data.insts.iter().zip(&data.spans));
    all.find(|(inst, _)| inst.dst() == Some(local)).map(|(_, span)| span.start)
}

/// The declarations of local variables in a file, in order.
fn declarations(file: FileId, text: &str) -> Vec<Declaration> {
    let tokens = lex(file, text).tokens;
    let closing = closing_braces(&tokens);
    let mut found = Vec::new();
    // The closing braces of the open blocks.
    let mut open: Vec<u32> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| tokens[before].kind);
        let next = |kind: TokenKind| tokens.get(at + 1).filter(|next| next.kind == kind);
        let block_behind = || (at..tokens.len()).find_map(|at| closing[at]);
        let mut declare = |name: &Token, end: Option<u32>| {
            let name_text = text[name.start as usize..name.end as usize].to_owned();
            found.extend(end.map(|end| Declaration { name: name_text, start: name.start, end }));
        };
        match token.kind {
            TokenKind::OpenBrace => open.push(closing[at].unwrap_or(u32::MAX)),
            TokenKind::CloseBrace => {
                open.pop();
            }
            TokenKind::Let | TokenKind::Var => {
                let end = match before {
                    Some(TokenKind::If | TokenKind::While) => block_behind(),
                    _ => open.last().copied(),
                };
                next(TokenKind::Name).into_iter().for_each(|name| declare(name, end));
            }
            TokenKind::For | TokenKind::Catch => {
                next(TokenKind::Name).into_iter().for_each(|name| declare(name, block_behind()));
            }
            TokenKind::Fn if next(TokenKind::Name).is_some() => {
                for name in parameters(&tokens[at..]) {
                    declare(name, block_behind());
                }
            }
            _ => {}
        }
    }
    found
}

/// For each token that opens a block the offset of the brace that closes it.
fn closing_braces(tokens: &[Token]) -> Vec<Option<u32>> {
    let mut closing = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::OpenBrace => open.push(at),
            TokenKind::CloseBrace => {
                if let Some(from) = open.pop() {
                    closing[from] = Some(token.start);
                }
            }
            _ => {}
        }
    }
    closing
}

/// The names of a function's parameters; `tokens` begin at its `fn`.
fn parameters(tokens: &[Token]) -> Vec<&Token> {
    let mut depth = 0;
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::OpenParen => depth += 1,
            TokenKind::CloseParen if depth == 1 => break,
            TokenKind::CloseParen => depth -= 1,
            TokenKind::Name if depth == 1 && tokens.get(at + 1).is_some_and(|it| it.kind == TokenKind::Colon) => {
                found.push(token);
            }
            _ => {}
        }
    }
    found
}
