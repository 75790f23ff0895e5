//! Checks that a function is well formed. Runs after lowering and after every pass in debug builds.
//!
//! Invariants:
//! 1. Block 0 is the entry; no edge leads to it.
//! 2. Every target, local, function, global, record, signature, string and type exists.
//! 3. Operands and results have the types the operation asks for.
//! 4. `CatchMessage` stands only first in a block that is some block's handler, and no other edge
//!    leads to a handler.
//! 5. A local is assigned on every path to each of its uses.
//! 6. Switch cases are distinct.
//! 7. Records that are made have the fields that their shapes ask for.

use super::builtin::Builtin;
use super::cfg::{Cfg, EdgeKind};
use super::entity::{Block, Local};
use super::function::Function;
use super::inst::{FailKind, Inst, Operand, Terminator};
use super::liveness::Liveness;
use super::module::Module;
use super::shape;
use super::types::{Elem, Scalar};
use cranelift_entity::{EntityRef, EntitySet};

/// The fault of a function, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError(pub String);

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

type Check = Result<(), VerifyError>;

macro_rules! ensure {
    ($cond:expr, $($message:tt)*) => {
        if !$cond { return Err(VerifyError(format!($($message)*))); }
    };
}

/// Verifies one function against the module it belongs to.
pub fn verify(module: &Module, func: &Function) -> Check {
    let v = Verifier { module, func };
    ensure!(!func.blocks.is_empty(), "no entry block");
    for (at, param) in func.params.iter().enumerate() {
        ensure!(param.index() == at, "parameter {at} is not local {at}");
    }
    for block in func.blocks.keys() {
        v.block(block).map_err(|VerifyError(text)| VerifyError(format!("`{}`, {block}: {text}", func.name)))?;
    }
    let cfg = Cfg::compute(func);
    ensure!(cfg.preds(func.entry()).is_empty(), "`{}`: an edge leads to the entry", func.name);
    v.handlers(&cfg)?;
    v.assigned_before_use(&cfg)
}

struct Verifier<'a> {
    module: &'a Module,
    func: &'a Function,
}

impl Verifier<'_> {
    fn block(&self, block: Block) -> Check {
        let data = &self.func.blocks[block];
        ensure!(data.insts.len() == data.spans.len(), "spans and instructions differ in number");
        if let Some(handler) = data.handler {
            self.target(handler)?;
        }
        for (at, inst) in data.insts.iter().enumerate() {
            ensure!(
                at == 0 || !matches!(inst, Inst::CatchMessage { .. }),
                "catch_message is not the first instruction"
            );
            self.inst(inst).map_err(|VerifyError(text)| VerifyError(format!("instruction {at}, {inst:?}: {text}")))?;
        }
        self.terminator(&data.term)
    }

    fn target(&self, block: Block) -> Check {
        ensure!(self.func.blocks.is_valid(block), "{block} does not exist");
        Ok(())
    }

    fn local(&self, local: Local, scalar: Scalar) -> Check {
        ensure!(self.func.locals.is_valid(local), "{local} does not exist");
        let found = self.func.scalar(local);
        ensure!(found == scalar, "{local} is {}, not {}", found.name(), scalar.name());
        Ok(())
    }

    fn has_memory(&self) -> Check {
        let linear = self.module.linear.as_ref();
        ensure!(linear.is_some_and(|linear| linear.memory.is_some()), "the module has no memory");
        Ok(())
    }

    fn operand(&self, operand: Operand, scalar: Scalar) -> Check {
        match operand {
            Operand::Local(local) => return self.local(local, scalar),
            Operand::Str(s) => ensure!(self.module.strings.is_valid(s), "{s} does not exist"),
            Operand::Func(f) => ensure!(self.module.funcs.is_valid(f), "{f} does not exist"),
            Operand::Int(_) | Operand::Float(_) | Operand::Bool(_) | Operand::NoneRef | Operand::NoneFunc => {}
        }
        let found = self.func.operand_scalar(operand);
        ensure!(found == scalar, "an operand is {}, not {}", found.name(), scalar.name());
        Ok(())
    }

    fn operands(&self, operands: &[Operand], scalars: &[Scalar]) -> Check {
        ensure!(operands.len() == scalars.len(), "{} operands where {} belong", operands.len(), scalars.len());
        operands.iter().zip(scalars).try_for_each(|(op, scalar)| self.operand(*op, *scalar))
    }

    fn result(&self, dst: Option<Local>, result: Option<Scalar>) -> Check {
        match (dst, result) {
            (Some(dst), Some(scalar)) => self.local(dst, scalar),
            (None, _) => Ok(()),
            (Some(_), None) => Err(VerifyError("a result is taken where there is none".into())),
        }
    }

    fn call(&self, sig: super::entity::SigRef, args: &[Operand], dst: Option<Local>) -> Check {
        ensure!(self.module.sigs.is_valid(sig), "{sig} does not exist");
        let sig = &self.module.sigs[sig];
        let params: Vec<Scalar> = sig.params.iter().map(|ty| self.module.scalar(*ty)).collect();
        self.operands(args, &params)?;
        self.result(dst, sig.result.map(|ty| self.module.scalar(ty)))
    }

    fn inst(&self, inst: &Inst) -> Check {
        match inst {
            Inst::Copy { dst, src } => self.operand(*src, self.scalar_of(*dst)?),
            Inst::Unary { op, dst, src } => {
                self.operand(*src, op.operand())?;
                self.local(*dst, op.result())
            }
            Inst::Binary { op, dst, lhs, rhs } => {
                self.operands(&[*lhs, *rhs], &[op.operand(), op.operand()])?;
                self.local(*dst, op.result())
            }
            Inst::Select { dst, cond, then, otherwise } => {
                self.operand(*cond, Scalar::Bool)?;
                let scalar = self.func.operand_scalar(*then);
                self.operands(&[*then, *otherwise], &[scalar, scalar])?;
                self.local(*dst, scalar)
            }
            Inst::Load { dst, access, address, .. } => {
                self.has_memory()?;
                self.operand(*address, Scalar::Int)?;
                self.local(*dst, access.scalar())
            }
            Inst::Store { access, address, src, .. } => {
                self.has_memory()?;
                ensure!(!access.is_signed(), "a store does not extend");
                self.operands(&[*address, *src], &[Scalar::Int, access.scalar()])
            }
            Inst::GlobalGet { dst, global } => self.local(*dst, self.global(*global)?),
            Inst::GlobalSet { global, src } => self.operand(*src, self.global(*global)?),
            Inst::Call { dst, func, args } => {
                ensure!(self.module.funcs.is_valid(*func), "{func} does not exist");
                self.call(self.module.funcs[*func].sig, args, *dst)
            }
            Inst::CallIndirect { dst, callee, sig, args } => {
                self.operand(*callee, Scalar::Func)?;
                self.call(*sig, args, *dst)
            }
            Inst::Builtin { dst, builtin, args } => self.builtin(*builtin, args, *dst),
            Inst::NewRecord { .. } | Inst::FieldGet { .. } | Inst::FieldSet { .. } => self.record_inst(inst),
            Inst::NewArray { .. }
            | Inst::ArrayOf { .. }
            | Inst::ElemGet { .. }
            | Inst::ElemSet { .. }
            | Inst::Len { .. } => self.array_inst(inst),
            Inst::Unwrap { dst, src } => {
                let scalar = self.scalar_of(*dst)?;
                ensure!(matches!(scalar, Scalar::Ref | Scalar::Func), "unwrap of {}", scalar.name());
                self.operand(*src, scalar)
            }
            Inst::CatchMessage { dst } => self.local(*dst, Scalar::Ref),
        }
    }

    fn scalar_of(&self, local: Local) -> Result<Scalar, VerifyError> {
        ensure!(self.func.locals.is_valid(local), "{local} does not exist");
        Ok(self.func.scalar(local))
    }

    fn global(&self, global: super::entity::Global) -> Result<Scalar, VerifyError> {
        ensure!(self.module.globals.is_valid(global), "{global} does not exist");
        Ok(self.module.scalar(self.module.globals[global].ty))
    }

    fn builtin(&self, builtin: Builtin, args: &[Operand], dst: Option<Local>) -> Check {
        match builtin {
            Builtin::Write(ty) | Builtin::Show(ty) | Builtin::Display(ty) => {
                ensure!(self.module.types.is_valid(ty), "{ty} does not exist");
                self.operands(args, &[self.module.scalar(ty)])?;
            }
            Builtin::Host(call) => self.operands(args, &call.params())?,
            other => self.operands(args, other.params().expect("untyped builtins have params"))?,
        }
        self.result(dst, builtin.result())
    }

    fn field(&self, record: super::entity::RecordRef, field: u32) -> Result<Scalar, VerifyError> {
        ensure!(self.module.records.is_valid(record), "{record} does not exist");
        let fields = self.module.records[record].fields.len();
        ensure!((field as usize) < fields, "{record} has no field {field}");
        Ok(self.module.field_elem(record, field).scalar())
    }

    fn record_inst(&self, inst: &Inst) -> Check {
        match inst {
            Inst::NewRecord { dst, record, fields } => {
                ensure!(self.module.records.is_valid(*record), "{record} does not exist");
                let count = self.module.records[*record].fields.len();
                ensure!(fields.len() == count, "{record} has {count} fields");
                let shape = &self.module.records[*record].shape;
                ensure!(shape::fits(self.module, *record), "{record} has not the fields of a {}", shape.name());
                for (at, operand) in fields.iter().enumerate() {
                    self.operand(*operand, self.field(*record, at as u32)?)?;
                }
                self.local(*dst, Scalar::Ref)
            }
            Inst::FieldGet { dst, object, record, field } => {
                self.operand(*object, Scalar::Ref)?;
                self.local(*dst, self.field(*record, *field)?)
            }
            Inst::FieldSet { object, record, field, src } => {
                self.operand(*object, Scalar::Ref)?;
                self.operand(*src, self.field(*record, *field)?)
            }
            other => unreachable!("{other:?} is no record instruction"),
        }
    }

    fn array_inst(&self, inst: &Inst) -> Check {
        match inst {
            Inst::NewArray { dst, elem, len, fill } => {
                array_elem(*elem)?;
                self.operands(&[*len, *fill], &[Scalar::Int, elem.scalar()])?;
                self.local(*dst, Scalar::Ref)
            }
            Inst::ArrayOf { dst, elem, items } => {
                array_elem(*elem)?;
                items.iter().try_for_each(|item| self.operand(*item, elem.scalar()))?;
                self.local(*dst, Scalar::Ref)
            }
            Inst::ElemGet { dst, elem, array, index } => {
                self.operands(&[*array, *index], &[Scalar::Ref, Scalar::Int])?;
                self.local(*dst, elem.scalar())
            }
            Inst::ElemSet { elem, array, index, src } => {
                array_elem(*elem)?;
                self.operands(&[*array, *index, *src], &[Scalar::Ref, Scalar::Int, elem.scalar()])
            }
            Inst::Len { dst, object } => {
                self.operand(*object, Scalar::Ref)?;
                self.local(*dst, Scalar::Int)
            }
            other => unreachable!("{other:?} is no array instruction"),
        }
    }

    fn terminator(&self, term: &Terminator) -> Check {
        let mut targets = Ok(());
        term.targets(|to| targets = targets.clone().and(self.target(to)));
        targets?;
        match term {
            Terminator::Jump(_) => Ok(()),
            Terminator::Branch { cond, .. } => self.operand(*cond, Scalar::Bool),
            Terminator::Switch { value, cases, .. } => {
                let mut values: Vec<i64> = cases.iter().map(|(value, _)| *value).collect();
                values.sort_unstable();
                ensure!(values.windows(2).all(|pair| pair[0] != pair[1]), "a switch case repeats");
                self.operand(*value, Scalar::Int)
            }
            Terminator::Return(value) => match (value, self.func.result) {
                (Some(value), Some(scalar)) => self.operand(*value, scalar),
                (None, None) => Ok(()),
                _ => Err(VerifyError("return and result disagree".into())),
            },
            Terminator::Fail { kind: FailKind::User, message } => {
                ensure!(*message != Operand::NoneRef, "fail without a message");
                self.operand(*message, Scalar::Ref)
            }
            Terminator::Fail { kind: FailKind::Assert, message } => self.operand(*message, Scalar::Ref),
            Terminator::Fail { kind, message } => {
                ensure!(*message == Operand::NoneRef, "{} has a message", kind.name());
                Ok(())
            }
            Terminator::Exit(status) => self.operand(*status, Scalar::Int),
        }
    }

    fn handlers(&self, cfg: &Cfg) -> Check {
        let mut is_handler: EntitySet<Block> = EntitySet::new();
        for data in self.func.blocks.values() {
            data.handler.iter().for_each(|handler| {
                is_handler.insert(*handler);
            });
        }
        for (block, data) in self.func.blocks.iter() {
            let catches = matches!(data.insts.first(), Some(Inst::CatchMessage { .. }));
            ensure!(
                catches == is_handler.contains(block),
                "`{}`: {block} catches, or is a handler, but not both",
                self.func.name
            );
            for (to, kind) in cfg.succs(block) {
                ensure!(
                    is_handler.contains(*to) == (*kind == EdgeKind::Failure),
                    "`{}`: {block} -> {to} is no failure edge",
                    self.func.name
                );
            }
        }
        Ok(())
    }

    /// No local is live where the function starts, but for its parameters: from there a path would lead to a use
    /// without an assignment. A failure edge carries the locals assigned at the start of the block it leaves, as
    /// liveness has it too.
    fn assigned_before_use(&self, cfg: &Cfg) -> Check {
        let live = Liveness::compute(self.func, cfg);
        let entry = self.func.entry();
        let Some(local) = live.live_in(entry).find(|local| !self.func.params.contains(local)) else { return Ok(()) };
        // A use lies where the local is live, and before an assignment.
        let is_use = |block: &Block| {
            let data = &self.func.blocks[*block];
            let mut found = false;
            for inst in &data.insts {
                inst.operands(|operand| found |= operand == Operand::Local(local));
                if found || inst.dst() == Some(local) {
                    return found;
                }
            }
            data.term.operand() == Some(Operand::Local(local))
        };
        let block = cfg.reverse_postorder().filter(|block| live.is_live_in(*block, local)).find(is_use);
        let block = block.expect("what is live is used");
        Err(VerifyError(format!("`{}`, {block}: {local} is used before it is assigned", self.func.name)))
    }
}

/// The elements of an array are not those of a string.
fn array_elem(elem: Elem) -> Check {
    ensure!(elem != Elem::Char, "an array of {}", elem.name());
    Ok(())
}
