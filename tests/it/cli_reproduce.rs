//! `reproduce` from outside: its output on few programs at their small size, and its refusals.

use super::command::{Done, holloway, run, run_with_input};
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
    let figures = ["8", "9", "10a", "10b", "10c", "11", "12", "13", "14"].map(|number| format!("delia_figure{number}"));
    assert_eq!(keys[..9], figures);
    assert_eq!(keys[9..], ["delia_table1"]);
    assert_eq!((&value["size"], &value["rounds"], &value["ok"]), (&json!("small"), &json!(1), &json!(true)));
    // An activation of fib is one path, whatever k is.
    assert_eq!(*row(sheet(&value, "delia_figure9"), "fib"), json!([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
    assert_eq!(*row(sheet(&value, "delia_figure12"), "fib"), json!([4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0]));
    assert_eq!(*row(sheet(&value, "delia_figure13"), "fib"), json!([null, null, null, null, null, null, null]));
    // Loops: fewer operations than paths from k = 3 on, and more nodes for each greater k.
    let numbers = |values: &Value| values.as_array().unwrap().iter().filter_map(Value::as_f64).collect::<Vec<f64>>();
    let operations = numbers(row(sheet(&value, "delia_figure9"), "rnafold"));
    assert!(operations.windows(2).all(|pair| pair[1] < pair[0] && pair[0] <= 1.0), "{operations:?}");
    // What is said of the rows is counted in the rows.
    let figure_9 = sheet(&value, "delia_figure9");
    let all: Vec<Vec<f64>> = ["fib", "rnafold"].map(|name| numbers(row(figure_9, name))).to_vec();
    let fewer = all.iter().filter(|row| row[row.len() - 1] < row[0]).count();
    assert_eq!(figure_9["compared"][0]["here"], json!(format!("{fewer} of 2")));
    let nodes = numbers(row(sheet(&value, "delia_figure11"), "rnafold"));
    assert!(nodes.windows(2).all(|pair| pair[1] > pair[0]), "{nodes:?}");
    let figure_8 = sheet(&value, "delia_figure8");
    assert_eq!(figure_8["columns"], json!(["k=2", "k=3", "k=4", "k=6", "k=8", "k=11", "k=16"]));
    assert!(numbers(row(figure_8, "rnafold")).len() == 7 && numbers(row(figure_8, "rnafold"))[0] > 0.0);
    assert_eq!(figure_8["compared"][0]["paper"], json!("12 of 16"));
    // Machines without hardware counters have no rows, and say so.
    for key in ["delia_figure10a", "delia_figure10b", "delia_figure10c"] {
        let part = sheet(&value, key);
        let absent = part["notes"][0].as_str().is_some_and(|note| note.starts_with("Absent: the kernel offers"));
        assert_eq!(part["rows"].as_array().map(Vec::is_empty), Some(absent), "{part}");
    }
    let techniques = sheet(&value, "delia_table1");
    assert_eq!(techniques["rows"].as_array().map(Vec::len), Some(7));
    let [bl, roy] = ["BLPP (Ball and Larus 1996)", "Roy and Srikant 2009"].map(|name| row(techniques, name));
    // Relative to itself; one variable; two programs, both exact.
    assert_eq!(*bl, json!([1.0, 1.0, 2.0, 2.0]));
    // Two accumulators, whose values tell the number of the iteration.
    assert!(roy[0].as_f64() > Some(0.0) && roy[1] == json!(2.0), "{roy}");
}

#[test]
fn tfp_stands_beside_the_papers_rows() {
    let value = measured(&["tfp"]);
    let table_1 = sheet(&value, "tfp_table1");
    assert_eq!(table_1["paper"].as_array().map(Vec::len), Some(16));
    assert_eq!(
        table_1["paper"][0],
        json!({
            "name": "paper: cc1", "values": [null, 33.0, 11.0, 98.14, null, 10.0, 96.67, null], "words": ["INT"],
        })
    );
    // fib has no loop.
    assert_eq!(row(table_1, "fib")[0], json!(0.0));
    assert!(row(table_1, "rnafold")[0].as_f64() > Some(0.0));
    let table_2 = sheet(&value, "tfp_table2");
    assert!(row(table_2, "rnafold")[1].as_f64().is_some_and(|percent| (0.0..=100.0).contains(&percent)));
    let figure_4 = sheet(&value, "tfp_figure4");
    let distribution = row(figure_4, "rnafold").as_array().expect("values");
    let percentages: Vec<f64> = distribution[1..7].iter().filter_map(Value::as_f64).collect();
    assert!(percentages.is_sorted() && percentages[5] == 100.0, "{figure_4}");
    // Figure 4 and the tables are about the same loops.
    assert_eq!(distribution[0], row(table_1, "rnafold")[0]);
    assert!(distribution[7].as_f64() >= row(table_2, "rnafold")[0].as_f64(), "{figure_4}");
    let frequencies = row(sheet(&value, "tfp_section3_6"), "rnafold").as_array().expect("values");
    let [static_paths, values_of_r, taken, counted] =
        [0, 1, 2, 3].map(|at| frequencies[at].as_f64().expect("a number"));
    assert_eq!((Some(static_paths), counted), (row(table_1, "rnafold")[1].as_f64(), 100.0));
    assert!(taken > 0.0 && taken <= static_paths && static_paths <= values_of_r, "{frequencies:?}");
    let figure_7 = sheet(&value, "tfp_figure7");
    assert_eq!(figure_7["rows"].as_array().map(Vec::len), Some(4));
    assert_eq!(figure_7["compared"][1]["here"], json!("the same"));
    assert_eq!(row(figure_7, "50 bases")[0], json!(1.0));
}

#[test]
fn rounds_give_intervals_and_classes_their_own_means() {
    let common = ["tfp", "--only", "fib,fft", "--size", "small", "--rounds", "2", "--json"];
    let done = reproduce(&common);
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    let value: Value = serde_json::from_str(&done.out).expect("JSON");
    let figure_6 = sheet(&value, "tfp_figure6");
    let rows = figure_6["rows"].as_array().expect("rows");
    let classes: Vec<(&Value, &Value)> = rows.iter().map(|row| (&row["name"], &row["words"][0])).collect();
    assert_eq!(classes, [(&json!("fib"), &json!("INT")), (&json!("fft"), &json!("FP"))]);
    let is_half_width = |spread: &Value| spread.as_f64().is_some_and(|half| half >= 0.0);
    assert!(
        rows.iter()
            .all(|row| row["spreads"].as_array().is_some_and(|all| all.len() == 3 && all.iter().all(is_half_width)))
    );
    let means: Vec<(&str, &Value)> = figure_6["summary"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), &row["values"][0]))
        .collect();
    assert!(
        means.contains(&("mean (INT)", &rows[0]["values"][0])) && means.contains(&("mean (FP)", &rows[1]["values"][0]))
    );
    // fib has no loop, so that there is no average of INT programs.
    let table_1 = sheet(&value, "tfp_table1");
    let names = ["average (INT)", "average (FP)", "average"];
    let summary = table_1["summary"].as_array().expect("averages");
    assert_eq!(summary.iter().filter_map(|row| row["name"].as_str()).collect::<Vec<_>>(), names);
    assert_eq!((&summary[0]["values"][1], &summary[1]["values"][1]), (&Value::Null, &row(table_1, "fft")[1]));
}

#[test]
fn cost_has_every_scheme() {
    let value = measured(&["cost"]);
    let cost = sheet(&value, "cost");
    let columns = ["edge*", "bl array", "bl hash", "k=2", "k=3", "k=4", "k=6", "k=8", "k=11", "k=16"];
    let columns: Vec<&str> =
        columns.into_iter().chain(["k=4 1000/9000", "k=4 1000/99000", "k=4 1000", "tfp", "bala"]).collect();
    assert_eq!(cost["columns"], json!(columns));
    let whole = |name: &str| row(cost, name).as_array().is_some_and(|values| values.iter().all(Value::is_number));
    assert!(whole("fib") && whole("rnafold"), "{cost}");
    // 21,891 activations of fib at n = 20, and those of the two functions that lead to it, are one path each.
    assert_eq!(row(sheet(&value, "forests"), "fib")[0], json!(21_893.0));
}

#[test]
fn twpp_has_the_papers_tables_and_zstd() {
    let value = measured(&["twpp"]);
    let keys: Vec<&str> = value["sheets"].as_array().unwrap().iter().filter_map(|one| one["key"].as_str()).collect();
    let names = ["table1", "figure8", "table2", "table3", "table4", "table5", "table6"];
    assert_eq!(keys, names.map(|name| format!("twpp_{name}")));
    assert_eq!((&value["faults"], &value["ok"]), (&json!([]), &json!(true)));
    // fib at n = 20: 21,891 activations of fib and two that lead to it. Each trace of fib is one of two.
    assert_eq!(row(sheet(&value, "twpp_table1"), "fib")[0], json!(4.0 * 21_893.0));
    let shares: Vec<f64> =
        row(sheet(&value, "twpp_figure8"), "fib").as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    assert!(shares[0] < 0.1 && shares[1..].iter().all(|share| *share == 100.0), "{shares:?}");
    // Every function was extracted from everywhere, with the same traces.
    for table in ["twpp_table4", "twpp_table5"] {
        let values = row(sheet(&value, table), "rnafold").as_array().expect("values");
        assert!(values.iter().all(|value| value.as_f64() > Some(0.0)), "{values:?}");
    }
    let sizes = row(sheet(&value, "twpp_table2"), "rnafold");
    let factors = [1, 3, 5, 6].map(|at| sizes[at].as_f64().expect("a factor"));
    assert!((factors[0] * factors[1] * factors[2] / factors[3] - 1.0).abs() < 1e-9, "{sizes}");
    let graphs = row(sheet(&value, "twpp_table6"), "rnafold");
    assert!(graphs[4].as_f64() < graphs[5].as_f64(), "series are shorter than timestamps: {graphs}");
    assert_eq!(sheet(&value, "twpp_table6")["paper"].as_array().map(Vec::len), Some(5));
}

#[test]
fn roy_has_the_papers_numbers_and_aborts_where_it_does() {
    let args = ["roy", "--only", "fibcall,ndes", "--size", "small", "--rounds", "1", "--json"];
    let done = reproduce(&args);
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    let value: Value = serde_json::from_str(&done.out).expect("JSON");
    let keys: Vec<&str> = value["sheets"].as_array().unwrap().iter().filter_map(|one| one["key"].as_str()).collect();
    assert_eq!(keys, ["roy_table3", "roy_costs", "roy_table4"]);
    // cyfun has more than 60,000 paths of 3 iterations, in the paper and here.
    let table_3 = sheet(&value, "roy_table3");
    let measured = |name: &str| row(table_3, name).as_array().unwrap().iter().map(Value::is_number).collect::<Vec<_>>();
    assert_eq!((measured("fibcall"), measured("ndes")), (vec![true, true], vec![true, false]));
    assert_eq!(table_3["paper"][8], json!({ "name": "paper: ndes", "values": [6.12, null] }));
    assert_eq!(table_3["compared"][0]["here"], json!("ndes"));
    let costs = row(sheet(&value, "roy_costs"), "ndes").as_array().expect("values");
    assert!(costs.iter().all(|ratio| ratio.as_f64() > Some(0.0)), "{costs:?}");
    let table_4 = sheet(&value, "roy_table4");
    let of = |key: &str| table_4[key].as_array().unwrap().iter().map(|row| row["values"].clone()).collect::<Vec<_>>();
    let printed = of("paper");
    assert_eq!(of("rows")[..7], printed[..7], "every number and every cross");
    assert_eq!((&table_4["compared"][0]["paper"], &table_4["compared"][0]["here"]), (&json!("30"), &json!("30")));
}

#[test]
fn melski_has_the_counters_of_the_example() {
    let value = measured(&["melski"]);
    let paths = sheet(&value, "melski_paths");
    let here: Vec<&Value> = paths["compared"].as_array().unwrap().iter().map(|each| &each["here"]).collect();
    assert_eq!(here[..2], [&json!("36"), &json!("21")]);
    // Six bits, and five.
    assert_eq!((&row(paths, "pow")[3], &row(paths, "pow")[5]), (&json!(6.0), &json!(5.0)));
    let cost = row(sheet(&value, "melski_cost"), "fib").as_array().expect("values");
    assert!(cost.len() == 5 && cost.iter().all(|ratio| ratio.as_f64() > Some(0.0)), "{cost:?}");
    // The calls of fib are recursive, so that only paths from and to main cross any.
    let crossing = row(sheet(&value, "melski_crossing"), "fib").as_array().expect("values");
    assert!(crossing[0].as_f64() > Some(0.0) && crossing[2].as_f64() < Some(1.0), "{crossing:?}");
    let rnafold = row(sheet(&value, "melski_crossing"), "rnafold").as_array().expect("values");
    assert!(rnafold[4].as_f64() > Some(0.0) && rnafold[4].as_f64() <= Some(100.0), "{rnafold:?}");
}

#[test]
fn text_has_every_sheet() {
    let done = reproduce(&["delia", "--only", "fib", "--size", "small", "--rounds", "1"]);
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    let titles: Vec<&str> = done.out.lines().filter(|line| line.starts_with('[')).collect();
    insta::assert_snapshot!(titles.join("\n"), @r"
    [DD13] figure 8: time of k-bl relative to bl with hash tables
    [DD13] figure 9: hash table operations of k-bl by figure 6, relative to bl
    [DD13] figure 10 (a): cycles per instruction of k-bl
    [DD13] figure 10 (b): L1 cache miss rate of k-bl
    [DD13] figure 10 (c): L2 cache miss rate of k-bl (here: of the last level)
    [DD13] figure 11: space: entries in the hash tables of bl, nodes in the k-SF
    [DD13] figure 12: paths profiled: distinct paths of bl, nodes of the k-IPF
    [DD13] figure 13: average degree of internal nodes of the k-IPF
    [DD13] figure 14: average depth of leaves of the k-IPF
    [DD13] table 1: path profiling techniques: the paper's statements, and measurements of those implemented here
    ");
    let head = done.out.lines().next().unwrap_or_default();
    assert!(head.starts_with("holloway ") && head.contains(" threads, 20"), "{head}: version, machine and date");
    assert!(done.out.contains("\nSize small; each time is that of 1 run in a process of its own"), "{}", done.out);
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
        refused(&["delia", "--only", "fibcall"]),
        refused(&["--rounds", "0"]),
        refused(&["--child", "nonsense"]),
    ];
    insta::assert_snapshot!(said.concat(), @r"
    holloway: there is no table 'delai'; did you mean 'delia'? there are: delia, tfp, cost, twpp, roy, melski (see 'holloway reproduce --help')
    holloway: there is no table 'x'; there are: delia, tfp, cost, twpp, roy, melski (see 'holloway reproduce --help')
    holloway: there is no benchmark program 'seive'; did you mean 'sieve'? (see 'holloway reproduce --help')
    holloway: there is no benchmark program 'fibcall'; did you mean 'fib'? (see 'holloway reproduce --help')
    holloway: invalid value '0' for '--rounds <N>': 0 is not in 1..=4294967295 (see 'holloway reproduce --help')
    holloway: --child is for the command itself: expected value at line 1 column 1 (see 'holloway reproduce --help')
    ");
}

#[test]
fn a_job_that_goes_wrong_is_told() {
    let job = |program: &str, output: &str| {
        let job = json!({
            "program": { "Embedded": program }, "size": 20, "output": output, "replaced": null, "variant": "Plain", "figures": false,
        });
        let said = ["Run", "WholePath"].map(|request| {
            let done = reproduce(&["--child", &json!({ request: job }).to_string()]);
            assert_eq!((done.status, done.out.as_str()), (1, ""), "{request}");
            done.err
        });
        assert_eq!(said[0], said[1]);
        said[0].clone()
    };
    assert_eq!(job("fib", "7"), "holloway: WRONG CHECKSUM: expected 7, printed 6765\n");
    assert_eq!(job("no-such", "7"), "holloway: there is no benchmark program 'no-such'\n");
}

#[test]
fn a_timed_run_has_the_counts_of_a_base_run() {
    let child = |request: &str, program: &str, variant: &str, input: &str| {
        let job = json!({
            "program": { "Embedded": program }, "size": 2, "output": null, "replaced": null, "variant": variant, "figures": true,
        });
        let args = ["reproduce", "--child", &json!({ request: job }).to_string()];
        run_with_input(holloway(Path::new("."), args), input.as_bytes())
    };
    let counts = child("Base", "lzw", "Plain", "").out;
    let timed = child("Run", "lzw", "BlHash", &counts);
    assert_eq!((timed.status, timed.err.as_str()), (0, ""));
    let answer: Value = serde_json::from_str(&timed.out).expect("an answer");
    assert!(answer["figures"]["Counts"]["executed"].as_u64() > Some(0), "{answer}");
    assert_eq!(
        [child("Run", "lzw", "BlHash", "").complaint(), child("Run", "fib", "BlHash", &counts).complaint()],
        [
            "holloway: the counts of the base run are unreadable: EOF while parsing a value at line 1 column 0",
            "holloway: the base run counted another function 0 'lcg'"
        ]
    );
    // These take no counts.
    assert_eq!(["Plain", "Bala"].map(|variant| child("Run", "lzw", variant, "").status), [0, 0]);
}

#[test]
fn each_table_with_numbers_is_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let figures = folder.path().join("all/figures");
    let figures = figures.to_str().expect("it is text");
    let done = reproduce(&["delia", "--only", "fib,rnafold", "--size", "small", "--rounds", "1", "--plot", figures]);
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    for figure in ["delia_figure9", "delia_figure11", "delia_figure12"] {
        let svg = std::fs::read_to_string(Path::new(figures).join(format!("{figure}.svg"))).expect("it is drawn");
        assert!(svg.starts_with("<svg ") && svg.contains("rnafold") && svg.contains("k=2"), "{figure}: {svg}");
    }
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("it is written");
    let refused = reproduce(&["delia", "--plot", file.to_str().expect("it is text")]);
    assert!(refused.status == 64 && refused.complaint().contains("name a folder"), "{}", refused.err);
}
