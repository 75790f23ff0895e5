//! States of loops: the places that say which state a loop is in.
//!
//! In: a body and one of its loops. Out: the places that may be its state, and the values that the body knows of each.
//! Invariant: the place stays where it is while the loop runs. A local is one; a field or an element is that of an object that a
//! local refers to, which the loop does not assign, or a global, which is read anew wherever it may have changed.

use super::nest::Nest;
use hashbrown::{HashMap, HashSet};
use holloway_lang::ir::{
    BinaryOp, Block, Elem, Function, Global, Inst, Liveness, Local, LoopId, Module, Operand, RecordRef, Scalar,
    Terminator,
};

/// A place that holds the number of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// An integer local that is assigned constants only.
    Local(Local),
    /// A global.
    Global(Global),
    /// A field.
    Field {
        /// The record.
        of: Holder,
        /// Its layout.
        record: RecordRef,
        /// The field in it.
        field: u32,
    },
    /// An element.
    Element {
        /// The array.
        of: Holder,
        /// Its storage.
        elem: Elem,
        /// A constant, or a local that the loop does not assign.
        index: Operand,
    },
}

/// A variable that refers to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A local that the loop does not assign.
    Local(Local),
    /// A global.
    Global(Global),
}

impl State {
    /// The variable that refers to the object that it is in; `None` if it is a variable itself.
    pub(super) fn holder(self) -> Option<Holder> {
        match self {
            State::Local(_) | State::Global(_) => None,
            State::Field { of, .. } | State::Element { of, .. } => Some(of),
        }
    }

    /// The place as the program names it.
    pub fn name(self, body: &Function, module: &Module) -> String {
        let local = |local: Local| body.locals[local].name.clone().unwrap_or_else(|| local.to_string());
        let holder = |of: Holder| match of {
            Holder::Local(of) => local(of),
            Holder::Global(global) => module.globals[global].name.clone(),
        };
        match self {
            State::Local(of) => local(of),
            State::Global(global) => module.globals[global].name.clone(),
            State::Field { of, record, field } => {
                format!("{}.{}", holder(of), module.records[record].fields[field as usize].name)
            }
            State::Element { of, index: Operand::Local(index), .. } => format!("{}[{}]", holder(of), local(index)),
            State::Element { of, index, .. } => format!("{}[{index}]", holder(of)),
        }
    }
}

/// Places that may be the state of a loop: what it compares with constants and, of locals, assigns.
pub(super) fn states_in(body: &Function, nest: &Nest, live: &Liveness, id: LoopId) -> Vec<State> {
    let l = nest.loops.get(id);
    let assigned = assigned_in(body, &l.blocks);
    let locals =
        live.live_in(l.header).filter(|local| assigned.contains(local) && constants_of(body, *local).is_some());
    let mut states: Vec<State> = locals.map(State::Local).collect();
    let reads = reads(body, &l.blocks, &assigned);
    for (_, state) in &reads {
        if !states.contains(state) {
            states.push(*state);
        }
    }
    states.retain(|state| !compared(body, &l.blocks, *state, &reads).is_empty());
    states
}

/// Returns whether a loop may be split by a state: it is at one place while the loop runs, and known where the loop is entered.
pub(super) fn is_state(body: &Function, nest: &Nest, live: &Liveness, id: LoopId, state: State) -> bool {
    let l = nest.loops.get(id);
    match state {
        State::Local(local) => {
            constants_of(body, local).is_some_and(|all| all.len() > 1) && live.live_in(l.header).any(|one| one == local)
        }
        State::Global(_) | State::Field { .. } | State::Element { .. } => {
            reads(body, &l.blocks, &assigned_in(body, &l.blocks)).iter().any(|(_, known)| *known == state)
        }
    }
}

/// The values that the body knows of a state, by rising value: all that a local has; of another place those that the loop compares it with, and those
/// that the body stores in such places.
pub(super) fn values(body: &Function, blocks: &[Block], state: State) -> Vec<i64> {
    let mut values = match state {
        State::Local(local) => constants_of(body, local).unwrap_or_default(),
        State::Global(_) | State::Field { .. } | State::Element { .. } => {
            let insts = body.blocks.values().flat_map(|data| &data.insts);
            let mut values: Vec<i64> = insts.filter_map(|inst| stored(inst, state)).collect();
            values.extend(compared(body, blocks, state, &reads(body, blocks, &assigned_in(body, blocks))));
            values
        }
    };
    values.sort_unstable();
    values.dedup();
    values
}

/// All values that a local has, by rising value, if it is an integer that is assigned constants only.
fn constants_of(body: &Function, local: Local) -> Option<Vec<i64>> {
    if !body.locals.is_valid(local) || body.scalar(local) != Scalar::Int || body.params.contains(&local) {
        return None;
    }
    let assigning = body.blocks.values().flat_map(|data| &data.insts).filter(|inst| inst.dst() == Some(local));
    let constant = |inst: &Inst| match inst {
        Inst::Copy { src: Operand::Int(value), .. } => Some(*value),
        _ => None,
    };
    let mut values = assigning.map(constant).collect::<Option<Vec<i64>>>()?;
    values.sort_unstable();
    values.dedup();
    Some(values)
}

fn assigned_in(body: &Function, blocks: &[Block]) -> HashSet<Local> {
    blocks.iter().flat_map(|block| &body.blocks[*block].insts).filter_map(Inst::dst).collect()
}

/// The integers that a loop reads from memory at places that stay: each with the local that it is read into.
fn reads(body: &Function, blocks: &[Block], assigned: &HashSet<Local>) -> Vec<(Local, State)> {
    let mut found = Vec::new();
    for block in blocks {
        let mut globals: HashMap<Local, Global> = HashMap::new();
        for inst in &body.blocks[*block].insts {
            let holder = |object: &Operand| match object {
                Operand::Local(local) if !assigned.contains(local) => Some(Holder::Local(*local)),
                Operand::Local(local) => globals.get(local).copied().map(Holder::Global),
                _ => None,
            };
            let state = match inst {
                Inst::GlobalGet { global, .. } => Some(State::Global(*global)),
                Inst::FieldGet { object, record, field, .. } => {
                    holder(object).map(|of| State::Field { of, record: *record, field: *field })
                }
                Inst::ElemGet { elem, array, index, .. } if *elem != Elem::Char && stays(*index, assigned) => {
                    holder(array).map(|of| State::Element { of, elem: *elem, index: *index })
                }
                _ => None,
            };
            let Some(dst) = inst.dst() else { continue };
            found.extend(state.filter(|_| body.scalar(dst) == Scalar::Int).map(|state| (dst, state)));
            match inst {
                Inst::GlobalGet { global, .. } => globals.insert(dst, *global),
                _ => globals.remove(&dst),
            };
        }
    }
    found
}

fn stays(index: Operand, assigned: &HashSet<Local>) -> bool {
    match index {
        Operand::Int(index) => index >= 0,
        Operand::Local(local) => !assigned.contains(&local),
        _ => false,
    }
}

/// Constants that a loop compares a state with, by what it reads.
fn compared(body: &Function, blocks: &[Block], state: State, reads: &[(Local, State)]) -> Vec<i64> {
    let mut names: HashSet<Local> = match state {
        State::Local(local) => HashSet::from([local]),
        State::Global(_) | State::Field { .. } | State::Element { .. } => {
            reads.iter().filter(|(_, known)| *known == state).map(|(local, _)| *local).collect()
        }
    };
    for inst in blocks.iter().flat_map(|block| &body.blocks[*block].insts) {
        if let Inst::Copy { dst, src: Operand::Local(src) } = inst
            && names.contains(src)
        {
            names.insert(*dst);
        }
    }
    let is_named = |operand: &Operand| matches!(operand, Operand::Local(local) if names.contains(local));
    let mut values = Vec::new();
    for data in blocks.iter().map(|block| &body.blocks[*block]) {
        for inst in &data.insts {
            match inst {
                Inst::Binary { op: BinaryOp::IntEq | BinaryOp::IntNe, lhs, rhs: Operand::Int(value), .. }
                | Inst::Binary { op: BinaryOp::IntEq | BinaryOp::IntNe, lhs: Operand::Int(value), rhs: lhs, .. }
                    if is_named(lhs) =>
                {
                    values.push(*value);
                }
                _ => {}
            }
        }
        if let Terminator::Switch { value, cases, .. } = &data.term
            && is_named(value)
        {
            values.extend(cases.iter().map(|(value, _)| *value));
        }
    }
    values
}

/// The constant that an instruction stores in the place of a state, or in one of that kind.
fn stored(inst: &Inst, state: State) -> Option<i64> {
    let src = match (inst, state) {
        (Inst::GlobalSet { global, src }, State::Global(known)) if *global == known => src,
        (Inst::FieldSet { record, field, src, .. }, State::Field { record: known, field: at, .. })
            if (*record, *field) == (known, at) =>
        {
            src
        }
        (Inst::NewRecord { record, fields, .. }, State::Field { record: known, field, .. }) if *record == known => {
            &fields[field as usize]
        }
        (Inst::ElemSet { elem, index, src, .. }, State::Element { elem: known, index: at, .. })
            if (*elem, *index) == (known, at) =>
        {
            src
        }
        _ => return None,
    };
    match src {
        Operand::Int(value) => Some(*value),
        _ => None,
    }
}
