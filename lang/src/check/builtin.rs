//! Calls of built-ins: overload resolution, and the operation that each call becomes.
//!
//! In: the name of a built-in and its arguments. Out: an operation of the machine, of the runtime, or a statement.
//! Invariant: a built-in that takes one fixed list of types is a row of [`SIMPLE`]; all others have a function here.

use super::body::{Body, Outcome, Want};
use super::builtin_names::{BuiltinCall, NAMES, is_builtin};
use super::environment::Collection;
use super::error::CheckError;
use super::overload::is_overloaded;
use super::report::{Checked, Reported};
use crate::ast::{self, Name};
use crate::diagnostic::Diagnostic;
use crate::ir::{BinaryOp, Builtin, Elem, Type, TypeRef, UnaryOp};
use crate::source::Span;
use crate::tast::{Call, Callee, Completion, Expr, ExprKind, StmtKind};

/// A type in [`SIMPLE`].
#[derive(Clone, Copy, PartialEq)]
enum Ty {
    Int,
    Float,
    Bool,
    Str,
    OptStr,
    Bytes,
    Strs,
}

/// The operation that a row of [`SIMPLE`] becomes.
#[derive(Clone, Copy)]
enum Op {
    Unary(UnaryOp),
    Runtime(Builtin),
}

use Op::{Runtime, Unary};
use Ty::{Bool, Bytes, Float, Int, OptStr, Str, Strs};

/// The built-ins with one list of parameter types.
const SIMPLE: &[(&str, &[Ty], Option<Ty>, Op)] = &[
    ("sqrt", &[Float], Some(Float), Unary(UnaryOp::Sqrt)),
    ("floor", &[Float], Some(Float), Unary(UnaryOp::Floor)),
    ("ceil", &[Float], Some(Float), Unary(UnaryOp::Ceil)),
    ("trunc", &[Float], Some(Float), Unary(UnaryOp::Trunc)),
    ("round", &[Float], Some(Float), Runtime(Builtin::Round)),
    ("sin", &[Float], Some(Float), Runtime(Builtin::Sin)),
    ("cos", &[Float], Some(Float), Runtime(Builtin::Cos)),
    ("tan", &[Float], Some(Float), Runtime(Builtin::Tan)),
    ("asin", &[Float], Some(Float), Runtime(Builtin::Asin)),
    ("acos", &[Float], Some(Float), Runtime(Builtin::Acos)),
    ("atan", &[Float], Some(Float), Runtime(Builtin::Atan)),
    ("atan2", &[Float, Float], Some(Float), Runtime(Builtin::Atan2)),
    ("exp", &[Float], Some(Float), Runtime(Builtin::Exp)),
    ("log", &[Float], Some(Float), Runtime(Builtin::Log)),
    ("pow", &[Float, Float], Some(Float), Runtime(Builtin::Pow)),
    ("popcount", &[Int], Some(Int), Unary(UnaryOp::Popcount)),
    ("clz", &[Int], Some(Int), Unary(UnaryOp::Clz)),
    ("ctz", &[Int], Some(Int), Unary(UnaryOp::Ctz)),
    ("clock", &[], Some(Float), Runtime(Builtin::Clock)),
    ("random", &[], Some(Float), Runtime(Builtin::Random)),
    ("random_seed", &[Int], None, Runtime(Builtin::RandomSeed)),
    ("input", &[], Some(OptStr), Runtime(Builtin::Input)),
    ("args", &[], Some(Strs), Runtime(Builtin::Args)),
    ("parse_int", &[Str, Int], Some(Int), Runtime(Builtin::ParseInt)),
    ("parse_float", &[Str, Float], Some(Float), Runtime(Builtin::ParseFloat)),
    ("chr", &[Int], Some(Str), Runtime(Builtin::Chr)),
    ("bytes", &[Str], Some(Bytes), Runtime(Builtin::Bytes)),
    ("text", &[Bytes, Int, Int], Some(Str), Runtime(Builtin::Text)),
    ("upper", &[Str], Some(Str), Runtime(Builtin::StrUpper)),
    ("lower", &[Str], Some(Str), Runtime(Builtin::StrLower)),
    ("trim_start", &[Str], Some(Str), Runtime(Builtin::StrTrimStart)),
    ("trim_end", &[Str], Some(Str), Runtime(Builtin::StrTrimEnd)),
    ("starts_with", &[Str, Str], Some(Bool), Runtime(Builtin::StrStartsWith)),
    ("ends_with", &[Str, Str], Some(Bool), Runtime(Builtin::StrEndsWith)),
    ("replace", &[Str, Str, Str], Some(Str), Runtime(Builtin::StrReplace)),
    ("repeat", &[Str, Int], Some(Str), Runtime(Builtin::StrRepeat)),
    ("ord", &[Str], Some(Int), Runtime(Builtin::StrOrd)),
    ("read_file", &[Str], Some(Str), Runtime(Builtin::ReadFile)),
    ("write_file", &[Str, Str], None, Runtime(Builtin::WriteFile)),
    ("append_file", &[Str, Str], None, Runtime(Builtin::AppendFile)),
    ("file_exists", &[Str], Some(Bool), Runtime(Builtin::FileExists)),
    ("read_all", &[], Some(Str), Runtime(Builtin::ReadAll)),
    ("env", &[Str], Some(OptStr), Runtime(Builtin::Env)),
    ("time", &[], Some(Float), Runtime(Builtin::Time)),
];

impl Body<'_, '_> {
    /// `name(args)`, where `name` is a built-in.
    pub(super) fn builtin(&mut self, name: &Name, args: &[ast::Expr], span: Span, want: Want) -> Checked<Outcome> {
        if self.is_provided() && !is_builtin(name.as_str()) {
            return self.intrinsic(name.as_str(), args, span, want);
        }
        let at = NAMES.binary_search(&name.as_str()).expect("the caller has looked the name up");
        let site = BuiltinCall { name: NAMES[at], args, span };
        match site.name {
            "print" | "write" => self.print(&site),
            "len" => self.len(&site),
            "assert" => self.assert(&site),
            "exit" => self.exit(&site),
            "abs" => self.abs(&site),
            "min" | "max" => self.min_max(&site),
            "int" | "float" | "bool" | "str" => self.convert(&site),
            "copy" => self.copy(&site),
            "fill" => self.fill(&site),
            "sort" => self.sort(&site),
            "list" => self.list_of(args, span, want).map(Outcome::Value),
            "set" => self.set_of(args, span, want).map(Outcome::Value),
            "dict" if args.is_empty() => self.dict_of(&[], span, want).map(Outcome::Value),
            "dict" => {
                self.inspect(args);
                let error = Diagnostic::error(CheckError::PositionalFields("dict".to_owned()), span);
                Err(self.report(error.with_help("write `dict(key: value, ...)`")))
            }
            "equal" => self.equal(&site),
            "eprint" => self.eprint(&site),
            // With a default they are operations of the runtime.
            "parse_int" | "parse_float" if args.len() == 2 => self.simple(&site),
            _ if is_overloaded(site.name) => self.overloaded(&site, want),
            _ => self.simple(&site),
        }
    }

    fn simple(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        let row = SIMPLE.iter().find(|row| row.0 == site.name);
        let &(_, params, result, op) = row.expect("a built-in without a function of its own is a row");
        let params: Vec<_> = params.iter().map(|&ty| (Ok(self.simple_type(ty)), None)).collect();
        let mut args = self.arguments(site.name, &params, site.args, site.span)?;
        let kind = match op {
            Unary(op) => {
                let operand = Box::new(args.pop().expect("an operation of one operand has one parameter"));
                ExprKind::Unary { op, operand }
            }
            Runtime(builtin) => ExprKind::Call(Call { callee: Callee::Builtin(builtin), args }),
        };
        match (result, kind) {
            (Some(ty), kind) => Ok(value(kind, self.simple_type(ty), site.span)),
            (None, ExprKind::Call(call)) => Ok(effect(StmtKind::Call(call), site.name)),
            (None, _) => unreachable!("operations of the machine have results"),
        }
    }

    fn simple_type(&mut self, ty: Ty) -> TypeRef {
        let basic = self.cx.env.basic;
        match ty {
            Int => basic.int,
            Float => basic.float,
            Bool => basic.bool,
            Str => basic.str,
            OptStr => self.cx.env.ty(Type::Optional(basic.str)),
            Bytes => self.cx.env.array(basic.byte),
            Strs => self.cx.env.array(basic.str),
        }
    }

    /// The arguments of a built-in that looks at their types itself.
    fn operands<const N: usize>(&mut self, site: &BuiltinCall<'_>) -> Checked<[Expr; N]> {
        self.expect_count(site, N..=N)?;
        let args: Vec<_> = site.args.iter().map(|arg| self.infer(arg, Want::Any)).collect();
        let args: Vec<Expr> = args.into_iter().collect::<Checked<_>>()?;
        Ok(args.try_into().unwrap_or_else(|_| unreachable!("the number of arguments was checked")))
    }

    fn expect_count(&mut self, site: &BuiltinCall<'_>, counts: std::ops::RangeInclusive<usize>) -> Checked<()> {
        let found = site.args.len();
        if counts.contains(&found) {
            return Ok(());
        }
        self.inspect(site.args);
        let counts: Vec<usize> = counts.collect();
        let error = self.count_error(site.name, &counts, site.args, site.span);
        Err(self.report(error))
    }

    /// Reports that an argument has a type that the built-in cannot use.
    pub(super) fn bad_argument(
        &mut self,
        site: &BuiltinCall<'_>,
        at: usize,
        expected: &'static str,
        found: TypeRef,
    ) -> Reported {
        let arg = &site.args[at];
        let error = CheckError::BadArgument { callee: site.name, expected, found: self.type_name(found) };
        let mut error = Diagnostic::error(error, arg.span);
        error.help = self.unwrap_help(arg, found);
        self.report(error)
    }

    fn print(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        let mut args = Vec::with_capacity(site.args.len());
        for arg in site.args {
            args.push(self.printable(arg).and_then(|outcome| match outcome {
                Outcome::Value(value) => Ok(value),
                Outcome::Nothing(_, _, why) => Err(self.error(CheckError::NoValue(why), arg.span)),
            }));
        }
        let args = args.into_iter().collect::<Checked<_>>()?;
        let kind = if site.name == "print" { StmtKind::Print(args) } else { StmtKind::Write(args) };
        Ok(effect(kind, site.name))
    }

    fn len(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        let [of] = self.operands(site)?;
        match self.type_of(of.ty) {
            Type::Str | Type::Array(_) => Ok(value(ExprKind::Len(Box::new(of)), self.cx.env.basic.int, site.span)),
            _ => match self.len_of(of, site.span) {
                Ok(len) => Ok(Outcome::Value(len)),
                Err(found) => Err(self.bad_argument(site, 0, "a string, array, list, dict or set", found)),
            },
        }
    }

    fn assert(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        self.expect_count(site, 1..=2)?;
        let str = self.cx.env.basic.str;
        let cond = self.condition(&site.args[0]);
        let message = site.args.get(1).map(|message| self.check(message, str, None)).transpose();
        Ok(effect(StmtKind::Assert { cond: cond?, message: message? }, site.name))
    }

    fn exit(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        let int = self.cx.env.basic.int;
        let mut args = self.arguments(site.name, &[(Ok(int), None)], site.args, site.span)?;
        let status = args.pop().expect("the number of arguments was checked");
        let why = "`exit` has no result".to_owned();
        Ok(Outcome::Nothing(Box::new(StmtKind::Exit(status)), Completion::Leaves, why))
    }

    fn abs(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        let [of] = self.operands(site)?;
        let op = match self.type_of(of.ty) {
            Type::Int => UnaryOp::IntAbs,
            Type::Float => UnaryOp::FloatAbs,
            _ => return Err(self.bad_argument(site, 0, "an int or a float", of.ty)),
        };
        let ty = of.ty;
        Ok(value(ExprKind::Unary { op, operand: Box::new(of) }, ty, site.span))
    }

    fn min_max(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        let [lhs, rhs] = self.operands(site)?;
        let is_min = site.name == "min";
        let op = match self.type_of(lhs.ty) {
            Type::Int if is_min => BinaryOp::IntMin,
            Type::Int => BinaryOp::IntMax,
            Type::Float if is_min => BinaryOp::FloatMin,
            Type::Float => BinaryOp::FloatMax,
            _ => return Err(self.bad_argument(site, 0, "two ints or two floats", lhs.ty)),
        };
        let ty = lhs.ty;
        let rhs = self.coerce(rhs, ty, &site.args[1], Some((lhs.span, "the other operand fixes the type")))?;
        Ok(value(ExprKind::Binary { op, lhs: Box::new(lhs), rhs: Box::new(rhs) }, ty, site.span))
    }

    fn convert(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        let [of] = self.operands(site)?;
        let basic = self.cx.env.basic;
        let unary = |op, ty, of| Ok(value(ExprKind::Unary { op, operand: Box::new(of) }, ty, site.span));
        let text = |builtin, of| {
            let call = Call { callee: Callee::Builtin(builtin), args: vec![of] };
            Ok(value(ExprKind::Call(call), basic.str, site.span))
        };
        match (site.name, self.type_of(of.ty)) {
            ("int", Type::Int) | ("float", Type::Float) | ("bool", Type::Bool) | ("str", Type::Str) => {
                Ok(Outcome::Value(of))
            }
            ("int", Type::Float) => unary(UnaryOp::FloatToInt, basic.int, of),
            ("int", Type::Bool) => unary(UnaryOp::BoolToInt, basic.int, of),
            ("float", Type::Int) => unary(UnaryOp::IntToFloat, basic.float, of),
            ("str", Type::Int) => text(Builtin::StrOfInt, of),
            ("str", Type::Float) => text(Builtin::StrOfFloat, of),
            ("str", Type::Bool) => text(Builtin::StrOfBool, of),
            _ => Err(self.no_conversion(site, of.ty)),
        }
    }

    fn no_conversion(&mut self, site: &BuiltinCall<'_>, found: TypeRef) -> Reported {
        let (to, expected) = match site.name {
            "int" => (self.cx.env.basic.int, "an int, float or bool"),
            "float" => (self.cx.env.basic.float, "an int or a float"),
            "bool" => (self.cx.env.basic.bool, "a bool"),
            _ => (self.cx.env.basic.str, "an int, float, bool or str"),
        };
        let arg = &site.args[0];
        let error = CheckError::BadArgument { callee: site.name, expected, found: self.type_name(found) };
        let mut error = Diagnostic::error(error, arg.span);
        let of_enum = match site.name {
            "int" => self.number_help(arg, found),
            "str" => self.text_help(arg, found),
            _ => None,
        };
        let help = of_enum.or_else(|| self.cx.conversion(arg, to, found));
        error.help = help.or_else(|| self.unwrap_help(arg, found));
        self.report(error)
    }

    fn copy(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        if let [of] = site.args {
            return Err(self.no_copy(site, of));
        }
        self.expect_count(site, 5..=5)?;
        let int = self.cx.env.basic.int;
        let arg = |at: usize| &site.args[at];
        let dst = self.infer(arg(0), Want::Any);
        let dst_start = self.check(arg(1), int, None);
        let src = match &dst {
            Ok(dst) => self.infer(arg(2), Want::Like(dst.ty)),
            Err(reported) => {
                self.inspect(&site.args[2..3]);
                Err(*reported)
            }
        };
        let (src_start, count) = (self.check(arg(3), int, None), self.check(arg(4), int, None));
        let (dst, src) = (dst?, src?);
        let Type::Array(of) = *self.type_of(dst.ty) else {
            return Err(self.bad_argument(site, 0, "an array to copy into", dst.ty));
        };
        let bytes_of_str = of == self.cx.env.basic.byte && src.ty == self.cx.env.basic.str;
        if src.ty != dst.ty && !bytes_of_str {
            let because = Some((dst.span, "it is copied into this"));
            return Err(self.mismatch(arg(2), dst.ty, src.ty, because));
        }
        let args = vec![dst, dst_start?, src, src_start?, count?];
        Ok(effect(StmtKind::Call(Call { callee: Callee::Builtin(Builtin::Copy), args }), site.name))
    }

    /// Reports a copy of one value: there is only one of elements.
    fn no_copy(&mut self, site: &BuiltinCall<'_>, of: &ast::Expr) -> Reported {
        let value = match self.infer(of, Want::Any) {
            Ok(value) => value,
            Err(reported) => return reported,
        };
        let mut error = self.count_error(site.name, &[5], site.args, site.span);
        let object = self.cx.operand_text(of);
        error.help = self.copy_help(&object, value.ty);
        self.report(error)
    }

    fn fill(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        self.expect_count(site, 2..=2)?;
        let array = match self.infer(&site.args[0], Want::Any) {
            Ok(array) => array,
            Err(reported) => {
                self.inspect(&site.args[1..]);
                return Err(reported);
            }
        };
        let Type::Array(of) = *self.type_of(array.ty) else {
            self.inspect(&site.args[1..]);
            return Err(self.bad_argument(site, 0, "an array", array.ty));
        };
        let because = Some((array.span, "the elements of this fix the type"));
        let element = self.check(&site.args[1], self.cx.env.read_type(of), because)?;
        let builtin = match self.cx.env.module.elem(of) {
            Elem::Int => Builtin::FillInt,
            Elem::Float => Builtin::FillFloat,
            Elem::Bool => Builtin::FillBool,
            Elem::Byte => Builtin::FillByte,
            Elem::Char => unreachable!("no array has characters"),
            Elem::Ref => Builtin::FillRef,
            Elem::Func => Builtin::FillFunc,
        };
        let call = Call { callee: Callee::Builtin(builtin), args: vec![array, element] };
        Ok(effect(StmtKind::Call(call), site.name))
    }

    fn sort(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        let [array] = self.operands(site)?;
        if matches!(self.cx.env.collection_of(array.ty), Some((Collection::List, _))) {
            return self.sort_list(array, site);
        }
        let sortable = match *self.type_of(array.ty) {
            Type::Array(of) => matches!(self.type_of(of), Type::Int | Type::Float | Type::Byte | Type::Str),
            _ => false,
        };
        if !sortable {
            return Err(self.bad_argument(site, 0, "a list, or an array of int, float, byte or str", array.ty));
        }
        let call = Call { callee: Callee::Builtin(Builtin::Sort), args: vec![array] };
        Ok(effect(StmtKind::Call(call), site.name))
    }
}

fn value(kind: ExprKind, ty: TypeRef, span: Span) -> Outcome {
    Outcome::Value(Expr { kind, ty, span })
}

pub(super) fn effect(kind: StmtKind, name: &str) -> Outcome {
    Outcome::Nothing(Box::new(kind), Completion::Falls, format!("`{name}` has no result"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_hold_every_row() {
        assert!(NAMES.is_sorted());
        for (name, params, _, op) in SIMPLE {
            assert!(is_builtin(name), "{name}");
            let scalars = match op {
                Unary(_) => 1,
                Runtime(builtin) => builtin.params().expect("no row is generic").len(),
            };
            assert_eq!(params.len(), scalars, "{name}");
        }
    }
}
