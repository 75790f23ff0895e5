//! Table 4 of `[RS09]`: numbers of possible paths of the procedures that it names, and of ludcmp.
//!
//! In: the embedded programs with the papers' control flow. Out: the table. Nothing is run. Invariant: a number above the limit from which the
//! paper's profiler aborts is absent, as its cross says.

use super::paper::{LUDCMP, PATH_LIMIT, PathNumbers, TABLE_4};
use crate::bench::embedded;
use crate::reproduce::result_table::{Compared, Look, ResultTable, Row};
use holloway::{Config, Engine};
use holloway_jit::graph_of::graph_of;
use holloway_profiler::number::k_iteration::number_k;

/// The numbers of iterations, 1 for acyclic paths.
const ITERATIONS: [u32; 5] = [1, 2, 3, 4, 5];

/// The table.
pub(super) fn table_4() -> ResultTable {
    let printed = TABLE_4.iter().copied().chain([("ludcmp", "ludcmp", LUDCMP)]);
    let found: Vec<(&str, &str, PathNumbers, PathNumbers)> = printed
        .map(|(program, procedure, printed)| (program, procedure, printed, numbers(program, procedure)))
        .collect();
    let row = |program: &str, procedure: &str, numbers: PathNumbers, prefix: &str| Row {
        words: vec![procedure.to_owned()],
        ..Row::new(format!("{prefix}{program}"), numbers.map(|number| Some(number? as f64)).to_vec())
    };
    let columns = ITERATIONS.map(|k| if k == 1 { "BL".to_owned() } else { format!("k={k}") });
    ResultTable {
        key: "roy_table4",
        source: "[RS09] table 4",
        title: "number of possible paths".to_owned(),
        word_columns: vec!["function"],
        columns: columns.map(|name| (name, Look::Count)).to_vec(),
        rows: found.iter().map(|(program, procedure, _, ours)| row(program, procedure, *ours, "")).collect(),
        paper: found.iter().map(|(program, procedure, printed, _)| row(program, procedure, *printed, "paper: ")).collect(),
        compared: vec![Compared::new("numbers of the paper that are the same here", counted(&found).0, counted(&found).1)],
        notes: vec![
            "Absent: more than 60,000 paths, where the paper's profiler aborts. The row of ludcmp is from the text of section 6."
                .to_owned(),
        ],
        ..ResultTable::default()
    }
}

/// Figures that are printed, and those of them that are the same here.
fn counted(found: &[(&str, &str, PathNumbers, PathNumbers)]) -> (String, String) {
    let pairs = || {
        found.iter().flat_map(|(.., printed, ours)| printed.iter().zip(ours)).filter(|(printed, _)| printed.is_some())
    };
    let same = pairs().filter(|(printed, ours)| printed == ours).count();
    (pairs().count().to_string(), same.to_string())
}

/// The numbers of paths of a procedure of a program.
fn numbers(program: &str, procedure: &str) -> PathNumbers {
    let file = format!("papers/{program}.hw");
    let mut engine = Engine::new(Config::default()).expect("there is memory for a small program");
    engine.load(&file, embedded::file(&file).expect("the program is embedded")).expect("embedded programs compile");
    let module = engine.module();
    let body = module.funcs.values().map(|decl| &decl.body).find(|body| body.name == procedure);
    let graph = graph_of(body.expect("the program has the procedure"));
    let paths = |k| number_k(&graph, k).ok().map(|numbering| numbering.num_paths());
    ITERATIONS.map(|k| paths(k).filter(|paths| *paths <= PATH_LIMIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number of table 4, its crosses included, and both of section 6.
    #[test]
    fn numbers_are_those_of_the_paper() {
        for (program, procedure, printed) in TABLE_4 {
            assert_eq!(numbers(program, procedure), printed, "{procedure}");
        }
        assert_eq!(numbers("ludcmp", "ludcmp")[1..3], LUDCMP[1..3]);
        let table = table_4();
        assert_eq!((table.compared[0].paper.as_str(), table.compared[0].here.as_str()), ("30", "30"));
    }
}
