//! Bursts as code takes them are those of the whole stream, whether the batch has room or the runtime is asked for each path.

use super::*;
use holloway_profiler::forest::SlabForest;
use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::machine::Sink;

const FUNC: u32 = 3;

/// The form in which code hands paths over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Code {
    /// Equal ids one by one.
    OneByOne,
    /// Equal ids as the iterations of a loop with one path.
    Loops,
}

/// The words that code keeps for an activation.
struct Activation {
    tag: u64,
    paths: u64,
}

/// Code of one function, and a collector of its whole stream.
struct Run {
    cells: BurstCells,
    cell: usize,
    code: Code,
    activations: Vec<Activation>,
    expected: SampledForest,
}

impl Run {
    fn enter(&mut self) {
        let tag = self.cells.cell(self.cell).get(MARK);
        self.activations.push(Activation { tag, paths: 0 });
        self.expected.enter();
    }

    fn leave(&mut self) {
        if let Some(Activation { tag, paths }) = self.activations.pop() {
            self.cells.cut(self.cell, tag, (paths, None));
            self.expected.leave();
        }
    }

    fn paths(&mut self, id: u64, times: u64) {
        (0..times).for_each(|_| self.expected.path(id));
        let innermost = self.activations.last_mut().expect("an activation is under way");
        innermost.paths += times;
        let (count, each) = if self.code == Code::Loops { (1, times) } else { (times, 1) };
        for _ in 0..count {
            let cell = self.cells.cell(self.cell);
            let left = cell.get(LEFT).wrapping_sub(each);
            cell.set(LEFT, left);
            if (left as i64) < 0 && self.code == Code::Loops {
                innermost.tag = self.cells.run(self.cell, innermost.tag, Iterations { first: id, id, times });
            } else if (left as i64) < 0 {
                innermost.tag = match cell.get(ROOM) {
                    0 => self.cells.run(self.cell, innermost.tag, Iterations { first: id, id, times: 1 }),
                    _ => cell.append(innermost.tag, RepeatedId { id, times: 1 }),
                };
            }
        }
    }

    /// A failure that the innermost activation catches, in a loop with one path.
    fn fail(&mut self, id: u64, times: u64) {
        (0..times).for_each(|_| self.expected.path(id));
        self.expected.prefix(holloway_profiler::graph::Node::from_u32(0), 0);
        let Some(innermost) = self.activations.last_mut() else { return };
        let iterations = (times > 0).then_some(Iterations { first: id, id, times });
        self.cells.cut(self.cell, innermost.tag, (innermost.paths, iterations));
        *innermost = Activation { tag: self.cells.cell(self.cell).get(MARK), paths: 0 };
    }

    fn agrees(&self, what: &str) {
        let found = self.cells.sample(FuncRef::from_u32(FUNC)).expect("it has a cell");
        let counts = |sample: &SampledForest| (sample.recorded(), sample.bursts());
        assert_eq!(counts(&found), counts(&self.expected), "{what}");
        assert_eq!(found.forest().trie().sequences(), self.expected.forest().trie().sequences(), "{what}");
        if self.activations.is_empty() {
            let (ipf, of_expected) = (PathForest::of(found.forest()), PathForest::of(self.expected.forest()));
            let (estimator, expected) = (found.estimator(&ipf), self.expected.estimator(&of_expected));
            for (sequence, _) in ipf.sequences() {
                assert_eq!(estimator.estimate(&sequence), expected.estimate(&sequence), "{what}, {sequence:?}");
            }
        }
    }
}

#[test]
fn bursts_are_those_of_the_stream() {
    let lengths = [(3, 2), (1, 1), (40, 60), (100, 900), (5000, 70)];
    for (burst, gap) in lengths {
        let kinds =
            [(Code::OneByOne, Reentry::Possible), (Code::Loops, Reentry::Possible), (Code::Loops, Reentry::Never)];
        for (k, (code, reentry)) in [1, 2, 4, 30].into_iter().flat_map(|k| kinds.map(|kind| (k, kind))) {
            let mut random = 0x2545_f491_4f6c_dd1d_u64 ^ u64::from(k);
            let mut next = move |below: u64| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (random >> 33) % below
            };
            let mut cells = BurstCells::default();
            let expected = SampledForest::new(SlabForest::new(k, 4), burst, gap);
            let cell = cells.add((FuncRef::from_u32(FUNC), reentry), k, expected.clone()).address;
            let mut run = Run { cells, cell, code, activations: Vec::new(), expected };
            run.enter();
            for step in 0..2000 {
                match next(12) {
                    0 => {
                        if reentry == Reentry::Never {
                            run.leave();
                        }
                        run.enter();
                    }
                    1 if run.activations.len() > 1 => run.leave(),
                    2 => run.fail(next(4), next(3) * next(60)),
                    3 => run.paths(next(4), 1 + next(300)),
                    _ => run.paths(next(4), 1),
                }
                if step % 500 == 499 {
                    run.agrees(&format!("{burst}/{gap}, k = {k}, {code:?}, step {step}"));
                }
            }
            while !run.activations.is_empty() {
                run.leave();
            }
            run.agrees(&format!("{burst}/{gap}, k = {k}, {code:?}"));
            let kept = run.cells.cells.values().map(|cell| cell.sample.runs.len()).max();
            assert!(reentry == Reentry::Possible || kept <= Some(1), "{kept:?} runs are kept");
        }
    }
}
