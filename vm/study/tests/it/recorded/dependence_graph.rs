//! The dynamic dependence graph by brute force, for comparison.
//!
//! In: the interpreter's events. Out: a node for each part of each executed instruction, with edges to the nodes that it depends on; and the
//! slices that follow from them. The rules are those of `vm/study/src/trace/facts/statements.rs`, carried out as the program runs: every location
//! has the node that set it last.
//!
//! Invariant: nothing here knows timestamps, stores or traces.

use super::linear_nodes::{LinearNodes, LinearTarget};
use super::naive_control::NaiveControl;
use cranelift_entity::EntityRef;
use holloway_interp::{InstPlace, Observer, Operands};
use holloway_jit::abi::Shape;
use holloway_jit::graph_of::node_of;
use holloway_lang::ir::{Block, Builtin, EdgeKind, FuncRef, Global, Inst, Local, Module, Operand, Terminator};
use holloway_profiler::wpp::slice::{ProcedureId, StatementId};
use holloway_study::trace::facts::place::function_of;
use std::collections::{BTreeSet, HashMap};

/// A node of the graph.
type NodeId = usize;

/// A location whose value was read: a criterion to slice by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    pub(super) activation: u32,
    pub(super) time: u64,
    pub(super) statement: u32,
    pub(super) variable: ReadVariable,
    /// The node that set it.
    set_by: Option<NodeId>,
}

/// The variable that was read.
#[derive(Clone, Copy, Debug)]
pub(super) enum ReadVariable {
    Local(Local),
    Global(Global),
}

/// A location that an instruction sets.
enum Target {
    Local(Local),
    Global(Global),
    Part(u64, usize),
    Parts(u64, std::ops::Range<usize>),
    NewPart(usize),
    NewParts,
    NewLength,
    Linear(LinearTarget),
}

struct Frame {
    activation: u32,
    func: FuncRef,
    block: Block,
    time: u64,
    locals: Vec<Option<NodeId>>,
    /// The node on which the present block depends.
    control: Option<NodeId>,
    call: Option<NodeId>,
    /// The decisions so far: the block, the handler of a failure, the node.
    decisions: Vec<(Block, Option<Block>, NodeId)>,
}

/// The graph, as it grows.
pub(super) struct DependenceGraph<'a> {
    module: &'a Module,
    nodes: Vec<(StatementId, Vec<NodeId>)>,
    control: HashMap<FuncRef, NaiveControl>,
    frames: Vec<Frame>,
    globals: HashMap<Global, NodeId>,
    parts: HashMap<(u64, usize), NodeId>,
    lengths: HashMap<u64, NodeId>,
    linear: LinearNodes,
    message: Option<NodeId>,
    /// The definitions of the present instruction, with what they depend on.
    pending: Vec<(Target, Vec<NodeId>)>,
    /// The nodes that decide if it fails.
    decides: Vec<NodeId>,
    calling: Option<(NodeId, Vec<NodeId>)>,
    returned: Option<NodeId>,
    /// The node that failed, while frames are unwound.
    failed: Option<NodeId>,
    activations: u32,
    /// Every read of a variable.
    pub(super) reads: Vec<Read>,
}

impl<'a> DependenceGraph<'a> {
    pub(super) fn new(module: &'a Module) -> DependenceGraph<'a> {
        DependenceGraph {
            module,
            nodes: Vec::new(),
            control: HashMap::new(),
            frames: Vec::new(),
            globals: HashMap::new(),
            parts: HashMap::new(),
            lengths: HashMap::new(),
            linear: LinearNodes::default(),
            message: None,
            pending: Vec::new(),
            decides: Vec::new(),
            calling: None,
            returned: None,
            failed: None,
            activations: 0,
            reads: Vec::new(),
        }
    }

    /// The statements on which the value of a read depends.
    pub(super) fn slice(&self, read: Read) -> BTreeSet<StatementId> {
        let mut seen = BTreeSet::new();
        let mut pending: Vec<NodeId> = read.set_by.into_iter().collect();
        while let Some(node) = pending.pop() {
            if seen.insert(node) {
                pending.extend(&self.nodes[node].1);
            }
        }
        seen.into_iter().map(|node| self.nodes[node].0).collect()
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a frame is active")
    }

    /// A node of the innermost frame, which depends on the block's decision, too.
    fn node(&mut self, index: usize, mut on: Vec<NodeId>) -> NodeId {
        let frame = self.frames.last().expect("a frame is active");
        on.extend(frame.control);
        let procedure = ProcedureId::new(frame.func.index());
        let statement = StatementId { procedure, block: node_of(frame.block), index: index as u32 };
        self.nodes.push((statement, on));
        self.nodes.len() - 1
    }

    fn of(&self, operands: &[Operand]) -> Vec<NodeId> {
        let frame = self.frames.last().expect("a frame is active");
        let set_by = |operand: &Operand| match operand {
            Operand::Local(local) => frame.locals[local.index()],
            _ => None,
        };
        operands.iter().filter_map(set_by).collect()
    }

    fn of_parts(&self, operands: Operands<'_>, object: Operand, range: std::ops::Range<usize>) -> Vec<NodeId> {
        let Some(object) = operands.object(object) else { return Vec::new() };
        if object.shape == Shape::Str {
            return Vec::new();
        }
        range.filter_map(|part| self.parts.get(&(object.address, part)).copied()).collect()
    }

    fn of_length(&self, operands: Operands<'_>, object: Operand) -> Vec<NodeId> {
        let array = operands.object(object).filter(|object| matches!(object.shape, Shape::Array(_)));
        array.and_then(|object| self.lengths.get(&object.address).copied()).into_iter().collect()
    }

    fn note_reads(&mut self, index: usize, inst: &Inst) {
        let frame = self.frames.last().expect("a frame is active");
        let (activation, time) = (frame.activation, frame.time);
        let mut add = |variable, set_by| {
            self.reads.push(Read { activation, time, statement: index as u32, variable, set_by });
        };
        if let Inst::GlobalGet { global, .. } = inst {
            add(ReadVariable::Global(*global), self.globals.get(global).copied());
        }
        inst.operands(|operand| {
            if let Operand::Local(local) = operand {
                add(ReadVariable::Local(local), frame.locals[local.index()]);
            }
        });
    }

    /// The definitions of an instruction that is about to be executed.
    fn definitions(&self, inst: &Inst, operands: Operands<'_>) -> Vec<(Target, Vec<NodeId>)> {
        if let Some(found) = self.linear_definitions(inst, operands) {
            return found;
        }
        let part_of = |object: Operand, part: u64| {
            let object = operands.object(object).expect("it is an object");
            Target::Part(object.address, part as usize)
        };
        match inst {
            Inst::Copy { dst, src } | Inst::Unary { dst, src, .. } | Inst::Unwrap { dst, src } => {
                vec![(Target::Local(*dst), self.of(&[*src]))]
            }
            Inst::Binary { dst, lhs, rhs, .. } => vec![(Target::Local(*dst), self.of(&[*lhs, *rhs]))],
            Inst::Select { dst, cond, then, otherwise } => {
                vec![(Target::Local(*dst), self.of(&[*cond, *then, *otherwise]))]
            }
            Inst::Load { .. } | Inst::Store { .. } => unreachable!("they are accesses to the linear memory"),
            Inst::GlobalGet { dst, global } => {
                vec![(Target::Local(*dst), self.globals.get(global).copied().into_iter().collect())]
            }
            Inst::GlobalSet { global, src } => vec![(Target::Global(*global), self.of(&[*src]))],
            Inst::Call { .. } | Inst::CallIndirect { .. } => Vec::new(),
            Inst::NewRecord { dst, fields, .. } => {
                let fields = fields.iter().enumerate().map(|(at, value)| (Target::NewPart(at), self.of(&[*value])));
                fields.chain([(Target::Local(*dst), Vec::new())]).collect()
            }
            Inst::ArrayOf { dst, items, .. } => {
                let items = items.iter().enumerate().map(|(at, value)| (Target::NewPart(at), self.of(&[*value])));
                items.chain([(Target::NewLength, Vec::new()), (Target::Local(*dst), Vec::new())]).collect()
            }
            Inst::NewArray { dst, len, fill, .. } => vec![
                (Target::NewParts, self.of(&[*fill])),
                (Target::NewLength, self.of(&[*len])),
                (Target::Local(*dst), Vec::new()),
            ],
            Inst::FieldGet { dst, object, field, .. } => {
                let field = *field as usize;
                let on = [self.of(&[*object]), self.of_parts(operands, *object, field..field + 1)].concat();
                vec![(Target::Local(*dst), on)]
            }
            Inst::FieldSet { object, field, src, .. } => {
                vec![(part_of(*object, u64::from(*field)), self.of(&[*object, *src]))]
            }
            Inst::ElemGet { dst, array, index, .. } => {
                let at = operands.word(*index) as usize;
                let parts = self.of_parts(operands, *array, at..at.saturating_add(1));
                vec![(Target::Local(*dst), [self.of(&[*array, *index]), parts].concat())]
            }
            Inst::ElemSet { array, index, src, .. } => {
                vec![(part_of(*array, operands.word(*index)), self.of(&[*array, *index, *src]))]
            }
            Inst::Len { dst, object } => {
                vec![(Target::Local(*dst), [self.of(&[*object]), self.of_length(operands, *object)].concat())]
            }
            Inst::CatchMessage { dst } => vec![(Target::Local(*dst), self.message.into_iter().collect())],
            Inst::Builtin { dst, builtin, args } => self.of_builtin(*dst, *builtin, args, operands),
        }
    }

    fn linear_definitions(&self, inst: &Inst, operands: Operands<'_>) -> Option<Vec<(Target, Vec<NodeId>)>> {
        let found = self.linear.definitions(inst, operands, &|operands| self.of(operands))?;
        let target = |target| match (target, inst.dst()) {
            (LinearTarget::Result, Some(dst)) => Target::Local(dst),
            (target, _) => Target::Linear(target),
        };
        Some(found.into_iter().map(|(to, on)| (target(to), on)).collect())
    }

    fn of_builtin(
        &self,
        dst: Option<Local>,
        builtin: Builtin,
        args: &[Operand],
        operands: Operands<'_>,
    ) -> Vec<(Target, Vec<NodeId>)> {
        let result = |on: Vec<NodeId>| dst.map(|dst| (Target::Local(dst), on));
        let len_of = |operand: Operand| operands.object(operand).map_or(0, |object| object.len);
        let word = |at: usize| operands.word(args[at]) as usize;
        let (all, address) = (self.of(args), |at: usize| operands.object(args[at]).map_or(0, |object| object.address));
        let with = |parts: Vec<NodeId>| [all.clone(), parts].concat();
        match builtin {
            Builtin::Input | Builtin::Clock | Builtin::Random | Builtin::ReadAll | Builtin::Time => {
                result(Vec::new()).into_iter().collect()
            }
            Builtin::RandomSeed
            | Builtin::Write(_)
            | Builtin::Show(_)
            | Builtin::WriteFile
            | Builtin::AppendFile
            | Builtin::WriteError
            | Builtin::IndexFailure
            | Builtin::SliceFailure
            | Builtin::KeyFailure
            | Builtin::Host(_) => Vec::new(),
            Builtin::StrJoin => {
                let parts = self.of_parts(operands, args[0], 0..word(1).min(len_of(args[0])));
                result(with(parts)).into_iter().collect()
            }
            Builtin::Display(ty) => {
                let mut read = Vec::new();
                for seen in operands.printed(ty, args[0]) {
                    let address = seen.object.address;
                    read.extend(seen.parts.filter_map(|part| self.parts.get(&(address, part)).copied()));
                    read.extend(seen.with_length.then(|| self.lengths.get(&address).copied()).flatten());
                }
                result(with(read)).into_iter().collect()
            }
            Builtin::Bytes | Builtin::StrSplit | Builtin::StrWords | Builtin::StrLines | Builtin::StrChars => {
                let made = [(Target::NewParts, all.clone()), (Target::NewLength, all.clone())];
                made.into_iter().chain(result(Vec::new())).collect()
            }
            Builtin::Args => {
                let made = [(Target::NewParts, Vec::new()), (Target::NewLength, Vec::new())];
                made.into_iter().chain(result(Vec::new())).collect()
            }
            Builtin::Text | Builtin::ArraySlice => {
                let (from, to) = (word(1), word(2));
                let is_in_range = from <= to && to <= len_of(args[0]);
                let parts = if is_in_range { self.of_parts(operands, args[0], from..to) } else { Vec::new() };
                if builtin == Builtin::Text {
                    return result(with(parts)).into_iter().collect();
                }
                let made = [(Target::NewParts, with(parts)), (Target::NewLength, self.of(&args[1..]))];
                made.into_iter().chain(result(Vec::new())).collect()
            }
            Builtin::Copy => {
                let (to, from, count) = (word(1), word(3), word(4));
                let is_in_range =
                    |start: usize, of: usize| start.checked_add(count).is_some_and(|end| end <= len_of(args[of]));
                if !is_in_range(to, 0) || !is_in_range(from, 2) {
                    return Vec::new();
                }
                let parts = self.of_parts(operands, args[2], from..from + count);
                vec![(Target::Parts(address(0), to..to + count), with(parts))]
            }
            Builtin::Sort => {
                let parts = self.of_parts(operands, args[0], 0..len_of(args[0]));
                vec![(Target::Parts(address(0), 0..len_of(args[0])), with(parts))]
            }
            Builtin::FillInt
            | Builtin::FillFloat
            | Builtin::FillBool
            | Builtin::FillByte
            | Builtin::FillRef
            | Builtin::FillFunc => vec![(Target::Parts(address(0), 0..len_of(args[0])), all.clone())],
            _ => result(all.clone()).into_iter().collect(),
        }
    }

    fn deciding(&self, inst: &Inst, operands: Operands<'_>) -> Vec<NodeId> {
        match inst {
            Inst::Binary { rhs, .. } => self.of(&[*rhs]),
            Inst::CallIndirect { callee, .. } => self.of(&[*callee]),
            Inst::NewArray { len, .. } => self.of(&[*len]),
            Inst::ElemGet { array, index, .. } | Inst::ElemSet { array, index, .. } => {
                [self.of(&[*array, *index]), self.of_length(operands, *array)].concat()
            }
            Inst::Unwrap { src, .. } => self.of(&[*src]),
            Inst::Builtin { builtin, args, .. } => {
                let length = match builtin {
                    Builtin::Text | Builtin::ArraySlice | Builtin::Copy => self.of_length(operands, args[0]),
                    _ => Vec::new(),
                };
                [self.of(args), length].concat()
            }
            _ => Vec::new(),
        }
    }

    fn set(&mut self, target: Target, node: NodeId, new: Option<(u64, usize)>) {
        match target {
            Target::Local(local) => self.frame().locals[local.index()] = Some(node),
            Target::Global(global) => _ = self.globals.insert(global, node),
            Target::Part(object, part) => _ = self.parts.insert((object, part), node),
            Target::Parts(object, parts) => parts.for_each(|part| _ = self.parts.insert((object, part), node)),
            Target::NewPart(part) => _ = self.parts.insert((new.expect("it was allocated").0, part), node),
            Target::NewParts => {
                let (object, len) = new.expect("it was allocated");
                (0..len).for_each(|part| _ = self.parts.insert((object, part), node));
            }
            Target::NewLength => _ = self.lengths.insert(new.expect("it was allocated").0, node),
            Target::Linear(_) => unreachable!("it is set where the operands are known"),
        }
    }
}

impl Observer for DependenceGraph<'_> {
    const INSTRUCTIONS: bool = true;

    fn enter(&mut self, func: FuncRef) {
        let body = self.module.function(func);
        self.control.entry(func).or_insert_with(|| NaiveControl::new(body));
        let mut locals = vec![None; body.locals.len()];
        let (call, arguments) = self.calling.take().map_or((None, Vec::new()), |(call, args)| (Some(call), args));
        arguments.into_iter().enumerate().for_each(|(at, node)| locals[at] = Some(node));
        let activation = self.activations;
        self.activations += 1;
        let block = body.entry();
        self.frames.push(Frame {
            activation,
            func,
            block,
            time: 0,
            locals,
            control: call,
            call,
            decisions: Vec::new(),
        });
    }

    fn block(&mut self, func: FuncRef, block: Block) {
        self.failed = None;
        let control = &self.control[&func];
        let frame = self.frames.last_mut().expect("a frame is active");
        (frame.block, frame.time) = (block, frame.time + 1);
        let decides = |(from, handler, _): &&(Block, Option<Block>, NodeId)| match handler {
            Some(handler) => control.depends_on_failure(block, *from, *handler),
            None => control.depends(block, *from),
        };
        frame.control = frame.decisions.iter().rev().find(decides).map(|it| it.2).or(frame.call);
    }

    fn edge(&mut self, func: FuncRef, from: Block, to: Block, kind: EdgeKind) {
        let data = &self.module.function(func).blocks[from];
        let decision = match (kind, &data.term) {
            (EdgeKind::Failure, _) => Some((Some(to), self.failed.expect("something failed"))),
            (
                EdgeKind::Normal,
                Terminator::Branch { cond: operand, .. } | Terminator::Switch { value: operand, .. },
            ) => {
                let on = self.of(&[*operand]);
                Some((None, self.node(data.insts.len(), on)))
            }
            (EdgeKind::Normal, _) => None,
        };
        self.frame().decisions.extend(decision.map(|(handler, node)| (from, handler, node)));
    }

    fn inst(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        self.note_reads(place.at, inst);
        self.pending = self.definitions(inst, operands);
        self.decides = self.deciding(inst, operands);
        if let Inst::Call { args, .. } | Inst::CallIndirect { args, .. } = inst {
            let on = self.decides.clone();
            let call = self.node(place.at, on);
            let argument = |arg: &Operand| {
                let on = self.of(&[*arg]);
                self.node(place.at, on)
            };
            let arguments = args.iter().map(argument).collect();
            self.calling = Some((call, arguments));
        }
    }

    fn executed(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        let result = inst.dst().filter(|_| self.pending.iter().any(|(target, _)| is_new(target)));
        let new = result.and_then(|dst| operands.result(dst)).map(|object| (object.address, object.len));
        for (target, on) in std::mem::take(&mut self.pending) {
            let node = self.node(place.at, on);
            match target {
                Target::Linear(target) => self.linear.set(target, node, inst, operands),
                target => self.set(target, node, new),
            }
        }
    }

    fn stopped(&mut self, place: InstPlace) {
        if self.failed.is_some() {
            return;
        }
        let data = &self.module.function(place.func).blocks[place.block];
        self.message = None;
        let node = match (&data.term, self.calling.take()) {
            (_, Some((call, _))) => call,
            (Terminator::Fail { message, .. }, None) if place.at == data.insts.len() => {
                let on = self.of(&[*message]);
                self.message = Some(self.node(place.at, on));
                self.node(place.at + 1, Vec::new())
            }
            (_, None) => {
                let on = std::mem::take(&mut self.decides);
                self.node(place.at, on)
            }
        };
        self.failed = Some(node);
    }

    fn abort(&mut self, _: FuncRef, _: Block) {
        self.frames.pop();
    }

    fn leave(&mut self, func: FuncRef) {
        let frame = self.frames.last().expect("a frame is active");
        let data = &self.module.function(func).blocks[frame.block];
        let Terminator::Return(value) = &data.term else { unreachable!("a function returns") };
        self.returned = value.map(|value| {
            let on = self.of(&[value]);
            self.node(data.insts.len(), on)
        });
        self.frames.pop();
    }

    fn returned(&mut self, func: FuncRef, block: Block, number: u32) {
        let insts = &self.module.function(func).blocks[block].insts;
        let mut calls = insts.iter().enumerate().filter(|(_, inst)| inst.is_call());
        let (at, call) = calls.nth(number as usize).expect("a call returned");
        if let (Some(dst), on) = (call.dst(), self.returned.take()) {
            let node = self.node(at, on.into_iter().collect());
            self.frame().locals[dst.index()] = Some(node);
        }
    }
}

fn is_new(target: &Target) -> bool {
    match target {
        Target::NewPart(_) | Target::NewParts | Target::NewLength => true,
        Target::Local(_) | Target::Global(_) | Target::Part(..) | Target::Parts(..) | Target::Linear(_) => false,
    }
}

/// The name of the function of a statement, for messages.
pub(super) fn function_name(module: &Module, statement: StatementId) -> &str {
    &module.function(function_of(statement.procedure)).name
}
