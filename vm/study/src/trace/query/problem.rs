//! GEN and KILL of one fact along the path traces of an execution.
//!
//! In: a fact's [`FactRules`] and an execution. Out: for each activation the effect of its blocks at each step, for
//! `holloway_profiler::wpp::query` to propagate.
//!
//! A call has the effect of the last statement below it that has one: `GEN_f(T(n))` and `KILL_f(T(n))` of [ZG01 4.2]. A store to memory kills
//! if it is to the location that the fact's load reads next: between the two nothing computes the expression, so the next load of
//! the activation is the one that is asked about.
//!
//! Invariant: effects of callees are known before those of their callers are asked, so nothing recurses.

use super::effects::{BlockEffects, Effect, FactRules, Level};
use crate::trace::execution::{ExecutionOrder, ProgramExecution};
use crate::trace::facts::expressions::Expression;
use crate::trace::facts::place::function_of;
use cranelift_entity::{EntityRef, SecondaryMap};
use holloway_jit::graph_of::block_of;
use holloway_lang::ir::Module;
use holloway_profiler::wpp::Series;
use holloway_profiler::wpp::dynamic_graph::DynamicNode;
use holloway_profiler::wpp::query::{Answer, DynamicEffect, Outcome, ask};
use holloway_profiler::wpp::slice::{ActivationId, Point, ProcedureId};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// The addresses that loads read, by when and at which statement.
type LoadedAddresses = BTreeMap<(u64, u32), Range<u64>>;

/// One fact along all path traces.
pub(super) struct FactProblem<'a> {
    module: &'a Module,
    run: &'a ProgramExecution,
    order: &'a ExecutionOrder,
    rules: FactRules,
    effects: SecondaryMap<ProcedureId, Option<Rc<BlockEffects>>>,
    effects_below: SecondaryMap<ProcedureId, Option<Rc<BlockEffects>>>,
    /// The effects of whole activations, but for stores that addresses decide on.
    outcomes: SecondaryMap<ActivationId, Option<Outcome>>,
    /// The addresses that the loads of the fact read in one activation, in order.
    loads: (Option<ActivationId>, LoadedAddresses),
}

impl<'a> FactProblem<'a> {
    pub(super) fn new(
        module: &'a Module,
        run: &'a ProgramExecution,
        order: &'a ExecutionOrder,
        rules: FactRules,
    ) -> FactProblem<'a> {
        FactProblem {
            module,
            run,
            order,
            rules,
            effects: SecondaryMap::new(),
            effects_below: SecondaryMap::new(),
            outcomes: SecondaryMap::new(),
            loads: (None, BTreeMap::new()),
        }
    }

    /// Answers if the fact holds just before a statement, at the steps at which an activation executes its block.
    pub(super) fn ask(&mut self, activation: ActivationId, node: DynamicNode, times: &Series, before: u32) -> Answer {
        let graph = self.run.execution.trace_of(activation);
        let earlier = self.effect_of(activation, node, times, before);
        let mut effect = |node, times: &Series| self.effect_of(activation, node, times, u32::MAX);
        ask(graph, &mut effect, node, times, &earlier)
    }

    /// Returns whether activations along one path trace may differ.
    pub(super) fn depends_on_activation(&mut self, activation: ActivationId) -> bool {
        let data = &self.run.execution.activations[activation];
        let effects = self.effects(data.procedure);
        let differs = |effect: &Effect| matches!(effect, Effect::Calls | Effect::CallsAndKills | Effect::Stores);
        !data.failures.is_empty() || effects.values().flatten().any(|(_, effect)| differs(effect))
    }

    /// The statements of a block that generate the fact, calls aside.
    pub(super) fn generators(&mut self, procedure: ProcedureId, node: holloway_profiler::graph::Node) -> Vec<u32> {
        let effects = self.effects(procedure);
        let of_block = effects[block_of(node)].iter();
        of_block.filter(|(_, effect)| *effect == Effect::Generates).map(|(index, _)| *index).collect()
    }

    fn effects(&mut self, procedure: ProcedureId) -> Rc<BlockEffects> {
        let of = || Rc::new(self.rules.effects(self.module, function_of(procedure), Level::Own));
        Rc::clone(self.effects[procedure].get_or_insert_with(of))
    }

    fn effects_below(&mut self, procedure: ProcedureId) -> Rc<BlockEffects> {
        let of = || Rc::new(self.rules.effects(self.module, function_of(procedure), Level::Below));
        Rc::clone(self.effects_below[procedure].get_or_insert_with(of))
    }

    /// The effect of a node's statements before a limit, at each of some steps.
    fn effect_of(&mut self, activation: ActivationId, node: DynamicNode, times: &Series, limit: u32) -> DynamicEffect {
        let execution = &self.run.execution;
        let data = &execution.activations[activation];
        let block = block_of(execution.trace_of(activation).blocks(node)[0]);
        let effects = self.effects(data.procedure);
        let of_block = &effects[block];
        let listed: Vec<(u32, Effect)> = of_block.iter().copied().filter(|(index, _)| *index < limit).collect();
        match listed.last() {
            None => DynamicEffect::default(),
            Some((_, Effect::Generates)) if data.failures.is_empty() => {
                DynamicEffect::of_all(times, Outcome::Generates)
            }
            Some((_, Effect::Kills)) if data.failures.is_empty() => DynamicEffect::of_all(times, Outcome::Kills),
            Some(_) => DynamicEffect::of_each(times, |time| self.outcome_at(activation, time, &listed)),
        }
    }

    /// The effect of some statements of one execution of a block.
    fn outcome_at(&mut self, activation: ActivationId, time: u64, listed: &[(u32, Effect)]) -> Outcome {
        let data = &self.run.execution.activations[activation];
        let failure = data.failures.iter().find(|failure| failure.time == time).map(|failure| failure.statement);
        for (index, effect) in listed.iter().rev() {
            let fails = failure == Some(*index);
            let calls = matches!(effect, Effect::Calls | Effect::CallsAndKills);
            if failure.is_some_and(|failure| *index > failure) || fails && !calls {
                continue;
            }
            let outcome = match effect {
                Effect::CallsAndKills if !fails => Outcome::Kills,
                Effect::Generates => Outcome::Generates,
                Effect::Kills => Outcome::Kills,
                Effect::Stores => self.store_at(activation, time, *index),
                Effect::Calls | Effect::CallsAndKills => self.call_at(activation, Point::at(time, *index)),
            };
            if outcome != Outcome::Transparent {
                return outcome;
            }
        }
        Outcome::Transparent
    }

    fn store_at(&mut self, activation: ActivationId, time: u64, index: u32) -> Outcome {
        let loaded = self.next_load(activation, time, index);
        let stored = self.run.memory.get(activation, time, index).map(|access| access.stored.clone());
        match (loaded, stored) {
            (Some(loaded), Some(stored)) if !overlap(&loaded, &stored) => Outcome::Transparent,
            _ => Outcome::Kills,
        }
    }

    fn call_at(&mut self, activation: ActivationId, point: Point) -> Outcome {
        let calls = self.order.calls(activation);
        let from = calls.partition_point(|(at, _)| *at < point);
        let Some((_, callee)) = calls.get(from).copied().filter(|(at, _)| *at == point) else {
            return Outcome::Transparent;
        };
        let outcome = self.outcome(callee);
        let is_of_memory = self.rules.expression().is_some_and(Expression::is_in_memory);
        if outcome == Outcome::Kills || !is_of_memory {
            return outcome;
        }
        let loaded = self.next_load(activation, point.time, point.statement);
        let below = callee.index()..=self.order.last_descendant(callee);
        let stores = |id: usize| {
            let mut accesses = self.run.memory.of(ActivationId::new(id)).iter();
            accesses.any(|access| match &loaded {
                Some(loaded) => overlap(loaded, &access.stored),
                None => !access.stored.is_empty(),
            })
        };
        if below.into_iter().any(stores) { Outcome::Kills } else { outcome }
    }

    /// The effect of a whole activation, with those below it.
    fn outcome(&mut self, activation: ActivationId) -> Outcome {
        if self.outcomes[activation].is_none() {
            for id in (activation.index()..=self.order.last_descendant(activation)).rev() {
                let id = ActivationId::new(id);
                if self.outcomes[id].is_none() {
                    self.outcomes[id] = Some(self.outcome_of_steps(id));
                }
            }
        }
        self.outcomes[activation].expect("it was computed")
    }

    /// The effect of the last statement of an activation that has one. The effects of its callees are known.
    fn outcome_of_steps(&mut self, activation: ActivationId) -> Outcome {
        let execution = &self.run.execution;
        let effects = self.effects_below(execution.activations[activation].procedure);
        let graph = execution.trace_of(activation);
        let mut steps: Vec<(u64, DynamicNode)> = Vec::new();
        for node in graph.nodes() {
            if !effects[block_of(graph.blocks(node)[0])].is_empty() {
                steps.extend(graph.times(node).iter().map(|time| (time, node)));
            }
        }
        steps.sort_unstable();
        for (time, node) in steps.into_iter().rev() {
            let listed = &effects[block_of(graph.blocks(node)[0])];
            // Addresses are the caller's to compare.
            let known: Vec<(u32, Effect)> = listed.iter().copied().filter(|it| it.1 != Effect::Stores).collect();
            let outcome = self.outcome_below(activation, time, &known);
            if outcome != Outcome::Transparent {
                return outcome;
            }
        }
        Outcome::Transparent
    }

    fn outcome_below(&self, activation: ActivationId, time: u64, known: &[(u32, Effect)]) -> Outcome {
        let data = &self.run.execution.activations[activation];
        let failure = data.failures.iter().find(|failure| failure.time == time).map(|failure| failure.statement);
        let is_done = |(index, effect): &&(u32, Effect)| {
            failure.is_none_or(|failure| *index < failure || *index == failure && *effect == Effect::Calls)
        };
        let mut done = known.iter().rev().filter(is_done).map(|(index, effect)| match effect {
            Effect::Generates => Outcome::Generates,
            Effect::Kills | Effect::Stores => Outcome::Kills,
            Effect::Calls | Effect::CallsAndKills => {
                let point = Point::at(time, *index);
                let calls = self.order.calls(activation);
                let found = calls.binary_search_by_key(&point, |(at, _)| *at).ok();
                found.and_then(|at| self.outcomes[calls[at].1]).unwrap_or_default()
            }
        });
        done.find(|outcome| *outcome != Outcome::Transparent).unwrap_or_default()
    }

    /// The addresses that the fact's load reads next in an activation.
    fn next_load(&mut self, activation: ActivationId, time: u64, statement: u32) -> Option<Range<u64>> {
        if self.loads.0 != Some(activation) {
            self.loads = (Some(activation), self.loads_of(activation));
        }
        self.loads.1.range((time, statement)..).next().map(|(_, addresses)| addresses.clone())
    }

    fn loads_of(&mut self, activation: ActivationId) -> LoadedAddresses {
        let execution = &self.run.execution;
        let procedure = execution.activations[activation].procedure;
        let graph = execution.trace_of(activation);
        let mut loads = BTreeMap::new();
        for node in graph.nodes() {
            for index in self.generators(procedure, graph.blocks(node)[0]) {
                for time in graph.times(node).iter() {
                    let access = self.run.memory.get(activation, time, index);
                    let loaded = access.map(|access| access.addresses.clone()).filter(|range| !range.is_empty());
                    loads.extend(loaded.map(|range| ((time, index), range)));
                }
            }
        }
        loads
    }
}

fn overlap(one: &Range<u64>, other: &Range<u64>) -> bool {
    one.start.max(other.start) < one.end.min(other.end)
}
