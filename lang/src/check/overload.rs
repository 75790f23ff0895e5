//! Built-ins that depend on what they are applied to: the functions of lists, dicts, sets and strings.
//!
//! In: the name of a built-in and its arguments. Out: a call of a function of the prelude. Invariant: the type of the
//! first argument and the number of arguments choose; [`CHOICES`] has a row for each choice.

use super::body::{Body, Outcome, Want};
use super::builtin::BuiltinCall;
use super::environment::Collection;
use super::error::CheckError;
use super::expr::Join;
use super::report::Checked;
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::ir::{Builtin, Elem, Type, TypeRef};
use crate::source::Span;
use crate::tast::{Call, Callee, Expr, ExprKind, StmtKind};

/// What a built-in is applied to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum On {
    List,
    Dict,
    Set,
    Str,
    Array,
}

use On::{Array, Dict, List, Set, Str};

/// The name, what it is applied to, the number of arguments, and the function of the prelude.
const CHOICES: &[(&str, On, usize, &str)] = &[
    ("push", List, 2, "list_push"),
    ("pop", List, 1, "list_pop"),
    ("insert", List, 3, "list_insert"),
    ("remove", List, 2, "list_remove"),
    ("remove", Dict, 2, "dict_remove"),
    ("remove", Set, 2, "set_remove"),
    ("clear", List, 1, "list_clear"),
    ("clear", Dict, 1, "dict_clear"),
    ("clear", Set, 1, "set_clear"),
    ("extend", List, 2, "list_extend"),
    ("contains", List, 2, "list_contains"),
    ("contains", Dict, 2, "dict_contains"),
    ("contains", Set, 2, "set_contains"),
    ("contains", Str, 2, "str_contains"),
    ("index_of", List, 2, "list_index_of"),
    ("reverse", List, 1, "list_reverse"),
    ("sort_by", List, 2, "list_sort_by"),
    ("sort_by", Array, 2, "list_sort_array_by"),
    ("join", List, 2, "list_join"),
    ("join", Array, 2, "list_join_array"),
    ("get", Dict, 2, "dict_get"),
    ("get", Dict, 3, "dict_get_or"),
    ("keys", Dict, 1, "dict_keys"),
    ("values", Dict, 1, "dict_values"),
    ("items", Dict, 1, "dict_items"),
    ("add", Set, 2, "set_add"),
    ("union", Set, 2, "set_union"),
    ("intersection", Set, 2, "set_intersection"),
    ("difference", Set, 2, "set_difference"),
    ("split", Str, 1, "str_split"),
    ("split", Str, 2, "str_split_by"),
    ("lines", Str, 1, "str_lines"),
    ("chars", Str, 1, "str_chars"),
    ("find", Str, 2, "str_find"),
    ("trim", Str, 1, "str_trim"),
    ("parse_int", Str, 1, "str_parse_int"),
    ("parse_float", Str, 1, "str_parse_float"),
    ("to_list", List, 1, "list_of_list"),
    ("to_list", Array, 1, "list_of_array"),
    ("to_list", Set, 1, "set_to_list"),
    ("to_list", Str, 1, "list_of_str"),
    ("to_array", List, 1, "list_to_array"),
    ("to_set", List, 1, "set_of_list"),
    ("to_set", Array, 1, "set_of_array"),
    ("to_dict", List, 1, "dict_of_list"),
    ("map", List, 2, "in_list_map"),
    ("map", Array, 2, "in_array_map"),
    ("filter", List, 2, "in_list_filter"),
    ("filter", Array, 2, "in_array_filter"),
    ("fold", List, 3, "in_list_fold"),
    ("fold", Array, 3, "in_array_fold"),
    ("any", List, 2, "in_list_any"),
    ("any", Array, 2, "in_array_any"),
    ("all", List, 2, "in_list_all"),
    ("all", Array, 2, "in_array_all"),
    ("count", List, 2, "in_list_count"),
    ("count", Array, 2, "in_array_count"),
    ("enumerate", List, 1, "in_list_enumerate"),
    ("enumerate", Array, 1, "in_array_enumerate"),
    ("first", List, 1, "in_list_first"),
    ("first", Array, 1, "in_array_first"),
    ("last", List, 1, "in_list_last"),
    ("last", Array, 1, "in_array_last"),
    ("min_by", List, 2, "in_list_min_by"),
    ("min_by", Array, 2, "in_array_min_by"),
    ("max_by", List, 2, "in_list_max_by"),
    ("max_by", Array, 2, "in_array_max_by"),
    ("zip", List, 2, "in_list_zip_list"),
    ("zip", Array, 2, "in_array_zip_list"),
    ("sum", List, 1, "in_list_sum_int"),
    ("sum", Array, 1, "in_array_sum_int"),
];

/// Returns true if the choice of what the built-in does is made here.
pub(super) fn is_overloaded(name: &str) -> bool {
    CHOICES.iter().any(|(of, ..)| *of == name)
}

/// The results that are optional, so that optional parts would nest: what to write instead.
const OPTIONAL_RESULTS: &[(&str, &str)] = &[
    ("pop", "`remove(l, len(l) - 1)` gives the last one"),
    ("first", "`l[0]` gives it"),
    ("last", "`l[len(l) - 1]` gives it"),
    ("min_by", "an index gives a part as it is"),
    ("max_by", "an index gives a part as it is"),
    ("get", "`d.contains(k)` tells whether it is there, `d[k]` gives it"),
];

impl Body<'_, '_> {
    /// A call of a built-in whose first argument chooses what it does.
    pub(super) fn overloaded(&mut self, site: &BuiltinCall<'_>, want: Want) -> Checked<Outcome> {
        let Some(first) = site.args.first() else {
            let expected = super::error::count_phrase(CHOICES.iter().find(|row| row.0 == site.name).map_or(1, |row| row.2));
            let error = CheckError::ArgumentCount { callee: site.name.to_owned(), expected, found: 0 };
            return Err(self.error(error, site.span));
        };
        let object = match self.infer(first, Want::Any) {
            Ok(object) => object,
            Err(reported) => {
                self.inspect(&site.args[1..]);
                return Err(reported);
            }
        };
        let Some(on) = self.applied_to(object.ty) else { return Err(self.not_applicable(site, object.ty)) };
        let rows: Vec<_> = CHOICES.iter().filter(|(name, of, ..)| *name == site.name && *of == on).collect();
        if rows.is_empty() {
            return Err(self.not_applicable(site, object.ty));
        }
        let Some((.., function)) = rows.iter().find(|(.., count, _)| *count == site.args.len()) else {
            self.inspect(&site.args[1..]);
            let counts: Vec<String> = rows.iter().map(|(.., count, _)| count.to_string()).collect();
            let plural = if counts == ["1"] { "" } else { "s" };
            let expected = format!("{} argument{plural}", counts.join(" or "));
            let error =
                CheckError::ArgumentCount { callee: site.name.to_owned(), expected, found: site.args.len() };
            return Err(self.error(error, site.span));
        };
        self.fits_optional(site, object.ty)?;
        self.has_ordered_keys(site, object.ty)?;
        let function = self.choose(site, function, object.ty)?;
        let rest = site.args[1..].iter().cloned();
        let args: Vec<ast::Expr> = std::iter::once(self.stand_in(object, first.span)).chain(rest).collect();
        let template = self.cx.provided(function).expect("the prelude has every choice");
        self.generic(template, site.name, &args, site.span, want)
    }

    fn applied_to(&self, ty: TypeRef) -> Option<On> {
        match self.type_of(ty) {
            Type::Str => Some(Str),
            Type::Array(_) => Some(Array),
            _ => match self.cx.env.collection_of(ty)?.0 {
                Collection::List => Some(List),
                Collection::Dict => Some(Dict),
                Collection::Set => Some(Set),
                Collection::Tuple => None,
            },
        }
    }

    fn not_applicable(&mut self, site: &BuiltinCall<'_>, found: TypeRef) -> super::report::Reported {
        self.inspect(&site.args[1..]);
        let expected = match site.name {
            "contains" | "remove" | "clear" => "a list, dict, set or string",
            "push" | "pop" | "insert" | "extend" | "index_of" | "reverse" => "a list",
            "get" | "keys" | "values" | "items" => "a dict",
            "add" | "union" | "intersection" | "difference" => "a set",
            "split" | "lines" | "chars" | "find" | "trim" | "parse_int" | "parse_float" => "a string",
            "to_array" => "a list",
            "to_dict" => "a list of pairs",
            "to_list" => "an array, list, set or string",
            "join" => "a list or an array of strings",
            _ => "a list or an array",
        };
        self.bad_argument(site, 0, expected, found)
    }

    /// The variants of a function that further arguments, or the type of the parts, choose.
    fn choose(&mut self, site: &BuiltinCall<'_>, function: &'static str, ty: TypeRef) -> Checked<&'static str> {
        let part = self.part_of(ty);
        Ok(match function {
            "in_list_sum_int" | "in_array_sum_int" => match part.map(|part| self.type_of(part)) {
                Some(Type::Int) => function,
                Some(Type::Float) if function == "in_list_sum_int" => "in_list_sum_float",
                Some(Type::Float) => "in_array_sum_float",
                _ => return Err(self.bad_argument(site, 0, "ints or floats", ty)),
            },
            "list_extend" | "in_list_zip_list" | "in_array_zip_list" => {
                let mark = self.cx.reports.mark();
                let other = self.infer(&site.args[1], Want::Like(ty));
                self.cx.reports.reset(mark);
                match (function, other.map(|other| self.applied_to(other.ty))) {
                    ("list_extend", Ok(Some(Array))) => "list_extend_array",
                    ("in_list_zip_list", Ok(Some(Array))) => "in_list_zip_array",
                    ("in_array_zip_list", Ok(Some(Array))) => "in_array_zip_array",
                    _ => function,
                }
            }
            _ => function,
        })
    }

    /// The type of the parts of a list, array or set, or of the values of a dict.
    fn part_of(&self, ty: TypeRef) -> Option<TypeRef> {
        match *self.type_of(ty) {
            Type::Array(of) => Some(of),
            _ => self.cx.env.collection_of(ty).and_then(|(_, types)| types.last().copied()),
        }
    }

    /// Refuses an optional of an optional.
    fn fits_optional(&mut self, site: &BuiltinCall<'_>, ty: TypeRef) -> Checked<()> {
        let Some((_, help)) = OPTIONAL_RESULTS.iter().find(|(name, _)| *name == site.name) else { return Ok(()) };
        let nests = self.part_of(ty).is_some_and(|part| self.cx.env.content(part).is_some());
        if !nests || site.name == "get" && site.args.len() == 3 {
            return Ok(());
        }
        let part = self.part_of(ty).map(|part| self.type_name(part)).unwrap_or_default();
        let error = CheckError::BadOptional(part);
        Err(self.report(Diagnostic::error(error, site.span).with_help(*help)))
    }

    /// Refuses to order what has no order; keys that closures make are seen when they are known.
    fn has_ordered_keys(&mut self, site: &BuiltinCall<'_>, ty: TypeRef) -> Checked<()> {
        match (site.name, self.part_of(ty)) {
            ("join", Some(part)) if *self.type_of(part) != Type::Str => {
                Err(self.bad_argument(site, 0, "a list or an array of strings", ty))
            }
            _ => Ok(()),
        }
    }

    /// `sort` of a list.
    pub(super) fn sort_list(&mut self, list: Expr, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        let part = self.part_of(list.ty).expect("a list has parts");
        if !self.has_order(part) {
            return Err(self.bad_argument(site, 0, "a list of parts that have an order", list.ty));
        }
        let function = match self.type_of(part) {
            Type::Int | Type::Float | Type::Str => "list_sort_plain",
            _ => "list_sort",
        };
        let template = self.cx.provided(function).expect("the prelude has it");
        let func = self.cx.func_of_template(template, vec![part], site.span)?;
        self.call_func(func, "sort", vec![list], site.span)
    }

    /// `list(a, b)`
    pub(super) fn list_of(&mut self, args: &[ast::Expr], span: Span, want: Want) -> Checked<Expr> {
        let hint = self.collection_hint(want, Collection::List).map(|types| types[0]);
        let (of, items) = self.parts("list", "T", hint, args, span)?;
        if *self.type_of(of) == Type::Byte {
            return Err(self.error(CheckError::ByteOutsideStorage, span));
        }
        let (ty, count) = (self.cx.list_of(of), items.len() as i64);
        let data = self.array_of(of, items, span);
        let int = self.cx.env.basic.int;
        Ok(self.make_record(ty, vec![data, Expr { kind: ExprKind::Int(count), ty: int, span }], span))
    }

    fn array_of(&mut self, of: TypeRef, items: Vec<Expr>, span: Span) -> Expr {
        let ty = self.cx.env.array(of);
        if items.is_empty() {
            return self.zeros(ty, Expr { kind: ExprKind::Int(0), ty: self.cx.env.basic.int, span }, span);
        }
        Expr { kind: ExprKind::Array { elem: self.elem(of), items }, ty, span }
    }

    /// An array of elements of all zero bits.
    pub(super) fn zeros(&self, ty: TypeRef, count: Expr, span: Span) -> Expr {
        let Type::Array(of) = *self.type_of(ty) else { unreachable!("the type is an array's") };
        let value = Box::new(self.zero(of, span));
        Expr { kind: ExprKind::Repeat { elem: self.elem(of), count: Box::new(count), value }, ty, span }
    }

    /// The type of the parts and the parts, whose type is `hint`, or what they say together.
    fn parts(
        &mut self,
        callee: &str,
        param: &str,
        hint: Option<TypeRef>,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<(TypeRef, Vec<Expr>)> {
        match hint {
            Some(of) => {
                let items: Vec<_> = args.iter().map(|arg| self.check(arg, of, None)).collect();
                Ok((of, items.into_iter().collect::<Checked<_>>()?))
            }
            None if args.is_empty() => Err(self.cx.open_type_param(callee, param, span)),
            None => self.join_items(args),
        }
    }

    /// The types of the built-in type that the place asks for.
    fn collection_hint(&self, want: Want, collection: Collection) -> Option<Vec<TypeRef>> {
        let ty = want.hint()?;
        let ty = self.cx.env.content(ty).unwrap_or(ty);
        match self.cx.env.collection_of(ty) {
            Some((found, types)) if found == collection => Some(types.to_vec()),
            _ => None,
        }
    }

    /// `set(a, b)`
    pub(super) fn set_of(&mut self, args: &[ast::Expr], span: Span, want: Want) -> Checked<Expr> {
        let hint = self.collection_hint(want, Collection::Set).map(|types| types[0]);
        let (of, items) = self.parts("set", "T", hint, args, span)?;
        self.cx.key_type(of, span)?;
        let array = self.array_of(of, items, span);
        let template = self.cx.provided("set_of_array").expect("the prelude has it");
        self.call_provided(template, vec![of], vec![array], span)
    }

    /// `dict(k: v)`
    pub(super) fn dict_of(
        &mut self,
        pairs: &[(ast::Expr, ast::Expr)],
        span: Span,
        want: Want,
    ) -> Checked<Expr> {
        let hint = self.collection_hint(want, Collection::Dict);
        if pairs.is_empty() {
            let Some(types) = hint else { return Err(self.cx.open_type_param("dict", "K", span)) };
            let template = self.cx.provided("dict_new").expect("the prelude has it");
            return self.call_provided(template, types, Vec::new(), span);
        }
        let mut keys = Join::new(hint.as_ref().map_or(Want::Any, |types| Want::Exactly(types[0])), "the first key is here");
        let mut values = Join::new(hint.as_ref().map_or(Want::Any, |types| Want::Exactly(types[1])), "the first value is here");
        let mut checked = Vec::new();
        for (key, value) in pairs {
            let k = self.joined(&mut keys, key);
            let v = self.joined(&mut values, value);
            checked.push(k.and_then(|k| Ok((k, v?))));
        }
        let checked = checked.into_iter().collect::<Checked<Vec<_>>>()?;
        let types = hint.unwrap_or_else(|| vec![keys.ty().expect("there is a key"), values.ty().expect("and a value")]);
        self.cx.key_type(types[0], span)?;
        let pair = self.cx.tuple_type(types.clone(), span)?;
        let items = checked.into_iter().map(|(k, v)| {
            let parts = vec![self.cx.env.lift(k, types[0]), self.cx.env.lift(v, types[1])];
            self.make_record(pair, parts, span)
        });
        let items: Vec<Expr> = items.collect();
        let (list, count) = (self.cx.list_of(pair), items.len() as i64);
        let data = self.array_of(pair, items, span);
        let int = self.cx.env.basic.int;
        let list = self.make_record(list, vec![data, Expr { kind: ExprKind::Int(count), ty: int, span }], span);
        let template = self.cx.provided("dict_of_list").expect("the prelude has it");
        self.call_provided(template, types, vec![list], span)
    }

    fn joined(&mut self, join: &mut Join, expr: &ast::Expr) -> Checked<Expr> {
        let value = match join.want() {
            Want::Exactly(ty) => self.check(expr, ty, None)?,
            want => self.infer(expr, want)?,
        };
        join.add(self, &value, expr)?;
        Ok(value)
    }

    /// The length of a list, dict or set; the type of something else.
    pub(super) fn len_of(&self, of: Expr, span: Span) -> Result<Expr, TypeRef> {
        let int = self.cx.env.basic.int;
        match self.cx.env.collection_of(of.ty) {
            Some((Collection::List, _)) => Ok(self.field_value(of, 1, int, span)),
            Some((Collection::Dict, _)) => Ok(self.field_value(of, 4, int, span)),
            Some((Collection::Set, _)) => {
                let record = self.cx.env.record_of(of.ty).expect("a set is a record");
                let dict = self.cx.env.module.records[record].fields[0].ty;
                let dict = self.field_value(of, 0, dict, span);
                Ok(self.field_value(dict, 4, int, span))
            }
            Some((Collection::Tuple, _)) | None => Err(of.ty),
        }
    }

    /// `equal(a, b)`
    pub(super) fn equal(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        let [lhs, rhs] = site.args else {
            self.inspect(site.args);
            let expected = super::error::count_phrase(2);
            let error = CheckError::ArgumentCount { callee: "equal".to_owned(), expected, found: site.args.len() };
            return Err(self.error(error, site.span));
        };
        let left = self.infer(lhs, Want::Any)?;
        let right = self.infer(rhs, Want::Like(left.ty))?;
        // One of the two may be the optional of the other.
        let ty = if self.cx.env.content(right.ty) == Some(left.ty) { right.ty } else { left.ty };
        let left = self.coerce(left, ty, lhs, None)?;
        let right = self.coerce(right, ty, rhs, Some((lhs.span, "the other operand fixes the type")))?;
        self.deep_equal(left, right, site.span).map(Outcome::Value)
    }

    fn deep_equal(&mut self, lhs: Expr, rhs: Expr, span: Span) -> Checked<Expr> {
        use crate::ir::Shape;
        let ty = lhs.ty;
        let (name, types) = match *self.type_of(ty) {
            Type::Array(of) => ("deep_equal_array", vec![of]),
            Type::Optional(of) => ("deep_equal_optional", vec![of]),
            Type::Record(record) => match self.cx.env.module.records[record].shape {
                Shape::Struct | Shape::Tuple | Shape::Enum(_) => {
                    let template = self.cx.deep_template(ty);
                    return self.call_provided(template, vec![ty], vec![lhs, rhs], span);
                }
                Shape::List | Shape::Dict | Shape::Set => {
                    let (collection, types) = self.cx.env.collection_of(ty).expect("it is one of the built-in types");
                    let name = match collection {
                        Collection::List => "deep_equal_list",
                        Collection::Dict => "deep_equal_dict",
                        Collection::Set | Collection::Tuple => "deep_equal_set",
                    };
                    (name, types.to_vec())
                }
                Shape::Tag(_) | Shape::Closure | Shape::Box | Shape::Hidden => {
                    return self.equal_values(lhs, rhs, span);
                }
            },
            _ => return self.equal_values(lhs, rhs, span),
        };
        let template = self.cx.provided(name).expect("the prelude has it");
        self.call_provided(template, types, vec![lhs, rhs], span)
    }

    /// `eprint(a, b)`
    pub(super) fn eprint(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        let str = self.cx.env.basic.str;
        let mut parts = Vec::new();
        for arg in site.args {
            parts.push(match self.printable(arg) {
                Ok(Outcome::Value(value)) => Ok(self.display(value)),
                Ok(Outcome::Nothing(_, _, why)) => Err(self.error(CheckError::NoValue(why), arg.span)),
                Err(reported) => Err(reported),
            });
        }
        let parts = parts.into_iter().collect::<Checked<Vec<_>>>()?;
        let (int, strs, count) = (self.cx.env.basic.int, self.cx.env.array(str), parts.len() as i64);
        let text = match parts.len() {
            0 => Expr { kind: ExprKind::Str(self.cx.env.string(b"")), ty: str, span: site.span },
            _ => {
                let array = ExprKind::Array { elem: Elem::Ref, items: parts };
                let array = Expr { kind: array, ty: strs, span: site.span };
                let count = Expr { kind: ExprKind::Int(count), ty: int, span: site.span };
                let between = Expr { kind: ExprKind::Str(self.cx.env.string(b" ")), ty: str, span: site.span };
                let call = Call { callee: Callee::Builtin(Builtin::StrJoin), args: vec![array, count, between] };
                Expr { kind: ExprKind::Call(call), ty: str, span: site.span }
            }
        };
        let call = Call { callee: Callee::Builtin(Builtin::WriteError), args: vec![text] };
        Ok(super::builtin::effect(StmtKind::Call(call), site.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_a_builtin_and_a_function_of_the_prelude() {
        for (name, _, _, function) in CHOICES {
            assert!(super::super::builtin::is_builtin(name), "{name}");
            assert!(!function.is_empty());
        }
    }
}
