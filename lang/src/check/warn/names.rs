//! The uses of names: which local is read or assigned, and which definition names which.
//!
//! In: names in the order in which [`walk`](super::walk) meets them. Out: every local with its uses, and the
//! definitions that a definition or the statements mention. Invariant: a name that could be a variant of an enum binds
//! nothing here, so a local may seem used that is not, but never the other way round.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::super::blueprint::TemplateItem;
use super::super::environment::{Def, DefKind, Environment};
use super::noted::Noted;
use crate::ast::{Mutability, Name};
use crate::source::{FileId, Span};

/// The kinds of local name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LocalKind {
    Variable(Mutability),
    /// Of a `for`.
    LoopVariable,
    /// Of `catch`.
    Message,
    Constant,
    Param,
}

/// A local name and its uses.
pub(super) struct LocalName {
    pub(super) name: Name,
    pub(super) kind: LocalKind,
    /// The variable of the same name that a pattern hides, by its definition.
    pub(super) hides: Option<Span>,
    /// The statement that declares it, others perhaps with it.
    pub(super) statement: Span,
    /// The definition or top-level statement that it is part of.
    pub(super) part: Span,
    pub(super) is_read: bool,
    pub(super) is_assigned: bool,
    /// True if an element or field of its value is assigned, or a collection in it grows or shrinks.
    pub(super) is_changed: bool,
}

/// The uses of names; see the module.
pub(super) struct Uses<'e> {
    env: &'e Environment,
    names: HashMap<Arc<str>, Vec<usize>>,
    open: Vec<Vec<Arc<str>>>,
    pub(super) locals: Vec<LocalName>,
    /// The definition that is walked, by the span of its name; none for statements.
    current: Option<Span>,
    part: Span,
    /// The definitions that a definition, or the statements, mention.
    mentions: HashMap<Option<Span>, HashSet<Span>>,
    /// The definitions that something else than themselves reads.
    read: HashSet<Span>,
    /// The globals that something assigns.
    assigned: HashSet<Span>,
    /// The globals whose value something changes.
    changed: HashSet<Span>,
    /// Files, each with one whose definitions it mentions.
    files: HashSet<(FileId, FileId)>,
    /// The name of every variant of every enum of the program.
    variants: HashSet<Arc<str>>,
    /// The names that stand for types in the definition that is walked.
    pub(super) type_params: Vec<Name>,
    /// Meanings of names, if they are asked for.
    pub(super) noted: Option<Noted<'e>>,
}

impl<'e> Uses<'e> {
    pub(super) fn new(env: &'e Environment) -> Self {
        let enums = env.templates.values().filter_map(|template| match &template.item {
            TemplateItem::Enum(item) => Some(item),
            TemplateItem::Fn(..) | TemplateItem::Struct(_) => None,
        });
        let variants = enums.flat_map(|item| item.variants.iter().map(|variant| variant.name.text.clone())).collect();
        Self {
            env,
            names: HashMap::new(),
            open: Vec::new(),
            locals: Vec::new(),
            current: None,
            part: Span::new(FileId::from_u32(0), 0, 0),
            mentions: HashMap::new(),
            read: HashSet::new(),
            assigned: HashSet::new(),
            changed: HashSet::new(),
            files: HashSet::new(),
            variants,
            type_params: Vec::new(),
            noted: None,
        }
    }

    /// Begins a definition, by the span of its name, or a top-level statement.
    pub(super) fn begin(&mut self, definition: Option<Span>, part: Span, type_params: &[Name]) {
        (self.current, self.part) = (definition, part);
        self.type_params = type_params.to_vec();
    }

    /// Notes where a name leads, and the scope around it.
    fn note(&mut self, name: &Name, definition: Option<Span>) {
        let Some(noted) = &mut self.noted else { return };
        if let Some(definition) = definition {
            noted.mean(name, definition);
        }
        if noted.wants_scope(name) {
            let mut visible: Vec<usize> = self.names.values().filter_map(|meanings| meanings.last().copied()).collect();
            visible.sort_unstable();
            noted.in_scope = Some(visible);
        }
    }

    /// A name of a field or a variant.
    pub(super) fn member_name(&mut self, name: &Name) {
        self.note(name, None);
        if let Some(noted) = &mut self.noted {
            noted.members.push(name.span);
        }
    }

    /// A name of a type.
    pub(super) fn type_name(&mut self, name: &Name) {
        match self.type_params.iter().rfind(|param| param.text == name.text).map(|param| param.span) {
            Some(param) => self.note(name, Some(param)),
            None => self.item(name),
        }
    }

    pub(super) fn enter(&mut self) {
        self.open.push(Vec::new());
    }

    pub(super) fn leave(&mut self) {
        for name in self.open.pop().expect("every scope that is left was entered") {
            self.names.get_mut(&name).and_then(Vec::pop).expect("every name of a scope has a meaning");
        }
    }

    /// Returns true if names are declared in a scope, and not at top level.
    pub(super) fn is_local(&self) -> bool {
        !self.open.is_empty()
    }

    pub(super) fn declare(&mut self, name: &Name, kind: LocalKind, statement: Span) {
        if name.is_wildcard() || self.noted.as_ref().is_some_and(|noted| noted.is_variant(name)) {
            return;
        }
        let (is_read, is_assigned, is_changed, part) = (false, false, false, self.part);
        self.open.last_mut().expect("names are declared in a scope").push(name.text.clone());
        self.names.entry(name.text.clone()).or_default().push(self.locals.len());
        let (name, hides) = (name.clone(), None);
        self.locals.push(LocalName { name, kind, hides, statement, part, is_read, is_assigned, is_changed });
    }

    fn local(&self, name: &Name) -> Option<usize> {
        self.names.get(&name.text)?.last().copied()
    }

    /// A name that is read.
    pub(super) fn read(&mut self, name: &Name) {
        match self.local(name) {
            Some(local) => {
                self.locals[local].is_read = true;
                self.note(name, Some(self.locals[local].name.span));
            }
            None => self.item(name),
        }
    }

    /// A name that is assigned.
    pub(super) fn assign(&mut self, name: &Name) {
        if name.is_wildcard() {
            return;
        }
        match self.local(name) {
            Some(local) => {
                self.locals[local].is_assigned = true;
                self.note(name, Some(self.locals[local].name.span));
            }
            None => {
                let found = self.env.lookup(name.as_str(), name.span.file);
                self.note(name, found.map(|def| def.span));
                if let Some(def) = found {
                    self.assigned.insert(def.span);
                    self.files.insert((name.span.file, def.span.file));
                }
            }
        }
    }

    /// A name whose value is changed: there are readers who expect `var` then, as in languages where it is needed.
    pub(super) fn change(&mut self, name: &Name) {
        match self.local(name) {
            Some(local) => self.locals[local].is_changed = true,
            None => {
                let def = self.env.lookup(name.as_str(), name.span.file);
                self.changed.extend(def.map(|def| def.span));
            }
        }
    }

    /// A name of a definition, where no local has it.
    pub(super) fn item(&mut self, name: &Name) {
        let found = self.env.lookup(name.as_str(), name.span.file);
        self.note(name, found.map(|def| def.span));
        if let Some(def) = found {
            self.mention(def, name.span.file);
        }
    }

    /// The name behind the dot of a call: a function, unless it is a field.
    pub(super) fn method(&mut self, name: &Name) {
        let Some(def) = self.env.lookup(name.as_str(), name.span.file) else { return };
        if matches!(def.kind, DefKind::Fn(_) | DefKind::Template(_)) {
            self.note(name, Some(def.span));
            self.mention(def, name.span.file);
        }
    }

    /// `module.name`; returns false if `module` is not the name of an import.
    pub(super) fn member(&mut self, module: &Name, name: &Name) -> bool {
        let Some(def) = self.module(module) else { return false };
        self.note(module, Some(def.0.span));
        self.mention(def.0, module.span.file);
        if let Some(def) = self.env.member_of(def.1, name.as_str()) {
            self.note(name, Some(def.span));
            self.mention(def, name.span.file);
        }
        true
    }

    /// `module.name = ...`; returns false if `module` is not the name of an import.
    pub(super) fn assign_member(&mut self, module: &Name, name: &Name) -> bool {
        let Some(def) = self.module(module) else { return false };
        self.note(module, Some(def.0.span));
        self.mention(def.0, module.span.file);
        if let Some(def) = self.env.member_of(def.1, name.as_str()) {
            self.note(name, Some(def.span));
            self.assigned.insert(def.span);
        }
        true
    }

    fn module(&self, name: &Name) -> Option<(Def, FileId)> {
        if self.local(name).is_some() {
            return None;
        }
        let def = self.env.lookup(name.as_str(), name.span.file)?;
        match def.kind {
            DefKind::Module(file) => Some((def, file)),
            _ => None,
        }
    }

    fn mention(&mut self, def: Def, user: FileId) {
        self.mentions.entry(self.current).or_default().insert(def.span);
        if self.current != Some(def.span) {
            self.read.insert(def.span);
        }
        self.files.insert((user, def.span.file));
    }

    /// Returns true if neither a local nor a definition has the name.
    pub(super) fn is_free(&self, name: &Name) -> bool {
        self.local(name).is_none() && self.env.lookup(name.as_str(), name.span.file).is_none()
    }

    /// A name in a pattern: a constant, a variant, or one that is bound.
    pub(super) fn pattern_name(&mut self, name: &Name, statement: Span) {
        let is_constant = match self.local(name) {
            Some(local) => self.locals[local].kind == LocalKind::Constant,
            None => {
                let def = self.env.lookup(name.as_str(), name.span.file);
                matches!(def.map(|def| def.kind), Some(DefKind::Const(_)))
            }
        };
        if is_constant {
            self.read(name);
        } else if self.variants.contains(&name.text)
            && !self.noted.as_ref().is_some_and(|noted| noted.is_variable(name))
        {
            self.member_name(name);
        } else {
            let hides = match self.local(name) {
                Some(local) => Some(self.locals[local].name.span),
                None => self.env.lookup(name.as_str(), name.span.file).map(|def| def.span),
            };
            let before = self.locals.len();
            self.declare(name, LocalKind::Variable(Mutability::Fixed), statement);
            self.locals[before..].iter_mut().for_each(|local| local.hides = hides);
        }
    }

    /// Returns true if something else than the definition itself reads it.
    pub(super) fn is_read(&self, definition: Span) -> bool {
        self.read.contains(&definition)
    }

    /// Returns true if something assigns the global.
    pub(super) fn is_assigned(&self, global: Span) -> bool {
        self.assigned.contains(&global)
    }

    /// Returns true if something changes the value of the global.
    pub(super) fn is_changed(&self, global: Span) -> bool {
        self.changed.contains(&global)
    }

    /// Files, each with one whose definitions it mentions.
    pub(super) fn files(&self) -> impl Iterator<Item = (FileId, FileId)> {
        self.files.iter().copied()
    }

    /// The definitions that the statements, or one of `roots`, reach.
    pub(super) fn reached(&self, roots: impl Iterator<Item = Span>) -> HashSet<Span> {
        let mut found = HashSet::new();
        let of = |definition| self.mentions.get(&definition).into_iter().flatten().copied();
        let mut pending: Vec<Span> = of(None).chain(roots).collect();
        while let Some(definition) = pending.pop() {
            if found.insert(definition) {
                pending.extend(of(Some(definition)));
            }
        }
        found
    }
}
