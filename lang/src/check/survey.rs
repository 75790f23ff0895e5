//! A survey of an input: everything that is known about its names, whether or not it is right.
//!
//! In: the files of one input, perhaps with parts left out that were not understood. Out: [`Survey`]; and the
//! environment has all definitions that could be made, for questions alone: nothing of it may be lowered or run.

use super::environment::{Def, Environment};
use super::steps::Ran;
use super::warn::Meanings;
use super::{Attention, Checker, File, SessionKind};
use crate::ast::{self, Name, TypeExpr};
use crate::diagnostic::Diagnostic;
use crate::index::{Receiver, Scope, Symbol, SymbolKind};
use crate::ir::{Shape, Type, TypeRef};
use crate::source::{SourceMap, Span};
use hashbrown::HashMap;

/// Everything that is known about the names of an input.
pub(crate) struct Survey {
    /// Errors, then warnings.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Top-level names: each with its kind, and its meaning where it is the first of its name.
    pub(crate) definitions: Vec<(Name, SymbolKind, Option<Def>)>,
    /// All other names that are declared.
    pub(crate) symbols: Vec<Symbol>,
    /// Names, each with the definition that it means.
    pub(crate) uses: Vec<(Span, Span)>,
    /// Names of fields and variants that mean nothing known.
    pub(crate) open: Vec<Span>,
    /// The names that could stand at the place that is asked about.
    pub(crate) scope: Scope,
}

/// Surveys the files of one input, which stand in the order in which they run; `probe` is a place that is asked about.
pub(crate) fn survey(
    env: &mut Environment,
    sources: &mut SourceMap,
    kind: SessionKind,
    probe: Option<Span>,
    files: Vec<File>,
) -> Survey {
    let mut checker = Checker::new(env, sources, kind, Attention::Names(probe));
    let Ran { unit, warnings, .. } = checker.run(files);
    let Meanings { locals, uses, open, in_scope } = checker.meanings(&unit);
    let mut survey = Survey {
        diagnostics: Vec::new(),
        definitions: Vec::new(),
        symbols: locals,
        uses,
        open,
        scope: Scope { locals: in_scope, receiver: checker.receiver() },
    };
    let mut define = |name: &Name, kind| {
        let def = checker.env.lookup(name.as_str(), name.span.file).filter(|def| def.span == name.span);
        survey.definitions.push((name.clone(), kind, def));
    };
    unit.fns.iter().for_each(|(item, _)| define(&item.name, SymbolKind::Function));
    unit.structs.iter().for_each(|item| define(&item.name, SymbolKind::Struct));
    unit.enums.iter().for_each(|item| define(&item.name, SymbolKind::Enum));
    unit.consts.iter().for_each(|item| define(&item.name, SymbolKind::Constant));
    unit.globals.iter().for_each(|item| define(&item.name, SymbolKind::Global));
    unit.aliases.iter().for_each(|(name, ..)| define(name, SymbolKind::Import));
    let places = survey.symbols.iter().enumerate().map(|(at, symbol)| (symbol.span, at)).collect();
    for (item, _) in &unit.fns {
        params_as_written(item, &places, &mut survey.symbols);
    }
    for item in &unit.structs {
        let fields = item.fields.iter().map(|field| {
            let head = format!("{}.{}: {}", item.name.as_str(), field.name.as_str(), field.ty.written());
            symbol(&field.name, SymbolKind::Field, head)
        });
        survey.symbols.extend(fields.chain(item.type_params.iter().map(type_param)));
    }
    for item in &unit.enums {
        let variants = item.variants.iter().map(|variant| variant_symbol(item, variant));
        survey.symbols.extend(variants.chain(item.type_params.iter().map(type_param)));
    }
    survey.diagnostics = checker.reports.finish();
    survey.diagnostics.extend(warnings);
    survey
}

impl Checker<'_> {
    /// The value before the dot at the place that is asked about.
    fn receiver(&self) -> Option<Receiver> {
        let ty = self.marks.receiver?;
        let name = |ty: TypeRef| self.env.type_name(ty, self.sources);
        let content = self.env.content(ty).unwrap_or(ty);
        let fields = match *self.env.type_of(content) {
            Type::Record(record) if matches!(self.env.module.records[record].shape, Shape::Struct) => {
                let fields = &self.env.module.records[record].fields;
                fields.iter().map(|field| (field.name.clone(), name(field.ty))).collect()
            }
            _ => Vec::new(),
        };
        Some(Receiver { ty: name(ty), fields })
    }
}

fn symbol(name: &Name, kind: SymbolKind, head: String) -> Symbol {
    Symbol { name: name.text.to_string(), span: name.span, kind, head, doc: None }
}

fn type_param(name: &Name) -> Symbol {
    symbol(name, SymbolKind::TypeParameter, format!("type {}", name.as_str()))
}

fn variant_symbol(item: &ast::Enum, variant: &ast::Variant) -> Symbol {
    let payloads: Vec<String> = variant.payloads.iter().map(TypeExpr::written).collect();
    let payloads = if payloads.is_empty() { String::new() } else { format!("({})", payloads.join(", ")) };
    let head = format!("{}.{}{payloads}", item.name.as_str(), variant.name.as_str());
    symbol(&variant.name, SymbolKind::Variant, head)
}

/// Gives the parameters of a function the types that are written: a body that is made for several types has no others.
/// `places` are those of the locals among the symbols.
fn params_as_written(item: &ast::Fn, places: &HashMap<Span, usize>, symbols: &mut Vec<Symbol>) {
    for param in &item.params {
        if let Some(&at) = places.get(&param.name.span) {
            symbols[at].head = format!("{}: {}", param.name.as_str(), param.ty.written());
        }
    }
    symbols.extend(item.type_params.iter().map(type_param));
}
