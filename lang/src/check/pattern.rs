//! Patterns of a `match` on values with parts, resolved: what is tested, and the names that are bound.
//!
//! In: a pattern and the type that it is for. Out: a [`Pat`]. Invariant: a name that is a constant, or a variant of the
//! matched enum, is that; every other one binds.

use super::blueprint::TemplateItem;
use super::body::Body;
use super::decision::Pat;
use super::environment::{Collection, DefKind, Origin};
use super::error::CheckError;
use super::example::pattern_of;
use super::frame::VarKind;
use super::report::Checked;
use super::scope::Local;
use crate::ast::{self, Bound, Mutability, Name, Pattern, PatternKind, PatternValueKind};
use crate::diagnostic::Diagnostic;
use crate::ir::{Shape, Type, TypeRef};
use crate::source::Span;

impl Body<'_, '_> {
    /// Resolves a pattern for a value of type `ty`; names are declared in the innermost scope unless it is one of several
    /// alternatives.
    pub(super) fn pattern(&mut self, pattern: &Pattern, ty: TypeRef, is_part: bool, binds: bool) -> Checked<Pat> {
        let content = self.cx.env.content(ty);
        match &pattern.kind {
            PatternKind::Wildcard => Ok(Pat::Any),
            PatternKind::None => match content {
                Some(_) => Ok(Pat::None),
                None => Err(self.bad_pattern("`none`", ty, pattern.span)),
            },
            PatternKind::Or(alternatives) => {
                let all: Vec<_> = alternatives.iter().map(|one| self.pattern(one, ty, is_part, false)).collect();
                Ok(Pat::Or(all.into_iter().collect::<Checked<_>>()?))
            }
            PatternKind::Value(value) => {
                if let PatternValueKind::Name(name) = &value.kind
                    && !self.is_constant(name)
                    && !self.is_variant(name, content.unwrap_or(ty))
                {
                    return match content {
                        // The name stands for what is there; a part is bound as it is.
                        Some(content) if !is_part => {
                            self.bind_name(name, content, binds).map(|pat| Pat::Some(Box::new(pat)))
                        }
                        _ => self.bind_name(name, ty, binds),
                    };
                }
                match content {
                    Some(content) => Ok(Pat::Some(Box::new(self.pattern(pattern, content, true, binds)?))),
                    None => self.value_pattern(value, ty),
                }
            }
            PatternKind::Range { low, high, bound } => match content {
                Some(content) => Ok(Pat::Some(Box::new(self.pattern(pattern, content, true, binds)?))),
                None => self.range_pattern(pattern, low, high, *bound, ty),
            },
            PatternKind::Tuple(parts) => {
                if let Some(content) = content {
                    return Ok(Pat::Some(Box::new(self.pattern(pattern, content, true, binds)?)));
                }
                let types = match self.cx.env.collection_of(ty) {
                    Some((Collection::Tuple, types)) if types.len() == parts.len() => types.to_vec(),
                    _ => return Err(self.bad_pattern("a tuple pattern", ty, pattern.span)),
                };
                let parts: Vec<_> =
                    parts.iter().zip(types).map(|(part, ty)| self.pattern(part, ty, true, binds)).collect();
                Ok(Pat::Tuple(parts.into_iter().collect::<Checked<_>>()?))
            }
            PatternKind::Variant { name, parts } => {
                if let Some(content) = content {
                    return Ok(Pat::Some(Box::new(self.pattern(pattern, content, true, binds)?)));
                }
                self.variant_pattern(name, parts, ty, pattern.span, binds)
            }
        }
    }

    fn bind_name(&mut self, name: &Name, ty: TypeRef, binds: bool) -> Checked<Pat> {
        if !binds {
            let error = Diagnostic::error(CheckError::NameInAlternative(name.text.to_string()), name.span);
            return Err(self.report(error.with_help("write `_`, or an arm for each")));
        }
        let twice = self.scopes.innermost(name.as_str()).and_then(|local| match local {
            Local::Var(var) => Some(self.vars[var].span),
            Local::Const { .. } | Local::Unknown(_) => None,
        });
        if let Some(first) = twice {
            return Err(self.cx.duplicate("bound", name, first));
        }
        self.declare(name, Ok(ty), Mutability::Fixed, VarKind::Content).map(Pat::Bind)
    }

    /// Returns true if a name in a pattern is that of a constant.
    pub(super) fn is_constant(&mut self, name: &Name) -> bool {
        match self.local(name.as_str()) {
            Some(Local::Const { .. }) => true,
            Some(Local::Var(_) | Local::Unknown(_)) => false,
            None => matches!(self.lookup(name).map(|def| def.kind), Some(DefKind::Const(_))),
        }
    }

    /// Returns true if a name is that of a variant of the enum `ty`.
    pub(super) fn is_variant(&self, name: &Name, ty: TypeRef) -> bool {
        self.enum_of(ty).is_some_and(|item| item.variants.iter().any(|variant| variant.name.text == name.text))
    }

    /// The enum that the type is made of.
    pub(super) fn enum_of(&self, ty: TypeRef) -> Option<std::sync::Arc<ast::Enum>> {
        let record = self.cx.env.record_of(ty)?;
        let Origin::Template(id, _) = self.cx.env.records[record].origin else { return None };
        match &self.cx.env.templates[id].item {
            TemplateItem::Enum(item) => Some(item.clone()),
            TemplateItem::Fn(..) | TemplateItem::Struct(_) => None,
        }
    }

    fn value_pattern(&mut self, value: &ast::PatternValue, ty: TypeRef) -> Checked<Pat> {
        if let PatternValueKind::Name(name) = &value.kind
            && self.is_variant(name, ty)
        {
            return self.variant_pattern(name, &[], ty, value.span, true);
        }
        match self.type_of(ty) {
            Type::Int | Type::Bool | Type::Str => self.pattern_value(value, ty).map(Pat::Const),
            _ => Err(self.bad_pattern("this value", ty, value.span)),
        }
    }

    fn range_pattern(
        &mut self,
        pattern: &Pattern,
        low: &ast::PatternValue,
        high: &ast::PatternValue,
        bound: Bound,
        ty: TypeRef,
    ) -> Checked<Pat> {
        if !matches!(self.type_of(ty), Type::Int) {
            return Err(self.bad_pattern("a range", ty, pattern.span));
        }
        self.range(pattern, low, high, bound, ty).map(|(low, high)| Pat::Range(low, high))
    }

    fn variant_pattern(
        &mut self,
        name: &Name,
        parts: &[Pattern],
        ty: TypeRef,
        span: Span,
        binds: bool,
    ) -> Checked<Pat> {
        let Some(item) = self.enum_of(ty) else { return Err(self.bad_pattern("a variant", ty, span)) };
        let Some(at) = item.variants.iter().position(|variant| variant.name.text == name.text) else {
            return Err(self.unknown_variant(&item, name));
        };
        self.cx.marks.member(name.span, item.variants[at].name.span);
        let payloads = &item.variants[at].payloads;
        if payloads.len() != parts.len() {
            let error = CheckError::ArgumentCount {
                callee: name.text.to_string(),
                expected: super::error::count_phrase(payloads.len()),
                found: parts.len(),
            };
            let variant = &item.variants[at];
            let error = Diagnostic::error(error, span).with_label(variant.span, "the variant is defined here");
            return Err(self.report(error.with_help(format!("write `{}`", pattern_of(variant)))));
        }
        let types = self.payload_types(ty, at);
        let parts: Vec<_> =
            parts.iter().zip(types).map(|(part, (_, ty))| self.pattern(part, ty, true, binds)).collect();
        Ok(Pat::Variant(at, parts.into_iter().collect::<Checked<_>>()?))
    }

    /// The fields and types of a variant's payloads.
    pub(super) fn payload_types(&self, ty: TypeRef, variant: usize) -> Vec<(u32, TypeRef)> {
        let record = self.cx.env.record_of(ty).expect("an enum is a record");
        let Shape::Enum(variants) = &self.cx.env.module.records[record].shape else { return Vec::new() };
        let fields = &self.cx.env.module.records[record].fields;
        variants[variant].fields.iter().map(|&at| (at, fields[at as usize].ty)).collect()
    }

    fn bad_pattern(&mut self, pattern: &'static str, ty: TypeRef, span: Span) -> super::report::Reported {
        let error = CheckError::BadPattern { pattern, of: self.type_name(ty) };
        self.error(error, span)
    }
}
