//! Loads of modules of WebAssembly whose value was in hand, beside all accesses of the run.
//!
//! In: text modules, by hand and by chance. Out: counts, compared with a look at the last access of each byte.

use super::programs::TestProgram;
use super::random_module::random_module;
use crate::common::programs::seeds;
use holloway_interp::{InstPlace, Observer, Operands};
use holloway_lang::ir::{Builtin, Inst};
use holloway_study::trace::query::{Fact, FactQuestion, loads_in_hand};
use holloway_study::trace::{FactAnswer, SourceLine};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// All accesses, and for each byte the last one.
#[derive(Default)]
struct Accesses {
    all: Vec<Option<Range<u64>>>,
    last: HashMap<u64, usize>,
    addresses: Range<u64>,
    /// Executions of each load, and those with the value in hand.
    loads: BTreeMap<(u32, u32, usize), (u64, u64)>,
}

impl Accesses {
    /// An access, by whose number its bytes are known from now on; one that gives no value is none.
    fn add(&mut self, bytes: Range<u64>, gives: bool) {
        let number = self.all.len();
        self.all.push(gives.then_some(bytes.clone()));
        bytes.for_each(|byte| _ = self.last.insert(byte, number));
    }

    fn is_in_hand(&self, bytes: &Range<u64>) -> bool {
        let numbers: Vec<Option<usize>> = bytes.clone().map(|byte| self.last.get(&byte).copied()).collect();
        let Some(first) = numbers[0] else { return false };
        numbers.iter().all(|number| *number == Some(first))
            && self.all[first].as_ref().is_some_and(|of| of.start == bytes.start && of.end >= bytes.end)
    }
}

impl Observer for Accesses {
    const INSTRUCTIONS: bool = true;

    fn inst(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        let at = |start: u64, count: u64| start..start.saturating_add(count);
        self.addresses = match inst {
            Inst::Load { access, address, offset, .. } => {
                let key = (place.func.as_u32(), place.block.as_u32(), place.at);
                self.loads.entry(key).or_default().0 += 1;
                at(operands.word(*address) + u64::from(*offset), access.size())
            }
            Inst::Store { access, address, offset, .. } => {
                at(operands.word(*address) + u64::from(*offset), access.size())
            }
            Inst::Builtin { builtin: Builtin::MemoryCopy | Builtin::MemoryFill, args, .. } => {
                at(operands.word(args[0]), operands.word(args[2]))
            }
            Inst::Builtin { builtin: Builtin::MemoryInit, args, .. } => {
                at(operands.word(args[1]), operands.word(args[3]))
            }
            _ => 0..0,
        };
    }

    fn executed(&mut self, place: InstPlace, inst: &Inst, _: Operands<'_>) {
        let bytes = std::mem::take(&mut self.addresses);
        let gives = matches!(inst, Inst::Load { .. } | Inst::Store { .. });
        if matches!(inst, Inst::Load { .. }) && self.is_in_hand(&bytes) {
            let key = (place.func.as_u32(), place.block.as_u32(), place.at);
            self.loads.get_mut(&key).expect("it was begun").1 += 1;
        }
        self.add(bytes, gives);
    }
}

fn in_hand(program: &TestProgram, at: SourceLine) -> Option<FactAnswer> {
    let question = FactQuestion { fact: Fact::Load, at, variable: None };
    loads_in_hand(program.sourced(), (&mut program.runtime(""), None), question).ok()
}

#[test]
fn a_value_is_in_hand_if_one_access_gave_all_of_it() {
    let program = TestProgram::of_module(
        "(module
(memory 1)
(func (export \"_start\") (local i32)
(i32.store (i32.const 8) (i32.const 1))
(local.set 0 (i32.load (i32.const 8)))
(local.set 0 (i32.load16_u (i32.const 8)))
(local.set 0 (i32.load (i32.const 8)))
(i32.store8 (i32.const 9) (i32.const 2))
(local.set 0 (i32.load (i32.const 8)))
(local.set 0 (i32.load8_u (i32.const 10)))
(memory.copy (i32.const 8) (i32.const 20) (i32.const 4))
(local.set 0 (i32.load8_u (i32.const 8)))))
",
    );
    let holds = |line| {
        let answer = in_hand(&program, program.line(line)).expect("it has a load");
        (answer.holds, answer.sources.iter().map(|(at, _)| at.line).collect::<Vec<_>>())
    };
    assert_eq!([holds(5), holds(6)], [(1, vec![4]), (1, vec![5])]);
    assert_eq!(holds(7), (0, vec![]), "half of it was loaded for itself");
    assert_eq!([holds(9), holds(10), holds(12)], [(0, vec![]), (0, vec![]), (0, vec![])]);
}

#[test]
fn values_in_hand_of_random_modules_are_those_of_the_last_accesses() {
    let (mut executions, mut holds) = (0, 0);
    for text in seeds(12).map(random_module) {
        let program = TestProgram::of_module(&text);
        let all = program.watch(Accesses::default());
        let module = program.module();
        let mut expected: BTreeMap<SourceLine, (u64, u64)> = BTreeMap::new();
        for ((func, block, at), counts) in all.loads {
            let func = holloway_lang::ir::FuncRef::from_u32(func);
            let span = module.function(func).blocks[holloway_lang::ir::Block::from_u32(block)].spans[at];
            let of_line = expected.entry(program.sourced().line_of(span)).or_default();
            *of_line = (of_line.0 + counts.0, of_line.1 + counts.1);
        }
        for (at, counts) in expected {
            // Globals of the line are loads, too.
            let question = FactQuestion { fact: Fact::Load, at, variable: None };
            let answer = loads_in_hand(program.sourced(), (&mut program.runtime(""), None), question).expect("a load");
            let globals = text.lines().nth(at.line as usize - 1).is_some_and(|line| line.contains("global.get"));
            if !globals {
                assert_eq!((answer.executions, answer.holds), counts, "line {}\n{text}", at.line);
                (executions, holds) = (executions + counts.0, holds + counts.1);
            }
        }
    }
    assert!(executions > 500 && holds > 50, "{executions}, {holds}");
}
