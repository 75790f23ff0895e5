//! Plans of whole programs, for schemes whose paths run across calls.
//!
//! In: a module, and the function that the host calls. Out: a [`NumberedProgram`]. The numbering is made before the first call from the
//! host, of the module as it is then: the entries are the function that is called, the top level that runs after it, and `main`. Another
//! module, or a call of a function that is no entry, needs another numbering; that of the same module keeps the entries there are, so that
//! functions that the host calls in turn are numbered for once each.
//! Invariant: a function and its procedure have the same number.

use cranelift_entity::{EntityRef, PrimaryMap};
use hashbrown::HashMap;
use holloway_abi::graph_of::{graph_of, node_of};
use holloway_ir::{FuncRef, Function, Inst, Module, Operand, SigRef};
use holloway_profiler::graph::Call;
use holloway_profiler::scheme::{
    Callee, Frequency, FunctionPlan, NotProfiled, ProgramBody, ProgramGraphs, ProgramPlan, Scheme,
};
use holloway_profiler::supergraph::ProcedureId;
use std::iter;
use std::sync::Arc;

/// A module with the plan of all its functions, or the reason for which there is none.
#[derive(Clone, Debug)]
pub struct NumberedProgram {
    /// The module.
    pub module: Arc<Module>,
    entries: Vec<FuncRef>,
    /// The plan.
    pub plan: Result<Arc<ProgramPlan>, NotProfiled>,
}

/// The procedure of a function.
pub fn procedure_of(func: FuncRef) -> ProcedureId {
    ProcedureId::new(func.index())
}

/// The function that the host calls first in a whole run.
pub fn first_called(module: &Module) -> Option<FuncRef> {
    let main = module.main.map(|main| main.func);
    module.top_level.first().copied().or(main).or(module.funcs.keys().next())
}

/// The function of a procedure.
pub fn func_of(procedure: ProcedureId) -> FuncRef {
    FuncRef::new(procedure.index())
}

impl NumberedProgram {
    /// Numbers a module of which the host calls `func` next, and called `before`; `None` if the scheme plans each function for itself.
    pub fn new(scheme: Scheme, module: &Arc<Module>, before: &[FuncRef], func: FuncRef) -> Option<NumberedProgram> {
        if !scheme.plans_programs() {
            return None;
        }
        let next = module.top_level.iter().position(|top| *top == func).map_or(module.top_level.len(), |at| at + 1);
        let further = module.top_level[next..].iter().copied().chain(module.main.map(|main| main.func));
        let mut entries = before.to_vec();
        for entry in iter::once(func).chain(further) {
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        let plan = scheme.plan_program(&graphs_of(module, &entries))?.map(Arc::new);
        Some(NumberedProgram { module: Arc::clone(module), entries, plan })
    }

    /// Returns whether it is the numbering for a call of `func` from the host.
    pub fn suits(&self, module: &Arc<Module>, func: FuncRef) -> bool {
        Arc::ptr_eq(&self.module, module) && self.entries.contains(&func)
    }

    /// Returns whether every function is in another module as it is here.
    pub fn is_part_of(&self, module: &Module) -> bool {
        self.module.funcs.iter().all(|(func, decl)| Arc::ptr_eq(&decl.body, module.function(func)))
    }

    /// The plan of a function of a module, which may have been extended since.
    fn function(&self, module: &Module, func: FuncRef) -> Result<FunctionPlan, NotProfiled> {
        let plan = self.plan.as_ref().map_err(|why| *why)?;
        let body = module.function(func);
        let own = self.module.funcs.get(func).filter(|decl| Arc::ptr_eq(&decl.body, body));
        let planned = own.and_then(|_| plan.function(procedure_of(func))).cloned();
        Ok(planned.unwrap_or_else(|| plan.not_run(graph_of(body))))
    }
}

/// Counts of the edges of functions, from an earlier run of the program.
pub type Frequencies = HashMap<FuncRef, Frequency>;

/// A scheme, with the numbering of the program where it needs one.
#[derive(Clone, Debug)]
pub struct Planner {
    /// The scheme.
    pub scheme: Scheme,
    /// Counts for smart numbering; functions without are numbered in the order of the source.
    frequencies: Arc<Frequencies>,
    /// The program, once it is numbered.
    pub program: Option<Arc<NumberedProgram>>,
}

impl Planner {
    /// A planner that has numbered nothing.
    pub fn new(scheme: Scheme) -> Planner {
        Planner::with_frequencies(scheme, Frequencies::default())
    }

    /// A planner that numbers the paths of functions by counts of their edges.
    pub fn with_frequencies(scheme: Scheme, frequencies: Frequencies) -> Planner {
        Planner { scheme, frequencies: Arc::new(frequencies), program: None }
    }

    /// Numbers the program for a call of `func` from the host, if that needs another numbering; returns whether it did.
    pub fn number_for(&mut self, module: &Arc<Module>, func: FuncRef) -> bool {
        if self.program.as_ref().is_some_and(|program| program.suits(module, func)) {
            return false;
        }
        let same = self.program.as_deref().filter(|program| Arc::ptr_eq(&program.module, module));
        let before = same.map_or(&[][..], |program| &program.entries);
        let numbered = NumberedProgram::new(self.scheme, module, before, func).map(Arc::new);
        let is_new = numbered.is_some();
        self.program = numbered.or_else(|| self.program.take());
        is_new
    }

    /// The same with a numbered program, if paths run across calls: where nothing has run yet, as a whole run would number it.
    pub fn numbered(&self, module: &Arc<Module>) -> Planner {
        let mut planner = self.clone();
        if let (None, Some(first)) = (&planner.program, first_called(module)) {
            planner.number_for(module, first);
        }
        planner
    }

    /// Plans a function. The program is numbered, if paths run across calls.
    pub fn plan(&self, module: &Module, func: FuncRef) -> Result<FunctionPlan, NotProfiled> {
        match &self.program {
            Some(program) => program.function(module, func),
            None => {
                let body = module.function(func);
                let frequency = self.frequencies.get(&func);
                let planned = self.scheme.in_function(&body.name).plan(graph_of(body), frequency);
                planned.expect("the program was numbered before")
            }
        }
    }
}

/// A top level that is no entry has run, and does not again: it calls nothing, but the values that it took may still be somewhere.
fn graphs_of(module: &Module, entries: &[FuncRef]) -> ProgramGraphs {
    let mut bodies = PrimaryMap::new();
    for (func, decl) in module.funcs.iter() {
        let body = body_of(decl.sig, &decl.body);
        let has_run = module.top_level.contains(&func) && !entries.contains(&func);
        bodies.push(if has_run { ProgramBody { callees: HashMap::new(), ..body } } else { body });
    }
    // Where all of the top level is still to run, nothing has taken values that is not in the module any more.
    let values_are_known = module.top_level.iter().all(|top| entries.contains(top));
    ProgramGraphs { bodies, entries: entries.iter().copied().map(procedure_of).collect(), values_are_known }
}

fn body_of(sig: SigRef, body: &Function) -> ProgramBody {
    let (mut callees, mut values) = (HashMap::new(), Vec::new());
    let mut value = |operand: Operand| {
        if let Operand::Func(func) = operand {
            values.push(procedure_of(func));
        }
    };
    for (block, data) in body.blocks.iter() {
        let mut number = 0;
        for inst in &data.insts {
            inst.operands(&mut value);
            let callee = match inst {
                Inst::Call { func, .. } => Callee::Known(procedure_of(*func)),
                Inst::CallIndirect { sig, .. } => Callee::Value(sig.as_u32()),
                _ => continue,
            };
            callees.insert(Call { block: node_of(block), number }, callee);
            number += 1;
        }
        data.term.operand().into_iter().for_each(&mut value);
    }
    let file = body.span.file.as_u32();
    ProgramBody { name: body.name.clone(), file, signature: sig.as_u32(), graph: graph_of(body), callees, values }
}
