//! Random programs in SSA form, for the tests of the optimizer.
//!
//! In: a seed. Out: the program's module, and its functions before any pass: with calls inlined by what a made-up profile
//! says, and on odd seeds with OSR points. Invariant: a seed always gives the same functions.
#![allow(dead_code, reason = "each test binary uses its part")]

pub(crate) mod linear;
pub(crate) mod loops;

use hashbrown::HashMap;
use holloway_generator::{Size, program};
use holloway_jit::arrays::Arrays;
use holloway_jit::observed::{Counts, Observed, TargetCell, indirect_calls};
use holloway_jit::opt::assignments::Assignment;
use holloway_jit::opt::construct::{Inlining, Input, build};
use holloway_jit::opt::pipeline::{Options, optimize_recorded};
use holloway_jit::opt::ssa::Func;
use holloway_jit::osr::{Entry, Headers, Leaving, Shape, peel};
use holloway_jit::probes::Paths;
use holloway_jit::trace::InlinedTraces;
use holloway_lang::ir::cfg::edges;
use holloway_lang::ir::{self, Block, FuncRef, Function, Module};
use holloway_lang::session::{self, NoFiles, Session, SessionKind};
use std::ops::Range;
use std::sync::Arc;

/// Seeds of so many programs, or of `HOLLOWAY_PROGRAMS`, from `HOLLOWAY_FIRST_SEED` on.
pub(crate) fn seeds(default: u64) -> Range<u64> {
    let number = |variable: &str, default: u64| {
        std::env::var(variable).ok().map_or(default, |text| text.parse().expect("a number"))
    };
    let first = number("HOLLOWAY_FIRST_SEED", 0);
    first..first + number("HOLLOWAY_PROGRAMS", default)
}

/// A program and what was made up of how it runs.
pub(crate) struct Program {
    pub(crate) source: String,
    pub(crate) module: Arc<Module>,
    arrays: Arrays,
    observed: Observed,
    leaving: Leaving,
}

impl Program {
    /// The random program of that seed.
    pub(crate) fn random(seed: u64, size: Size) -> Program {
        Program::of_source(program(seed, size), seed).expect("the program is correct")
    }

    /// That program, with the profile and the OSR points of a seed; none if it is not correct.
    pub(crate) fn of_source(source: String, seed: u64) -> Option<Program> {
        let mut session = Session::new(SessionKind::Program);
        let input = session::Input { name: "test.hw", key: None, bytes: source.as_bytes() };
        session.add(input, &mut NoFiles).ok()?;
        Some(Program::of_module(source, Arc::clone(session.module()), seed))
    }

    /// The program whose module is given as text of the IR.
    pub(crate) fn of_ir(source: String, seed: u64) -> Program {
        let module = ir::parse::module(&source).unwrap_or_else(|error| panic!("{error}\n{source}"));
        for decl in module.funcs.values() {
            ir::verify::verify(&module, &decl.body).unwrap_or_else(|error| panic!("{error}\n{source}"));
        }
        Program::of_module(source, Arc::new(module), seed)
    }

    fn of_module(source: String, module: Arc<Module>, seed: u64) -> Program {
        let observed = Observed::new(module.funcs.keys().map(|func| (func, counts(&module, func, seed))));
        let observed = if seed.is_multiple_of(4) { Observed::default() } else { observed };
        let leaving = if seed.is_multiple_of(2) { Leaving::Never } else { Leaving::AtHeaders };
        let arrays = Arrays::new(Arc::clone(&module));
        Program { source, module, arrays, observed, leaving }
    }

    /// All functions before any pass, where they are entered by calls and, if they have OSR points, at loop headers.
    pub(crate) fn functions(&self) -> HashMap<(FuncRef, Entry), Func> {
        let mut functions = HashMap::new();
        for (id, decl) in self.module.funcs.iter() {
            let headers = Headers::compute(&decl.body);
            let has_state = |block: &Block| self.leaving == Leaving::AtHeaders && headers.state(*block).is_some();
            let entries = decl.body.blocks.keys().filter(has_state).map(Entry::Header);
            for entry in entries.chain([Entry::Call]) {
                functions.insert((id, entry), self.build(id, entry));
            }
        }
        functions
    }

    /// A function before any pass, all of whose loads are said to be redundant.
    pub(crate) fn build(&self, func: FuncRef, entry: Entry) -> Func {
        let mut func = self.with_input(func, entry, self.leaving, Inlining::Observed, build);
        func.redundant = (0..func.sites.len() as u32).collect();
        func
    }

    /// A function entered by calls, before any pass and with its calls.
    pub(crate) fn plain(&self, func: FuncRef) -> Func {
        self.with_input(func, Entry::Call, Leaving::Never, Inlining::Off, build)
    }

    /// A function entered by calls, after some passes, with its assignments.
    pub(crate) fn recorded(&self, func: FuncRef, inlining: Inlining, options: &Options) -> (Func, Vec<Assignment>) {
        let optimize = |input: &Input<'_>| optimize_recorded(input, options);
        self.with_input(func, Entry::Call, Leaving::Never, inlining, optimize)
    }

    fn with_input<R>(
        &self,
        func: FuncRef,
        entry: Entry,
        leaving: Leaving,
        inlining: Inlining,
        then: impl FnOnce(&Input<'_>) -> R,
    ) -> R {
        let body = self.module.function(func);
        let plain = Shape::plain(body);
        let shape = match entry {
            Entry::Call => plain,
            Entry::Header(header) => peel(plain, header),
        };
        then(&Input {
            module: &self.module,
            arrays: Some(&self.arrays),
            func,
            body,
            shape: &shape,
            entry,
            leaving,
            paths: &Paths::default(),
            traces: None,
            expanded: &holloway_jit::expand::ExpandedBodies::default(),
            inlined_traces: &InlinedTraces::default(),
            not_inlined: &[],
            progress: None,
            observed: &self.observed,
            inlining,
        })
    }
}

/// Counts that look like those of a program, which nothing but the speed of code may depend on.
fn counts(module: &Module, func: FuncRef, seed: u64) -> Counts {
    let body: &Function = module.function(func);
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9).wrapping_add(u64::from(func.as_u32())));
    let mut count = || [0, 1, 70, 1000, 1000, 100_000][(random.next() % 6) as usize];
    let taken: HashMap<(Block, Block), u64> = body
        .blocks
        .keys()
        .flat_map(|from| edges(body, from).into_iter().map(move |(to, _)| (from, to)))
        .map(|edge| (edge, count()))
        .collect();
    let calls = count();
    let cells: Vec<_> = indirect_calls(body)
        .map(|at| {
            let target = FuncRef::from_u32((random.next() % module.funcs.len() as u64) as u32);
            (at, TargetCell { func: Some(target), same: 1000, other: random.next() % 600 })
        })
        .collect();
    Counts::new(body, calls, taken, cells)
}

/// [Marsaglia] G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8, 2003.
struct Random(u64);

impl Random {
    /// A number below another one.
    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x
    }
}
