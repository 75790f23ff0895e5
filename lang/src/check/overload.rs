//! Built-ins that depend on what they are applied to: the functions of lists, dicts, sets and strings.
//!
//! In: the name of a built-in and its arguments. Out: a call of a function of the prelude. Invariant: the type of the
//! first argument and the number of arguments choose; [`CHOICES`] has a row for each choice.

use super::body::{Body, Outcome, Want};
use super::builtin_names::BuiltinCall;
use super::environment::{Collection, Def, DefKind};
use super::error::CheckError;
use super::report::Checked;
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::ir::{Type, TypeRef, field};
use crate::source::Span;
use crate::tast::Expr;

/// The first argument of a built-in, by its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum On {
    List,
    Dict,
    Set,
    Str,
    Array,
}

use On::{Array, Dict, List, Set, Str};

/// The kinds of sequences that an argument can be. All but arrays count as lists, so that others are refused as such.
enum Sequence {
    List,
    Array,
    Bytes,
}

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
            let expected = CHOICES.iter().find(|row| row.0 == site.name).map_or(1, |row| row.2);
            let error = self.count_error(site.name, &[expected], site.args, site.span);
            return Err(self.report(error));
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
            let counts: Vec<usize> = rows.iter().map(|(.., count, _)| *count).collect();
            let error = self.count_error(site.name, &counts, site.args, site.span);
            return Err(self.report(error));
        };
        self.fits_optional(site, object.ty)?;
        self.joins_text(site, object.ty)?;
        self.makes_keys(site, object.ty)?;
        let mut args = site.args.to_vec();
        let function = self.choose(site, function, object.ty, &mut args)?;
        args[0] = self.stand_in(object, first.span);
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
        let arg = &site.args[0];
        let object = self.cx.short_text(arg).to_owned();
        let help = match site.name {
            "push" | "add" => self.adding_help(&object, &site.args[1..], found),
            "insert" if self.applied_to(found) != Some(List) => self.adding_help(&object, &site.args[1..], found),
            "get" if matches!(self.applied_to(found), Some(List | Array)) => Some(format!("write `{object}[...]`")),
            "pop" | "extend" | "remove" | "clear" if self.applied_to(found) == Some(Array) => {
                self.adding_help(&object, &site.args[1..], found)
            }
            _ => self.unwrap_help(arg, found),
        };
        let error = CheckError::BadArgument { callee: site.name, expected, found: self.type_name(found) };
        let mut error = Diagnostic::error(error, arg.span);
        error.help = help;
        self.report(error)
    }

    /// The variants of a function that further arguments, or the type of the parts, choose. A stand-in takes the place of
    /// an argument that is checked for it.
    fn choose(
        &mut self,
        site: &BuiltinCall<'_>,
        function: &'static str,
        ty: TypeRef,
        args: &mut [ast::Expr],
    ) -> Checked<&'static str> {
        let part = self.part_of(ty);
        Ok(match function {
            "in_list_sum_int" | "in_array_sum_int" => match part.map(|part| self.type_of(part)) {
                Some(Type::Int | Type::Byte) => function,
                Some(Type::Float) if function == "in_list_sum_int" => "in_list_sum_float",
                Some(Type::Float) => "in_array_sum_float",
                _ => return Err(self.bad_argument(site, 0, "ints or floats", ty)),
            },
            "list_extend" => match self.sequence(&mut args[1], Want::Like(ty))? {
                Sequence::List => function,
                Sequence::Array => "list_extend_array",
                Sequence::Bytes => "list_extend_bytes",
            },
            "in_list_zip_list" | "in_array_zip_list" => match (function, self.sequence(&mut args[1], Want::Any)?) {
                (_, Sequence::List) => function,
                ("in_list_zip_list", _) => "in_list_zip_array",
                (_, Sequence::Array | Sequence::Bytes) => "in_array_zip_array",
            },
            _ => function,
        })
    }

    /// The kind of sequence that an argument is. One whose type its place decides is a list, and is checked there.
    fn sequence(&mut self, arg: &mut ast::Expr, want: Want) -> Checked<Sequence> {
        if matches!(arg.unparenthesized().kind, ast::ExprKind::Array(_) | ast::ExprKind::Repeat { .. }) {
            return Ok(Sequence::Array);
        }
        if self.is_late(arg) {
            return Ok(Sequence::List);
        }
        let value = self.infer(arg, want)?;
        let sequence = match *self.type_of(value.ty) {
            Type::Array(of) if of == self.cx.env.basic.byte => Sequence::Bytes,
            Type::Array(_) => Sequence::Array,
            _ => Sequence::List,
        };
        *arg = self.stand_in(value, arg.span);
        Ok(sequence)
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

    /// Refuses a comparison of two elements where a key is wanted.
    pub(super) fn takes_key(&mut self, name: &str, function: &ast::Expr) -> Checked<()> {
        let params = match &function.unparenthesized().kind {
            ast::ExprKind::Closure(closure) => closure.params.len(),
            ast::ExprKind::Name(name) if self.local(name.as_str()).is_none() => match self.lookup(name) {
                Some(Def { kind: DefKind::Fn(func), .. }) => self.cx.env.funcs[func].params.len(),
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        if params != 2 {
            return Ok(());
        }
        let error = Diagnostic::error(CheckError::ClosureCount { expected: 1, found: params }, function.span);
        let help =
            format!("`{name}` takes a key of one element, no comparison; `fn(x) => -x` is one for falling order");
        Err(self.report(error.with_help(help)))
    }

    /// Refuses a function whose result has no order.
    pub(super) fn has_ordered_key(&mut self, name: &str, function: &Expr) -> Checked<()> {
        let Type::Func(sig) = *self.type_of(function.ty) else { return Ok(()) };
        let Some(key) = self.cx.env.module.sigs[sig].result.filter(|&key| !self.has_order(key)) else { return Ok(()) };
        let error = CheckError::NoOrder { callee: name.to_owned(), key: self.type_name(key) };
        let help = "int, float, bool, str and tuples of these have an order";
        Err(self.report(Diagnostic::error(error, function.span).with_help(help)))
    }

    /// Refuses to join what is no text.
    fn joins_text(&mut self, site: &BuiltinCall<'_>, ty: TypeRef) -> Checked<()> {
        match (site.name, self.part_of(ty)) {
            ("join", Some(part)) if *self.type_of(part) != Type::Str => {
                Err(self.bad_argument(site, 0, "a list or an array of strings", ty))
            }
            _ => Ok(()),
        }
    }

    /// Refuses to make keys of what is none.
    fn makes_keys(&mut self, site: &BuiltinCall<'_>, ty: TypeRef) -> Checked<()> {
        let Some(part) = self.part_of(ty).map(|part| self.cx.env.read_type(part)) else { return Ok(()) };
        match (site.name, self.cx.env.collection_of(part)) {
            ("to_set", _) => self.cx.key_type(part, site.span),
            ("to_dict", Some((Collection::Tuple, &[key, _]))) => self.cx.key_type(key, site.span),
            ("to_dict", _) => Err(self.bad_argument(site, 0, "a list of pairs", ty)),
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

    /// The length of a list, dict or set; the type of something else.
    pub(super) fn len_of(&self, of: Expr, span: Span) -> Result<Expr, TypeRef> {
        let int = self.cx.env.basic.int;
        match self.cx.env.collection_of(of.ty) {
            Some((Collection::List, _)) => Ok(self.field_value(of, field::list::LEN, int, span)),
            Some((Collection::Dict, _)) => Ok(self.field_value(of, field::dict::LEN, int, span)),
            Some((Collection::Set, _)) => {
                let dict = self.dict_of_set(of, span);
                Ok(self.field_value(dict, field::dict::LEN, int, span))
            }
            Some((Collection::Tuple, _)) | None => Err(of.ty),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_a_builtin_and_a_function_of_the_prelude() {
        for (name, _, _, function) in CHOICES {
            assert!(super::super::builtin_names::is_builtin(name), "{name}");
            assert!(!function.is_empty());
        }
    }
}
