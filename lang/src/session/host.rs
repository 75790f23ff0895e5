//! Functions and types of the host: what a program may use without defining it.
//!
//! In: a declaration as text, such as `fn log(level: int, text: str) { loop {} }`, whose bodies mean nothing. Out: the
//! function, and its number for the host. Invariants: the names of the host are seen from every file, behind those that it
//! defines or imports and before the built-ins: a definition of a program hides one of the host. The body of such a
//! function is one call of the host, which no tier inlines.

use super::{Input, NoFiles, Session, lower_bodies};
use crate::ast::{Fn, Item, TopLevel, TypeExpr, TypeKind};
use crate::check::environment::DefKind;
use crate::check::{self, Attention, File, Output};
use crate::diagnostic::Diagnostic;
use crate::ir::verify::verify;
use crate::ir::{
    Builtin, FieldDecl, FuncRef, Function, FunctionBuilder, FunctionKind, HostCall, HostRef, Inst, MOST_HOST_OPERANDS,
    Module, Operand, Record, RecordRef, Scalar, Shape, Signature, Terminator, Type, TypeRef,
};
use crate::session::load;
use cranelift_entity::EntityRef;
use hashbrown::HashMap;
use std::sync::Arc;

/// A function of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostFunction {
    /// Its number.
    pub host: HostRef,
    /// The function that programs call.
    pub func: FuncRef,
}

impl Session {
    /// Declares types and functions of the host. The functions come out in the order in which they stand in the text.
    pub fn declare_host(&mut self, text: &str) -> Result<Vec<HostFunction>, Vec<Diagnostic>> {
        let files = self.parse_host(text)?;
        self.declare(files)
    }

    /// Declares one function of the host, from its head: `fn log(level: int, text: str)`. `None` if the text is anything else,
    /// or a function with type parameters; then nothing is declared.
    pub fn declare_function(&mut self, head: &str) -> Result<Option<HostFunction>, Vec<Diagnostic>> {
        let files = self.parse_host(&format!("{head} {{ loop {{ }} }}\n"))?;
        // What stands behind the head is its body, and no other text, such as a comment, has taken it.
        let is_head = |item: &Fn| item.type_params.is_empty() && item.body.span.start as usize > head.len();
        match &files[..] {
            [File { program, .. }] if matches!(&program.body[..], [TopLevel::Item(Item::Fn(item))] if is_head(item)) => {
                self.declare(files).map(|declared| declared.first().copied())
            }
            _ => Ok(None),
        }
    }

    fn parse_host(&mut self, text: &str) -> Result<Vec<File>, Vec<Diagnostic>> {
        let input = Input { name: "host", key: None, bytes: text.as_bytes() };
        let mut loaded = self.loaded.clone();
        load::load(&input, &mut self.sources, &mut NoFiles, &mut loaded, self.kind)
    }

    fn declare(&mut self, files: Vec<File>) -> Result<Vec<HostFunction>, Vec<Diagnostic>> {
        let mut env = self.env.clone();
        let mut heads = Vec::new();
        // The first type of a function settles the form of function values.
        let is_open = !env.module.types.values().any(|ty| matches!(ty, Type::Func(_)));
        for file in &files {
            heads.extend(file.program.body.iter().filter_map(Head::of));
            env.module.closures |= is_open && heads.iter().any(|head| head.takes_functions);
            env.host_files.push(file.program.file);
            env.modules.insert(file.program.file, HashMap::new());
        }
        let Output { functions, .. } = check::check(&mut env, &mut self.sources, self.kind, Attention::Errors, files)?;
        lower_bodies(&mut env.module, &functions);
        let file = *env.host_files.last().expect("it was added");
        let mut declared = Vec::new();
        for Head { name, takes_functions } in heads {
            let Some(DefKind::Fn(func)) = env.lookup(&name, file).map(|def| def.kind) else {
                unreachable!("a function without type parameters is one");
            };
            let host = HostRef::new(self.host_functions + declared.len());
            let body = body_of(&mut env.module, func, host);
            debug_assert_eq!(verify(&env.module, &body), Ok(()), "the body of `{name}`");
            env.module.funcs[func].body = Arc::new(body);
            env.funcs[func].item = None;
            if takes_functions {
                // The host may call them.
                let span = env.module.funcs[func].body.span;
                env.funcs[func].mentions.value_call = Some(span);
            }
            declared.push(HostFunction { host, func });
        }
        self.host_functions += declared.len();
        self.env = env;
        self.publish();
        Ok(declared)
    }
}

impl Session {
    /// The host may give the program values of functions from now on: each function may be in a value that a later input calls.
    pub fn expect_functions_of_host(&mut self) {
        self.env.host_gives_functions = true;
    }

    /// Declares a type of the host: programs pass its values on, and make none.
    pub fn declare_opaque(&mut self, name: &str) -> Result<RecordRef, Vec<Diagnostic>> {
        self.declare_host(&format!("struct {name} {{}}\n"))?;
        let file = *self.env.host_files.last().expect("it was added");
        let Some(DefKind::Struct(record)) = self.env.lookup(name, file).map(|def| def.kind) else {
            unreachable!("a struct was declared");
        };
        self.env.opaque.insert(record);
        Ok(record)
    }
}

/// The head of a function.
struct Head {
    name: Arc<str>,
    /// True if the types of its parameters name functions.
    takes_functions: bool,
}

impl Head {
    fn of(part: &TopLevel) -> Option<Head> {
        let TopLevel::Item(Item::Fn(item)) = part else { return None };
        let takes_functions = item.params.iter().any(|param| has_function(&param.ty));
        Some(Head { name: item.name.text.clone(), takes_functions })
    }
}

fn has_function(ty: &TypeExpr) -> bool {
    match &ty.kind {
        TypeKind::Fn { .. } => true,
        TypeKind::Paren(of) | TypeKind::Array(of) | TypeKind::Optional(of) => has_function(of),
        TypeKind::Tuple(parts) => parts.iter().any(has_function),
        TypeKind::Applied { args, .. } => args.iter().any(has_function),
        TypeKind::Name(_) => false,
    }
}

/// The body of a function of the host.
fn body_of(module: &mut Module, func: FuncRef, host: HostRef) -> Function {
    let Signature { params, result } = module.sigs[module.funcs[func].sig].clone();
    let placeholder = Arc::clone(&module.funcs[func].body);
    let result = result.map(|ty| module.scalar(ty));
    let mut builder = FunctionBuilder::new(placeholder.name.clone(), FunctionKind::Provided, placeholder.span, result);
    let scalars: Vec<Scalar> = params.iter().map(|ty| module.scalar(*ty)).collect();
    let operands: Vec<Operand> = scalars.iter().map(|scalar| Operand::Local(builder.param(*scalar, None))).collect();
    let (operands, scalars) = match HostCall::new(host, &scalars, result) {
        Some(_) => (operands, scalars),
        None => {
            let record = arguments(module, &params);
            let dst = builder.local(Scalar::Ref, None);
            builder.push(Inst::NewRecord { dst, record, fields: operands });
            (vec![Operand::Local(dst)], vec![Scalar::Ref])
        }
    };
    let call = HostCall::new(host, &scalars, result).expect("one operand fits");
    let dst = result.map(|scalar| builder.local(scalar, None));
    builder.push(Inst::Builtin { dst, builtin: Builtin::Host(call), args: operands });
    builder.terminate(Terminator::Return(dst.map(Operand::Local)));
    builder.finish()
}

/// The record of the arguments of a function that has more than a call of the host takes.
fn arguments(module: &mut Module, params: &[TypeRef]) -> RecordRef {
    assert!(params.len() > MOST_HOST_OPERANDS, "they do not fit");
    let field = |(at, ty): (usize, &TypeRef)| FieldDecl { name: at.to_string(), ty: *ty };
    let fields = params.iter().enumerate().map(field).collect();
    module.push_record(Record { name: "arguments".to_owned(), fields, shape: Shape::Hidden })
}
