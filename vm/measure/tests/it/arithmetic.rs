//! The kind of arithmetic that the registry of benchmark programs states, against what the programs execute.
//!
//! In: the programs at their small size, and the counts of their blocks. Out: a failed test that lists the programs whose
//! kind is not that of the operators they execute.

use holloway::{Config, Engine, TierChoice};
use holloway_lang::ir::{Inst, Scalar};
use holloway_measure::bench::{self, Arithmetic, embedded};
use holloway_measure::extent::SizeName;
use holloway_runtime::Sink;

/// The operators that a program executes, and those of them whose operand or result is a float.
fn operators(engine: &Engine) -> (u64, u64) {
    let (mut all, mut on_floats) = (0, 0);
    for counted in engine.edge_profile() {
        let blocks = engine.module().function(counted.func).blocks.values();
        for (block, count) in blocks.zip(&counted.blocks) {
            for inst in &block.insts {
                let float = match inst {
                    Inst::Unary { op, .. } => [op.operand(), op.result()].contains(&Scalar::Float),
                    Inst::Binary { op, .. } => op.operand() == Scalar::Float,
                    _ => continue,
                };
                all += count;
                on_floats += if float { *count } else { 0 };
            }
        }
    }
    (all, on_floats)
}

#[test]
fn a_program_is_fp_if_a_tenth_of_its_operators_are_on_floats() {
    let mut wrong = Vec::new();
    for program in bench::select(&[]).expect("all programs") {
        let config = Config {
            tier: TierChoice::Baseline,
            output: Sink::Captured(Vec::new()),
            args: vec![program.workload(SizeName::Small).size.to_string().into_bytes()],
            ..Config::default()
        };
        let mut engine = Engine::new(config).expect("there is memory for an engine");
        let source = embedded::file(&format!("{}.hw", program.name)).expect("it is embedded");
        engine.load(program.name, source).expect("it compiles");
        engine.run().expect("it does not fail");
        let (all, on_floats) = operators(&engine);
        let executed = if 10 * on_floats >= all { Arithmetic::Fp } else { Arithmetic::Int };
        if executed != program.arithmetic {
            wrong.push(format!("{}: {on_floats} of {all} operators are on floats", program.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
