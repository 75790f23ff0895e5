//! Definitions that an input makes outdated: those of earlier inputs that refer, directly or not, to names whose
//! meaning changes. They are checked again as if they stood in the input, so that no live code keeps a meaning that is
//! gone.
//!
//! In: a [`Unit`] and the environment before it. Out: the structs and constants to declare again, and the functions to
//! check. Invariant: a function keeps its id exactly as long as its signature, types compared by identity; so code
//! that holds the id, old or new, agrees with the body on every type.
//!
//! A struct that is replaced gets a new record, as values of the old layout may live on. Structs that contain it,
//! constants made of replaced constants and functions whose signature names such a struct follow.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::environment::{Author, Def, DefKind, FuncInfo, TemplateItem};
use super::unit::{Sort, Unit};
use super::{Checker, Role};
use crate::ast;
use crate::ir::{FuncRef, FunctionKind, Signature};
use crate::source::FileId;

/// Data definitions of earlier inputs that must be declared again.
#[derive(Default)]
pub(super) struct Outdated {
    pub(super) structs: Vec<Arc<ast::Struct>>,
    pub(super) enums: Vec<Arc<ast::Enum>>,
    /// Functions that are made for each set of types.
    functions: Vec<Arc<ast::Fn>>,
    pub(super) consts: Vec<Arc<ast::Const>>,
    /// Every name whose meaning changes, as far as known before signatures are resolved.
    changed: HashSet<Arc<str>>,
}

/// A function whose body is to be checked.
pub(super) struct PendingFunction {
    pub(super) func: FuncRef,
    pub(super) item: Arc<ast::Fn>,
    /// The remark that its errors carry.
    pub(super) context: Option<String>,
}

impl Outdated {
    /// The remark for errors in a definition that was right before this input.
    pub(super) fn context(&self, name: &ast::Name) -> String {
        format!("`{}` of an earlier input uses what this input redefines; redefine both in one input", name.as_str())
    }
}

impl Checker<'_> {
    /// Finds the structs and constants of earlier inputs that `unit` makes outdated.
    pub(super) fn outdated_data(&self, unit: &Unit) -> Outdated {
        let mut outdated = Outdated::default();
        for (name, claim) in &unit.names {
            let was_function = matches!(self.env.names.get(name), Some(Def { kind: DefKind::Fn(_), .. }));
            let stays = was_function && claim.sort == Sort::Fn;
            // A function that replaces a function changes the name's meaning if its signature differs, which is seen
            // later.
            if !stays {
                outdated.changed.insert(name.clone());
            }
        }
        let users = self.users_of_data(unit);
        let mut pending: Vec<Arc<str>> = outdated.changed.iter().cloned().collect();
        while let Some(name) = pending.pop() {
            for &(user, def) in users.get(&name).into_iter().flatten() {
                if outdated.changed.insert(user.clone()) {
                    pending.push(user.clone());
                    match def.kind {
                        DefKind::Struct(record) => outdated.structs.extend(self.env.struct_item(record).cloned()),
                        DefKind::Const(id) => outdated.consts.push(self.env.consts[id].item.clone()),
                        DefKind::Template(id) => match &self.env.templates[id].item {
                            TemplateItem::Fn(item, _) => outdated.functions.push(item.clone()),
                            TemplateItem::Struct(item) => outdated.structs.push(item.clone()),
                            TemplateItem::Enum(item) => outdated.enums.push(item.clone()),
                        },
                        DefKind::Fn(_) | DefKind::Global(_) | DefKind::Module(_) => {
                            unreachable!("only data is a user of data")
                        }
                    }
                }
            }
        }
        outdated.structs.sort_by_key(|item| item.span);
        outdated.enums.sort_by_key(|item| item.span);
        outdated.functions.sort_by_key(|item| item.span);
        outdated.consts.sort_by_key(|item| item.span);
        outdated
    }

    /// The structs and constants that survive `unit`, by the names that they refer to.
    fn users_of_data(&self, unit: &Unit) -> HashMap<&Arc<str>, Vec<(&Arc<str>, Def)>> {
        let mut users: HashMap<&Arc<str>, Vec<(&Arc<str>, Def)>> = HashMap::new();
        for (name, &def) in self.env.names.iter().filter(|(name, _)| !unit.names.contains_key(*name)) {
            let used = match def.kind {
                DefKind::Struct(record) => &self.env.records[record].names,
                DefKind::Const(id) => &self.env.consts[id].names,
                DefKind::Template(id) => &self.env.templates[id].words,
                DefKind::Fn(_) | DefKind::Global(_) | DefKind::Module(_) => continue,
            };
            for used in used {
                users.entry(used).or_default().push((name, def));
            }
        }
        users
    }

    /// Resolves the signatures of the functions of `unit`, and of those that it makes outdated, and gives each its id.
    pub(super) fn declare_functions(&mut self, unit: &Unit, outdated: &Outdated) -> Vec<PendingFunction> {
        let mut changed = outdated.changed.clone();
        let live = self.live_functions(unit);
        let mut pending = Vec::new();
        let generic = unit.fns.iter().map(|(item, _)| item).filter(|item| !item.type_params.is_empty());
        for item in generic.chain(&outdated.functions) {
            self.check_params(&item.type_params);
            changed.insert(item.name.text.clone());
            let id = self.add_template(TemplateItem::Fn(item.clone(), Author::Program));
            self.define(&item.name, DefKind::Template(id));
        }
        for (item, role) in unit.fns.iter().filter(|(item, _)| item.type_params.is_empty()) {
            let info = self.signature(item);
            let func = self.declare_function(item, *role, info, &mut changed);
            pending.push(PendingFunction { func, item: item.clone(), context: None });
        }
        let mut rest = Vec::new();
        for (func, role) in live {
            let Some(item) = self.env.funcs[func].item.clone() else { continue };
            if self.env.funcs[func].mentions.names.is_disjoint(&changed) {
                rest.push((func, item));
                continue;
            }
            let context = Some(outdated.context(&item.name));
            self.reports.set_context(context.clone());
            let info = self.signature(&item);
            self.reports.set_context(None);
            let func = self.declare_function(&item, role, info, &mut changed);
            pending.push(PendingFunction { func, item, context });
        }
        // Those that mention functions whose signatures changed just now.
        for (func, item) in rest {
            if !self.env.funcs[func].mentions.names.is_disjoint(&changed) {
                self.replaced.push(func);
                let context = Some(outdated.context(&item.name));
                pending.push(PendingFunction { func, item, context });
            }
        }
        pending
    }

    /// The functions that survive `unit`, in order of their ids.
    fn live_functions(&self, unit: &Unit) -> Vec<(FuncRef, Role)> {
        let func = |def: &Def| match def.kind {
            DefKind::Fn(func) => Some(func),
            DefKind::Struct(_)
            | DefKind::Template(_)
            | DefKind::Const(_)
            | DefKind::Global(_)
            | DefKind::Module(_) => None,
        };
        let shared = self.env.names.iter().filter(|(name, _)| !unit.names.contains_key(*name));
        let shared = shared.filter_map(|(_, def)| Some((func(def)?, Role::Root)));
        let own = self.env.own_mains.values().filter_map(|def| Some((func(def)?, Role::Imported)));
        let mut all: Vec<_> = shared.chain(own).collect();
        all.sort_by_key(|&(func, _)| func);
        all
    }

    /// Gives a function its id: the one it has if the signature is still the same.
    fn declare_function(
        &mut self,
        item: &ast::Fn,
        role: Role,
        info: FuncInfo,
        changed: &mut HashSet<Arc<str>>,
    ) -> FuncRef {
        let func = match self.keeps_id(item, role, &info) {
            Some(func) => {
                self.env.funcs[func] = info;
                self.replaced.push(func);
                func
            }
            None => {
                changed.insert(item.name.text.clone());
                self.env.add_func(info, item.name.span, FunctionKind::Declared)
            }
        };
        let def = Def { span: item.name.span, kind: DefKind::Fn(func) };
        match role {
            Role::Root => self.env.define(&item.name, def.kind),
            Role::Imported => self.env.own_mains.insert(item.name.span.file, def),
        };
        func
    }

    /// The function that `item` replaces, if it has the same signature.
    fn keeps_id(&mut self, item: &ast::Fn, role: Role, info: &FuncInfo) -> Option<FuncRef> {
        let file: FileId = item.name.span.file;
        let def = match role {
            Role::Root => self.env.lookup_in(self.env.namespace_of(file), &item.name.text),
            Role::Imported => self.env.own_mains.get(&file).copied(),
        };
        let Some(Def { kind: DefKind::Fn(func), .. }) = def else { return None };
        let params = info.params.iter().map(|param| param.ty.ok()).collect::<Option<_>>()?;
        let sig = self.env.sig(Signature { params, result: info.result.ok()? });
        (self.env.module.funcs[func].sig == sig).then_some(func)
    }
}
