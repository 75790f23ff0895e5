//! Scalar replacement of aggregates: records and short arrays that nothing but this function sees become values.
//!
//! In: allocations whose results are only read from, written to, compared with `none`, or passed to block parameters that
//! are used like that. Out: a value for each field; no allocation, no access.
//!
//! Requires: no failure handlers. Preserves: everything but running out of memory.
//!
//! An object that escapes on some path stays one, which [SWM14] improves on; one that is an operand of a call escapes, of which
//! [CGSSM99] finds more. An object that is passed to parameters must not be written to: several names may then mean one object, but all of them mean the same
//! fields. Each such parameter gets one more parameter for each field. An object that is written to has one name, and its
//! fields are built as variables are: see [`Reaching`].
//!
//! [CGSSM99] J.-D. Choi, M. Gupta, M. Serrano, V. C. Sreedhar, S. Midkiff, "Escape Analysis for Java", OOPSLA 1999.
//! [SWM14] L. Stadler, T. Wuerthinger, H. Moessenboeck, "Partial Escape Analysis and Scalar Replacement for Java", CGO 2014.

use super::Changed;
use super::cfg::Graph;
use super::repair::Reaching;
use super::replacements::Replacements;
use super::ssa::{Block, Func, Inst, Mem, Op, Value};
use super::sweep;
use crate::settings::scalar_replace::{MAX_FIELDS, MAX_ROUNDS};
use hashbrown::{HashMap, HashSet};
use holloway_lang::ir::{BinaryOp, Elem, Operand, RecordRef};
use std::collections::BTreeMap;

/// The layout of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    Record(RecordRef, usize),
    Array(Elem, usize),
}

/// The use that an instruction makes of an object.
enum Use {
    Load(usize),
    Store(usize),
    /// Gives a constant.
    Known(Operand),
    /// A check that holds.
    Check,
    Escape,
}

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    let mut changed = Changed::No;
    for _ in 0..MAX_ROUNDS {
        let graph = Graph::of(func);
        let objects = Objects::find(func, &graph);
        if objects.layouts.is_empty() {
            break;
        }
        replace(func, &graph, &objects);
        sweep::run(func);
        changed = Changed::Yes;
    }
    changed
}

/// The objects to replace, by their names: results of allocations, and parameters.
#[derive(Default)]
struct Objects {
    layouts: HashMap<Value, Layout>,
    /// Allocations that are written to.
    written: HashSet<Value>,
}

impl Objects {
    /// Starts with all that may be such objects and drops what is not until nothing changes.
    fn find(func: &Func, graph: &Graph) -> Objects {
        let mut objects = Objects::default();
        let mut flows: Vec<(Value, Value)> = Vec::new();
        for block in &graph.rpo {
            let data = &func.blocks[*block];
            for inst in &data.insts {
                if let (Some(layout), Some(value)) = (allocates(func, *inst), func.insts[*inst].result) {
                    objects.layouts.insert(value, layout);
                }
            }
            for target in data.term.targets() {
                flows.extend(target.args.iter().copied().zip(func.blocks[target.block].params.iter().copied()));
            }
        }
        if objects.layouts.is_empty() {
            return objects;
        }
        objects.add_params(&flows);
        objects.drop_escaping(func, graph);
        objects.drop_mixed(&flows);
        objects.written.retain(|value| objects.layouts.contains_key(value));
        objects
    }

    /// Parameters that get some object; which other ones they get is looked at later.
    fn add_params(&mut self, flows: &[(Value, Value)]) {
        let mut changed = true;
        while changed {
            changed = false;
            for (arg, param) in flows {
                if let Some(layout) = self.layouts.get(arg).copied()
                    && !self.layouts.contains_key(param)
                {
                    self.layouts.insert(*param, layout);
                    changed = true;
                }
            }
        }
    }

    fn drop_escaping(&mut self, func: &Func, graph: &Graph) {
        for block in &graph.rpo {
            let data = &func.blocks[*block];
            for inst in &data.insts {
                for at in 0..func.insts[*inst].args.len() {
                    let value = func.insts[*inst].args[at];
                    let Some(layout) = self.layouts.get(&value).copied() else { continue };
                    match used(func, *inst, at, layout) {
                        Use::Escape => {
                            self.layouts.remove(&value);
                        }
                        Use::Store(_) => {
                            self.written.insert(value);
                        }
                        Use::Load(_) | Use::Known(_) | Use::Check => {}
                    }
                }
            }
            if let Some(value) = data.term.operand() {
                self.layouts.remove(&value);
            }
        }
    }

    /// Drops parameters that get something else too, what is passed to those, and what is both written to and passed on.
    fn drop_mixed(&mut self, flows: &[(Value, Value)]) {
        let mut changed = true;
        while changed {
            changed = false;
            for (arg, param) in flows {
                let (from, to) = (self.layouts.get(arg), self.layouts.get(param));
                if from.is_none() && to.is_none() {
                    continue;
                }
                let agree = from == to && !self.written.contains(arg) && !self.written.contains(param);
                if !agree {
                    changed |= self.layouts.remove(arg).is_some() | self.layouts.remove(param).is_some();
                }
            }
        }
    }
}

/// The layout of what an instruction allocates.
fn allocates(func: &Func, inst: Inst) -> Option<Layout> {
    let data = &func.insts[inst];
    let layout = match data.op {
        Op::NewRecord(record) => Layout::Record(record, data.args.len()),
        Op::ArrayOf(elem) => Layout::Array(elem, data.args.len()),
        Op::NewArray(elem) => Layout::Array(elem, usize::try_from(func.as_int(data.args[0])?).ok()?),
        _ => return None,
    };
    let (Layout::Record(_, fields) | Layout::Array(_, fields)) = layout;
    // What is put into an array of bytes is cut to a byte by the allocation alone.
    let as_stored = !matches!(layout, Layout::Array(Elem::Byte, _));
    (fields <= MAX_FIELDS && as_stored).then_some(layout)
}

/// Returns the use that an instruction makes of its operand at that position, an object.
fn used(func: &Func, inst: Inst, at: usize, layout: Layout) -> Use {
    let data = &func.insts[inst];
    let index = || data.args.get(1).and_then(|index| func.as_int(*index)).and_then(|index| usize::try_from(index).ok());
    match (data.op, layout, at) {
        (Op::Load(Mem::Field(_, field)), Layout::Record(..), 0) => Use::Load(field as usize),
        (Op::Store(Mem::Field(_, field)), Layout::Record(..), 0) => Use::Store(field as usize),
        (Op::Load(Mem::Elem(_)), Layout::Array(_, len), 0) => {
            index().filter(|index| *index < len).map_or(Use::Escape, Use::Load)
        }
        (Op::Store(Mem::Elem(_)), Layout::Array(_, len), 0) => {
            index().filter(|index| *index < len).map_or(Use::Escape, Use::Store)
        }
        (Op::Load(Mem::Len), Layout::Array(_, len), 0) => Use::Known(Operand::Int(len as i64)),
        (Op::CheckSome, ..) => Use::Check,
        (Op::Binary(op @ (BinaryOp::RefEq | BinaryOp::RefNe)), ..) => match func.as_const(data.args[1 - at]) {
            Some(Operand::NoneRef) => Use::Known(Operand::Bool(op == BinaryOp::RefNe)),
            _ => Use::Escape,
        },
        _ => Use::Escape,
    }
}

/// The values of the fields at the allocation.
fn initial(func: &Func, inst: Inst) -> Vec<Value> {
    let data = &func.insts[inst];
    match data.op {
        Op::NewArray(_) => vec![data.args[1]; func.as_int(data.args[0]).map_or(0, |len| len as usize)],
        _ => data.args.to_vec(),
    }
}

fn replace(func: &mut Func, graph: &Graph, objects: &Objects) {
    let mut fields = fields_of_params(func, graph, objects);
    let mut with = Replacements::new(func);
    let mut written: BTreeMap<Value, Written> = BTreeMap::new();
    for block in &graph.rpo {
        for (place, inst) in func.blocks[*block].insts.iter().enumerate() {
            let data = &func.insts[*inst];
            if let Some(value) = data.result.filter(|value| objects.layouts.contains_key(value)) {
                let initial = initial(func, *inst);
                if objects.written.contains(&value) {
                    written.entry(value).or_default().initial(*block, place, initial);
                } else {
                    fields.insert(value, initial);
                }
            }
            let Some(object) = data.args.first().filter(|object| objects.written.contains(*object)) else { continue };
            match used(func, *inst, 0, objects.layouts[object]) {
                Use::Store(field) => {
                    let value = *data.args.last().expect("a store has a value");
                    written.entry(*object).or_default().stores.push(Store { block: *block, place, field, value });
                }
                Use::Load(field) => {
                    let result = data.result.expect("a load has a result");
                    written.entry(*object).or_default().loads.push(Load { block: *block, place, field, result });
                }
                Use::Known(_) | Use::Check | Use::Escape => {}
            }
        }
    }
    pass_fields(func, graph, objects, &fields);
    for object in written.values() {
        object.replace(func, graph, &mut with);
    }
    remove_accesses(func, graph, objects, &fields, &mut with);
    with.apply(func);
}

/// Gives each parameter that is an object one more for each field.
fn fields_of_params(func: &mut Func, graph: &Graph, objects: &Objects) -> HashMap<Value, Vec<Value>> {
    let mut scalars: HashMap<Value, Vec<_>> = HashMap::new();
    let mut open = true;
    // The types of fields come from the allocations, along the ways to the parameters.
    for block in &graph.rpo {
        for inst in &func.blocks[*block].insts {
            if let Some(value) = func.insts[*inst].result.filter(|value| objects.layouts.contains_key(value)) {
                let types = initial(func, *inst).iter().map(|field| func.values[*field].scalar).collect();
                scalars.insert(value, types);
            }
        }
    }
    while std::mem::replace(&mut open, false) {
        for block in &graph.rpo {
            for target in func.blocks[*block].term.targets() {
                for (arg, param) in target.args.iter().zip(&func.blocks[target.block].params) {
                    if objects.layouts.contains_key(param)
                        && !scalars.contains_key(param)
                        && let Some(types) = scalars.get(arg).cloned()
                    {
                        scalars.insert(*param, types);
                        open = true;
                    }
                }
            }
        }
    }
    let mut fields = HashMap::new();
    for block in &graph.rpo {
        for param in func.blocks[*block].params.clone() {
            if objects.layouts.contains_key(&param) {
                let new = scalars[&param].iter().map(|scalar| func.add_param(*block, *scalar)).collect();
                fields.insert(param, new);
            }
        }
    }
    fields
}

/// Passes the fields of objects that are passed, in the order in which [`fields_of_params`] made their parameters.
fn pass_fields(func: &mut Func, graph: &Graph, objects: &Objects, fields: &HashMap<Value, Vec<Value>>) {
    for block in &graph.rpo {
        let params: Vec<Vec<usize>> = func.blocks[*block]
            .term
            .targets()
            .map(|target| {
                let params = func.blocks[target.block].params.iter().enumerate();
                params.filter(|(_, param)| objects.layouts.contains_key(*param)).map(|(at, _)| at).collect()
            })
            .collect();
        for (target, params) in func.blocks[*block].term.targets_mut().zip(params) {
            for at in params {
                let object = target.args[at];
                target.args.extend_from_slice(&fields[&object]);
            }
        }
    }
}

/// Takes accesses to objects out, and puts what they gave into `with`.
fn remove_accesses(
    func: &mut Func,
    graph: &Graph,
    objects: &Objects,
    fields: &HashMap<Value, Vec<Value>>,
    with: &mut Replacements,
) {
    for block in &graph.rpo {
        let insts = std::mem::take(&mut func.blocks[*block].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            let args = func.insts[inst].args.clone();
            let found = args.iter().enumerate().find_map(|(at, arg)| Some((at, *arg, *objects.layouts.get(arg)?)));
            let Some((at, object, layout)) = found else {
                kept.push(inst);
                continue;
            };
            let value = match used(func, inst, at, layout) {
                Use::Load(field) => fields.get(&object).map(|fields| fields[field]),
                Use::Known(constant) => Some(func.constant(constant)),
                Use::Store(_) | Use::Check => None,
                Use::Escape => unreachable!("objects that escape are not replaced"),
            };
            if let (Some(result), Some(value)) = (func.insts[inst].result, value) {
                with.insert(result, value);
            }
        }
        func.blocks[*block].insts = kept;
    }
}

/// An object that is written to.
#[derive(Default)]
struct Written {
    stores: Vec<Store>,
    loads: Vec<Load>,
}

/// A field gets a value, at the allocation or later.
struct Store {
    block: Block,
    place: usize,
    field: usize,
    value: Value,
}

struct Load {
    block: Block,
    place: usize,
    field: usize,
    result: Value,
}

impl Written {
    fn initial(&mut self, block: Block, place: usize, values: Vec<Value>) {
        let stores = values.into_iter().enumerate().map(|(field, value)| Store { block, place, field, value });
        self.stores.extend(stores);
    }

    fn replace(&self, func: &mut Func, graph: &Graph, with: &mut Replacements) {
        let mut fields: Vec<usize> = self.loads.iter().map(|load| load.field).collect();
        fields.sort_unstable();
        fields.dedup();
        let mut reaching = Reaching::new(func, graph);
        for field in fields {
            let stores: Vec<&Store> = self.stores.iter().filter(|store| store.field == field).collect();
            // Stores stand in the order of their places, so the last of a block wins.
            let at_end = stores.iter().map(|store| (store.block, store.value));
            reaching.start_with(stores[0].value, at_end);
            for load in self.loads.iter().filter(|load| load.field == field) {
                let before = |store: &&&Store| store.block == load.block && store.place < load.place;
                let here = stores.iter().rev().find(before).map(|store| store.value);
                let value = here.unwrap_or_else(|| reaching.start(load.block));
                with.insert(load.result, value);
            }
        }
    }
}
