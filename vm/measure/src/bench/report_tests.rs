//! Layout of the tables, from made-up measurements.

use super::super::race::{Fault, Run, Series};
use super::super::suite::select;
use super::*;
use crate::extent::{Rounds, SizeName};
use holloway::TierChoice;

const MEBIBYTE: u64 = 1 << 20;

fn measured(milliseconds: &[u64], peak_memory: PeakMemory) -> Outcome {
    let run = |wall: &u64| Run { wall: Duration::from_millis(*wall), cpu: Duration::from_millis(*wall), peak_memory };
    Outcome::Measured(Series { runs: milliseconds.iter().map(run).collect() })
}

fn of(name: &str, outcomes: Vec<Outcome>) -> ProgramResults {
    let program = select(&[name.to_owned()]).unwrap()[0];
    ProgramResults { program, workload: program.workload(SizeName::Default), outcomes }
}

fn results(contenders: &[&'static str], baseline: Option<usize>, programs: Vec<ProgramResults>) -> Results {
    Results {
        size: SizeName::Default,
        tier: TierChoice::Auto,
        rounds: Rounds::new(2).unwrap(),
        contenders: contenders.to_vec(),
        baseline,
        absent: vec![],
        programs,
    }
}

pub(in crate::bench) fn beside_peers() -> Results {
    let exact = PeakMemory::Exactly(20 * MEBIBYTE);
    let at_most = PeakMemory::AtMost(9 * MEBIBYTE);
    let programs = vec![
        of("fib", vec![measured(&[1000, 1500], exact), measured(&[500, 600], at_most), measured(&[5000, 4000], exact)]),
        of(
            "sieve",
            vec![measured(&[300, 250], at_most), measured(&[500, 500], at_most), measured(&[1000, 1100], exact)],
        ),
    ];
    Results { absent: vec!["java", "pypy3"], ..results(&["holloway", "gcc -O2", "node"], Some(1), programs) }
}

pub(in crate::bench) fn failing() -> Results {
    let wrong = Fault::WrongChecksum { expected: "267914296".to_owned(), found: "7".to_owned() };
    let programs = vec![
        of("fib", vec![Outcome::Failed(wrong)]),
        of("sieve", vec![measured(&[300, 250], PeakMemory::AtMost(9 * MEBIBYTE))]),
    ];
    results(&["holloway"], None, programs)
}

#[test]
fn ratios_to_the_baseline() {
    insta::assert_snapshot!(render(&beside_peers()), @r#"
    Holloway --tier auto, size default: least wall time of 2 runs in turn; with an x: as a ratio to gcc -O2

    program             time     memory   gcc -O2  holloway   node
    --------------------------------------------------------------
    fib               1.00 s   20.0 MiB  500.0 ms     2.00x  8.00x
    sieve           250.0 ms  ≤ 9.0 MiB  500.0 ms     0.50x  2.00x
    --------------------------------------------------------------
    geometric mean                                    1.00x  4.00x
    worst                                             2.00x  8.00x
      of                                                fib    fib

    Not installed, left out: java, pypy3
    "#);
}

#[test]
fn times_alone_and_a_failure() {
    insta::assert_snapshot!(render(&failing()), @r#"
    Holloway --tier auto, size default: least wall time of 2 runs in turn

    program         size      time    median     memory
    ---------------------------------------------------
    fib               42    FAILED         -          -
    sieve           1200  250.0 ms  275.0 ms  ≤ 9.0 MiB
    ---------------------------------------------------
    geometric mean        250.0 ms
    worst                 250.0 ms
      of                     sieve
    "#);
    assert_eq!(faults(&failing()), ["fib: holloway WRONG CHECKSUM: expected 267914296, printed 7"]);
}

#[test]
fn peers_without_a_baseline_are_shown_by_their_times() {
    let exact = PeakMemory::Exactly(MEBIBYTE);
    let programs = vec![of("fib", vec![measured(&[20], exact), measured(&[40], exact)])];
    insta::assert_snapshot!(render(&results(&["holloway", "node"], None, programs)), @r#"
    Holloway --tier auto, size default: least wall time of 2 runs in turn

    program         size     time   median   memory     node
    --------------------------------------------------------
    fib               42  20.0 ms  20.0 ms  1.0 MiB  40.0 ms
    --------------------------------------------------------
    geometric mean        20.0 ms                    40.0 ms
    worst                 20.0 ms                    40.0 ms
      of                      fib                        fib
    "#);
}

#[test]
fn a_program_that_is_not_in_the_language_of_the_baseline_is_shown_by_its_times() {
    let exact = PeakMemory::Exactly(MEBIBYTE);
    let programs = vec![
        of("fib", vec![measured(&[20], exact), Outcome::Absent, measured(&[40], exact)]),
        of("sieve", vec![measured(&[20], exact), measured(&[10], exact), measured(&[30], exact)]),
    ];
    insta::assert_snapshot!(render(&results(&["holloway", "gcc -O2", "node"], Some(1), programs)), @r#"
    Holloway --tier auto, size default: least wall time of 2 runs in turn; with an x: as a ratio to gcc -O2

    program            time   memory  gcc -O2  holloway     node
    ------------------------------------------------------------
    fib             20.0 ms  1.0 MiB        -   20.0 ms  40.0 ms
    sieve           20.0 ms  1.0 MiB  10.0 ms     2.00x    3.00x
    ------------------------------------------------------------
    geometric mean                                2.00x    3.00x
    worst                                         2.00x    3.00x
      of                                          sieve    sieve
    "#);
}

#[test]
fn a_missing_baseline_of_one_program_leaves_its_ratios_out() {
    let exact = PeakMemory::Exactly(MEBIBYTE);
    let broken = Outcome::Failed(Fault::NotBuilt("no".to_owned()));
    let programs = vec![
        of("fib", vec![measured(&[20], exact), broken]),
        of("sieve", vec![measured(&[20], exact), measured(&[10], exact)]),
    ];
    insta::assert_snapshot!(render(&results(&["holloway", "gcc -O2"], Some(1), programs)), @r#"
    Holloway --tier auto, size default: least wall time of 2 runs in turn; with an x: as a ratio to gcc -O2

    program            time   memory  gcc -O2  holloway
    ---------------------------------------------------
    fib             20.0 ms  1.0 MiB   FAILED         -
    sieve           20.0 ms  1.0 MiB  10.0 ms     2.00x
    ---------------------------------------------------
    geometric mean                                2.00x
    worst                                         2.00x
      of                                          sieve
    "#);
}

#[test]
fn startup_times() {
    let memory = PeakMemory::AtMost(MEBIBYTE);
    let died = Fault::NotStarted("node: gone".to_owned());
    let results = StartupResults {
        tier: TierChoice::Auto,
        rounds: Rounds::new(3).unwrap(),
        absent: vec!["luajit"],
        entries: vec![
            ("holloway", "holloway -e 'print(1)'".to_owned(), measured(&[3, 2, 9], memory)),
            ("node", "node -e 'console.log(1)'".to_owned(), Outcome::Failed(died)),
        ],
    };
    insta::assert_snapshot!(render_startup(&results), @r#"
    Wall time from start to end of a process, 3 runs in turn

                               least  median  runs
    ----------------------------------------------
    holloway -e 'print(1)'    2.0 ms  3.0 ms     3
    node -e 'console.log(1)'  FAILED       -     -

    Not installed, left out: luajit
    "#);
}

#[test]
fn times_have_a_unit_that_fits() {
    let shown = [40, 999_940, 1_000_000, 75_000_000].map(|microseconds| time(Duration::from_micros(microseconds)));
    assert_eq!(shown, ["0.0 ms", "1.00 s", "1.00 s", "75.00 s"]);
}
