//! `reproduce` from outside: its output on few programs at their small size, and its refusals.

use super::command::{Done, holloway, run};
use serde_json::{Value, json};
use std::path::Path;

fn reproduce(args: &[&str]) -> Done {
    run(holloway(Path::new("."), std::iter::once("reproduce").chain(args.iter().copied())))
}

fn measured(tables: &[&str]) -> Value {
    let common = ["--only", "fib,rnafold", "--size", "small", "--rounds", "1", "--json"];
    let done = reproduce(&[tables, &common].concat());
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    serde_json::from_str(&done.out).expect("JSON alone on standard output")
}

fn sheet<'a>(value: &'a Value, key: &str) -> &'a Value {
    let sheets = value["sheets"].as_array().expect("sheets are there");
    sheets.iter().find(|sheet| sheet["key"] == key).unwrap_or_else(|| panic!("there is no {key}"))
}

/// The values of a program's row.
fn row<'a>(sheet: &'a Value, name: &str) -> &'a Value {
    let rows = sheet["rows"].as_array().expect("rows are there");
    &rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("there is no {name}"))["values"]
}

#[test]
fn delia_counts_as_the_paper_defines() {
    let value = measured(&["delia"]);
    let keys: Vec<&str> =
        value["sheets"].as_array().unwrap().iter().filter_map(|sheet| sheet["key"].as_str()).collect();
    assert_eq!(keys, ["8", "9", "11", "12", "13", "14"].map(|number| format!("delia_figure{number}")));
    assert_eq!((&value["size"], &value["rounds"], &value["ok"]), (&json!("small"), &json!(1), &json!(true)));
    // An activation of fib is one path, so that code counts in an array, whatever k is.
    assert_eq!(*row(sheet(&value, "delia_figure9"), "fib"), json!([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
    assert_eq!(*row(sheet(&value, "delia_figure12"), "fib"), json!([4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0]));
    assert_eq!(*row(sheet(&value, "delia_figure13"), "fib"), json!([null, null, null, null, null, null, null]));
    // Loops: fewer operations than paths, and more nodes for each greater k.
    let numbers = |values: &Value| values.as_array().unwrap().iter().filter_map(Value::as_f64).collect::<Vec<f64>>();
    let operations = numbers(row(sheet(&value, "delia_figure9"), "rnafold"));
    assert!(operations.iter().all(|share| *share > 0.0 && *share < 1.0), "{operations:?}");
    let nodes = numbers(row(sheet(&value, "delia_figure11"), "rnafold"));
    assert!(nodes.windows(2).all(|pair| pair[1] > pair[0]), "{nodes:?}");
    let figure_8 = sheet(&value, "delia_figure8");
    assert_eq!(figure_8["columns"], json!(["k=2", "k=3", "k=4", "k=6", "k=8", "k=11", "k=16"]));
    assert!(numbers(row(figure_8, "rnafold")).len() == 7 && numbers(row(figure_8, "rnafold"))[0] > 0.0);
    assert_eq!(figure_8["compared"][0]["paper"], json!("12 of 16"));
}

#[test]
fn tfp_stands_beside_the_papers_rows() {
    let value = measured(&["tfp"]);
    let table_1 = sheet(&value, "tfp_table1");
    assert_eq!(table_1["paper"].as_array().map(Vec::len), Some(16));
    assert_eq!(
        table_1["paper"][0],
        json!({
            "name": "paper: cc1", "values": [null, 33.0, 11.0, 98.14, null, 10.0, 96.67, null],
        })
    );
    // fib has no loop.
    assert_eq!(row(table_1, "fib")[0], json!(0.0));
    assert!(row(table_1, "rnafold")[0].as_f64() > Some(0.0));
    let table_2 = sheet(&value, "tfp_table2");
    assert!(row(table_2, "rnafold")[1].as_f64().is_some_and(|percent| (0.0..=100.0).contains(&percent)));
    let figure_7 = sheet(&value, "tfp_figure7");
    assert_eq!(figure_7["rows"].as_array().map(Vec::len), Some(4));
    assert_eq!(figure_7["compared"][1]["here"], json!("the same"));
    assert_eq!(row(figure_7, "50 bases")[0], json!(1.0));
}

#[test]
fn cost_has_every_scheme() {
    let value = measured(&["cost"]);
    let cost = sheet(&value, "cost");
    let columns = ["edge*", "bl array", "bl hash", "k=2", "k=3", "k=4", "k=6", "k=8", "k=11", "k=16", "tfp", "bala"];
    assert_eq!(cost["columns"], json!(columns));
    let whole = |name: &str| row(cost, name).as_array().is_some_and(|values| values.iter().all(Value::is_number));
    assert!(whole("fib") && whole("rnafold"), "{cost}");
    // 21,891 activations of fib at n = 20, and those of the two functions that lead to it, are one path each.
    assert_eq!(row(sheet(&value, "forests"), "fib")[0], json!(21_893.0));
}

#[test]
fn text_has_every_sheet() {
    let done = reproduce(&["delia", "--only", "fib", "--size", "small", "--rounds", "1"]);
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    let titles: Vec<&str> = done.out.lines().filter(|line| line.starts_with('[')).collect();
    insta::assert_snapshot!(titles.join("\n"), @r"
    [DD13] figure 8: time of k-bl relative to bl with hash tables
    [DD13] figure 9: hash table operations of k-bl relative to bl, counted as the program ran
    [DD13] figure 11: space: entries in the hash tables of bl, nodes in the k-SF
    [DD13] figure 12: paths profiled: distinct paths of bl, nodes of the k-IPF
    [DD13] figure 13: average degree of internal nodes of the k-IPF
    [DD13] figure 14: average depth of leaves of the k-IPF
    ");
    assert!(done.out.starts_with("Size small; times are the least of 1 run in turn"), "{}", done.out);
    assert!(done.out.lines().any(|line| line.starts_with("fib ") && line.contains(" 0.00  0.00")), "{}", done.out);
}

#[test]
fn unknown_names_are_refused_before_anything_runs() {
    let refused = |args: &[&str]| {
        let done = reproduce(args);
        assert_eq!((done.status, done.out.as_str()), (64, ""), "{args:?}");
        done.err
    };
    let said = [
        refused(&["delai"]),
        refused(&["tfp", "x"]),
        refused(&["--only", "fib,seive"]),
        refused(&["--rounds", "0"]),
        refused(&["--child", "nonsense"]),
    ];
    insta::assert_snapshot!(said.concat(), @r"
    holloway: there is no table 'delai'; did you mean 'delia'? there are: delia, tfp, cost (see 'holloway reproduce --help')
    holloway: there is no table 'x'; there are: delia, tfp, cost (see 'holloway reproduce --help')
    holloway: there is no benchmark program 'seive'; did you mean 'sieve'? (see 'holloway reproduce --help')
    holloway: invalid value '0' for '--rounds <N>': 0 is not in 1..=4294967295 (see 'holloway reproduce --help')
    holloway: --child is for the command itself: expected ident at line 1 column 2 (see 'holloway reproduce --help')
    ");
}

#[test]
fn a_job_that_goes_wrong_is_told() {
    let job = |program: &str, checksum: i64| {
        let job = json!({
            "program": program, "size": 20, "checksum": checksum, "replaced": null, "variant": "Plain", "figures": false,
        });
        let done = reproduce(&["--child", &job.to_string()]);
        assert_eq!((done.status, done.out.as_str()), (1, ""));
        done.err
    };
    assert_eq!(job("fib", 7), "holloway: WRONG CHECKSUM: expected 7, printed 6765\n");
    assert_eq!(job("no-such", 7), "holloway: there is no benchmark program 'no-such'\n");
}
