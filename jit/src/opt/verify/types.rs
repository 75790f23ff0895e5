//! The types of every operation's operands and result.
//!
//! In: an instruction. Out: how it differs from what its operation takes and gives, if it does.

use crate::opt::op::{Mem, Probe};
use crate::opt::ssa::{Func, InstData, Op};
use holloway_lang::ir::{Builtin, Elem, Module, Scalar, SigRef};

/// The operands that an operation takes.
enum Operands {
    /// Values of these types.
    Are(Vec<Scalar>),
    /// Any number of values of one type.
    All(Scalar),
    /// Whatever is alive.
    Any,
}

/// The result that an operation gives.
enum Gives {
    /// A value of that type, or nothing.
    Is(Option<Scalar>),
    /// A value of a type that nothing else says.
    Some,
}
use Gives::Is;
use Operands::{All, Any, Are};

/// Says how an instruction differs from what its operation takes and gives.
pub(super) fn check(module: &Module, func: &Func, data: &InstData) -> Result<(), String> {
    let found: Vec<Scalar> = data.args.iter().map(|arg| func.values[*arg].scalar).collect();
    let result = data.result.map(|value| func.values[value].scalar);
    let (operands, gives) = signature(module, func, data, &found)?;
    let fits = match operands {
        Are(types) => types == found,
        All(scalar) => found.iter().all(|one| *one == scalar),
        Any => true,
    };
    if !fits {
        return Err(format!("{:?} has operands of other types", data.op));
    }
    let fits = match gives {
        Is(wanted) => result == wanted,
        Gives::Some => result.is_some(),
    };
    if fits { Ok(()) } else { Err(format!("{:?} has a result of another type", data.op)) }
}

fn signature(module: &Module, func: &Func, data: &InstData, found: &[Scalar]) -> Result<(Operands, Gives), String> {
    use Scalar::{Bool, Int, Ref};
    Ok(match data.op {
        Op::Unary(op) => (Are(vec![op.operand()]), Is(Some(op.result()))),
        Op::Binary(op) => (Are(vec![op.operand(); 2]), Is(Some(op.result()))),
        Op::Select => {
            let either = found.get(1).copied().unwrap_or(Int);
            (Are(vec![Bool, either, either]), Is(Some(either)))
        }
        Op::Below => (Are(vec![Int; 2]), Is(Some(Bool))),
        Op::RotateWord if !matches!(func.as_int(data.args[1]), Some(1..=31)) => {
            return Err("a word is rotated by a constant from 1 to 31".to_owned());
        }
        Op::RotateWord => (Are(vec![Int; 2]), Is(Some(Int))),
        Op::CheckZero => (Are(vec![Int]), Is(None)),
        Op::CheckIndex => (Are(vec![Int; 2]), Is(None)),
        Op::CheckSome => {
            let of = if found == [Scalar::Func] { Scalar::Func } else { Ref };
            (Are(vec![of]), Is(None))
        }
        Op::Load(mem) => {
            let (place, holds) = place(module, func, mem)?;
            (Are(place), holds.map_or(Gives::Some, |scalar| Is(Some(scalar))))
        }
        Op::Store(Mem::Len | Mem::Base | Mem::Elem(Elem::Char) | Mem::State(_)) => {
            return Err(format!("{:?} is no store", data.op));
        }
        Op::Sunk(record, field) => {
            let (mut operands, holds) = place(module, func, Mem::Field(record, field))?;
            operands.extend(holds);
            (Are(operands), Is(None))
        }
        Op::Store(mem) => {
            let (mut operands, holds) = place(module, func, mem)?;
            operands.extend(holds);
            (Are(operands), Is(None))
        }
        Op::LinearLoad(access, _) => (Are(vec![Int]), Is(Some(access.scalar()))),
        Op::LinearStore(access, _) if access.is_signed() => return Err("a store does not extend".to_owned()),
        Op::LinearStore(access, _) => (Are(vec![Int, access.scalar()]), Is(None)),
        Op::Call(callee) => {
            let callee = module.funcs.get(callee).ok_or_else(|| format!("{callee} is not declared"))?;
            call(module, None, callee.sig)?
        }
        Op::CallIndirect(sig) => call(module, Some(Scalar::Func), sig)?,
        Op::Builtin(builtin) => {
            let typed = builtin.ty().map(|ty| {
                let is_known = module.types.get(ty).is_some();
                if is_known { Ok(vec![module.scalar(ty)]) } else { Err(format!("{ty} is not declared")) }
            });
            let typed = match builtin {
                Builtin::Host(call) => Some(Ok(call.params())),
                _ => typed,
            };
            let operands = typed.unwrap_or_else(|| Ok(builtin.params().unwrap_or_default().to_vec()))?;
            (Are(operands), Is(builtin.result()))
        }
        Op::NewRecord(record) => {
            let layout = module.records.get(record).ok_or_else(|| format!("{record} is not declared"))?;
            let fields = layout.fields.iter().map(|field| module.scalar(field.ty)).collect();
            (Are(fields), Is(Some(Ref)))
        }
        Op::NewArray(elem) => (Are(vec![Int, elem.scalar()]), Is(Some(Ref))),
        Op::ArrayOf(elem) => (All(elem.scalar()), Is(Some(Ref))),
        Op::Allocated => {
            let operands = if found.len() > 1 { vec![Ref, Int] } else { vec![Ref] };
            (Are(operands), Is(Some(Ref)))
        }
        Op::CatchMessage => (Are(Vec::new()), Is(Some(Ref))),
        Op::OsrPoint => (Any, Is(None)),
        Op::Poll => (Are(Vec::new()), Is(None)),
        Op::Probe(probe) => probe_signature(probe),
    })
}

fn probe_signature(probe: Probe) -> (Operands, Gives) {
    let operands = match probe.operands() {
        Some(1) if matches!(probe, Probe::NoteTarget(_)) => Are(vec![Scalar::Func]),
        Some(number) => Are(vec![Scalar::Int; number]),
        None => All(Scalar::Int),
    };
    (operands, Is(probe.result()))
}

/// The operands that say which place it is, and what it holds; none if nothing says that.
fn place(module: &Module, func: &Func, mem: Mem) -> Result<(Vec<Scalar>, Option<Scalar>), String> {
    use Scalar::{Int, Ref};
    Ok(match mem {
        Mem::Len => (vec![Ref], Some(Int)),
        Mem::Base => (vec![Ref], Some(Ref)),
        Mem::Elem(elem) => (vec![Ref, Int], Some(elem.scalar())),
        Mem::Field(record, field) => {
            let layout = module.records.get(record).and_then(|layout| layout.fields.get(field as usize));
            let field = layout.ok_or_else(|| format!("field {record}.{field} is not declared"))?;
            (vec![Ref], Some(module.scalar(field.ty)))
        }
        Mem::Global(global) => {
            let decl = module.globals.get(global).ok_or_else(|| format!("{global} is not declared"))?;
            (Vec::new(), Some(module.scalar(decl.ty)))
        }
        Mem::Slot(slot) => {
            let scalar = func.slots.get(slot as usize).ok_or_else(|| format!("slot {slot} is not declared"))?;
            (Vec::new(), Some(*scalar))
        }
        Mem::State(_) => (Vec::new(), None),
    })
}

/// The operands and the result of a call: those of a signature, behind the callee if it is an operand.
fn call(module: &Module, callee: Option<Scalar>, sig: SigRef) -> Result<(Operands, Gives), String> {
    let sig = module.sigs.get(sig).ok_or_else(|| format!("{sig} is not declared"))?;
    let params = sig.params.iter().map(|ty| module.scalar(*ty));
    Ok((Are(callee.into_iter().chain(params).collect()), Is(sig.result.map(|ty| module.scalar(ty)))))
}
