//! Help for what other languages write in another way: names of methods, copies, and numbers of variants.
//!
//! In: the names and types of an expression that is refused. Out: a line of help with the text that is right, if the
//! habit is known.

use super::Checker;
use super::blueprint::TemplateItem;
use super::body::Body;
use super::environment::{Collection, DefKind};
use crate::ast;
use crate::ir::{Type, TypeRef};

/// Longest text of a copy that a help spells out.
const LONGEST_COPY: usize = 60;

/// Most variants that a help lists.
const LISTED: usize = 2;

impl Body<'_, '_> {
    /// The call, or the operators, that do what a method of that name does in other languages.
    pub(super) fn method_help(
        &self,
        base: &ast::Expr,
        name: &str,
        args: &[ast::Expr],
        found: TypeRef,
    ) -> Option<String> {
        let object = self.cx.operand_text(base);
        let arg = |at: usize| args.get(at).map_or("...", |arg| self.cx.short_text(arg));
        let collection = self.cx.env.collection_of(found).map(|(collection, _)| collection);
        let is_array = matches!(self.type_of(found), Type::Array(_));
        let is_str = *self.type_of(found) == Type::Str;
        let has_parts = is_array || is_str || matches!(collection, Some(of) if of != Collection::Tuple);
        let has_indices = is_array || collection == Some(Collection::List);
        match name {
            "length" | "size" => Some(format!("write `len({object})`")),
            "is_empty" | "isEmpty" | "empty" if has_parts => Some(format!("write `len({object}) == 0`")),
            "append" | "add" | "push_back" | "push" | "push_str" | "insert" | "put" | "concat" => {
                self.adding_help(&object, args, found)
            }
            "to_string" | "toString" => self.text_help(base, found).or_else(|| Some(format!("write `str({object})`"))),
            "has" | "includes" | "contains_key" | "has_key" | "containsKey" if is_array => {
                Some(format!("write `{object}.any(fn(x) => x == {})`", arg(0)))
            }
            "has" | "includes" | "contains_key" | "has_key" | "containsKey" => {
                Some(format!("write `{object}.contains({})`", arg(0)))
            }
            "delete" | "erase" | "del" | "discard"
                if matches!(collection, Some(Collection::Dict | Collection::Set)) =>
            {
                Some(format!("write `{object}.remove({})`", arg(0)))
            }
            "delete" | "erase" | "remove_at" if collection == Some(Collection::List) => {
                Some(format!("write `{object}.remove({})`, which takes an index", arg(0)))
            }
            "shift" | "pop_front" | "popleft" if collection == Some(Collection::List) => {
                Some(format!("write `{object}.remove(0)`"))
            }
            "unshift" | "push_front" | "appendleft" if collection == Some(Collection::List) => {
                Some(format!("write `{object}.insert(0, {})`", arg(0)))
            }
            "swap" if has_indices && args.len() == 2 => {
                let (a, b) = (arg(0), arg(1));
                Some(format!("write `({object}[{a}], {object}[{b}]) = ({object}[{b}], {object}[{a}])`"))
            }
            "truncate" if has_indices => Some(format!("`{object}[..{}]` is a copy of the first ones", arg(0))),
            "slice" | "substring" | "substr" | "sub" if has_indices || is_str => {
                Some(format!("write `{object}[from..to]`"))
            }
            "reduce" if has_indices => Some(format!("write `{object}.fold(start, fn(sum, x) => ...)`")),
            "forEach" | "for_each" | "each" if has_parts => Some(format!("write `for x in {object} {{ }}`")),
            "strip" if is_str => Some(format!("write `{object}.trim()`")),
            "clone" | "copy" | "dup" => self.copy_help(&object, found),
            "unwrap" => Some(format!("`{object}!` unwraps it")),
            _ => None,
        }
    }

    /// The way to add something to a value.
    pub(super) fn adding_help(&self, object: &str, args: &[ast::Expr], found: TypeRef) -> Option<String> {
        let last = args.last().map_or("...", |arg| self.cx.short_text(arg));
        match (self.type_of(found), self.cx.env.collection_of(found)) {
            (Type::Array(_), _) => {
                Some(format!("an array has a fixed length; make `{object}` a list: `list(1, 2)`, `to_list(a)`"))
            }
            (Type::Str, _) => Some(format!("a string does not change; write `{object} += {last}`")),
            (_, Some((Collection::List, _))) => Some(format!("write `{object}.push({last})`")),
            (_, Some((Collection::Set, _))) => Some(format!("write `{object}.add({last})`")),
            (_, Some((Collection::Dict, _))) => Some(match args {
                [key, value] => {
                    format!("write `{object}[{}] = {}`", self.cx.short_text(key), self.cx.short_text(value))
                }
                _ => format!("write `{object}[key] = value`"),
            }),
            _ => None,
        }
    }

    /// The way to make a copy of a value that is a reference.
    pub(super) fn copy_help(&self, object: &str, found: TypeRef) -> Option<String> {
        match (self.type_of(found), self.cx.env.collection_of(found)) {
            (Type::Array(_), _) | (_, Some((Collection::List, _))) => Some(format!("write `{object}[..]`")),
            (_, Some((Collection::Dict, _))) => Some(format!("write `{object}.items().to_dict()`")),
            (_, Some((Collection::Set, _))) => Some(format!("write `{object}.to_list().to_set()`")),
            (Type::Record(record), None) if self.sees_fields(*record) => {
                let name = self.type_name(found);
                let name = name.split('[').next().unwrap_or_default();
                let fields = self.cx.env.module.records[*record].fields.iter();
                let fields: Vec<String> = fields.map(|field| format!("{0}: {object}.{0}", field.name)).collect();
                let all = format!("{name}({})", fields.join(", "));
                let all = if all.len() <= LONGEST_COPY { all } else { format!("{name}({}, ...)", fields.first()?) };
                Some(format!("a record has no copy; make a new one: `{all}`"))
            }
            (Type::Int | Type::Float | Type::Bool | Type::Str, _) | (_, Some((Collection::Tuple, _))) => {
                Some(format!("it does not change: `{object}` is as good as a copy"))
            }
            _ => None,
        }
    }

    /// The text of an enum's value.
    pub(super) fn text_help(&self, expr: &ast::Expr, found: TypeRef) -> Option<String> {
        self.enum_of(found)?;
        Some(format!("write `f\"{{{}}}\"`", self.cx.short_text(expr)))
    }

    /// The number of an enum's value.
    pub(super) fn number_help(&self, expr: &ast::Expr, found: TypeRef) -> Option<String> {
        let item = self.enum_of(found)?;
        let pattern = |variant: &ast::Variant| match variant.payloads.len() {
            0 => variant.name.text.to_string(),
            count => format!("{}({})", variant.name.as_str(), vec!["_"; count].join(", ")),
        };
        let arms = item.variants.iter().take(LISTED).enumerate();
        let mut arms: Vec<String> = arms.map(|(at, variant)| format!("{} => {at}", pattern(variant))).collect();
        if item.variants.len() > LISTED {
            arms.push("...".to_owned());
        }
        let subject = self.cx.short_text(expr);
        Some(format!("a variant has no number; give it one: `match {subject} {{ {} }}`", arms.join(", ")))
    }
}

impl Checker<'_> {
    /// The variants that a name means with their enums before it.
    pub(super) fn variant_help(&self, name: &str) -> Option<String> {
        let has = |kind| match kind {
            DefKind::Template(id) => match &self.env.templates[id].item {
                TemplateItem::Enum(item) => item.variants.iter().any(|variant| variant.name.as_str() == name),
                TemplateItem::Fn(..) | TemplateItem::Struct(_) => false,
            },
            DefKind::Fn(_) | DefKind::Struct(_) | DefKind::Const(_) | DefKind::Global(_) | DefKind::Module(_) => false,
        };
        let enums = self.env.names.iter().filter(|(_, def)| has(def.kind));
        let mut all: Vec<String> = enums.map(|(of, _)| format!("`{of}.{name}`")).collect();
        all.sort_unstable();
        (!all.is_empty()).then(|| format!("write {}", all.join(" or ")))
    }
}
