//! The page of runs that are made up: sums, bounds, and texts that look like markup.

use super::*;
use crate::run::record::{Code, Doing, End, Frame, Function, Head, Instruction, Sample, Source, Stack, Version};
use holloway_aos::Micros;
use holloway_aos::event::{What, examples};
use holloway_aos::input::{Arm, BodyHash, GuardCount};
use serde_json::Value;

/// The most bytes of a page.
const MOST: usize = 5 << 20;

const FUNCTIONS: u32 = 700;
const VERSIONS: u32 = 1500;
const TIERS: [&str; 4] = ["baseline", "profiled", "optimized", "specialized"];

fn function(name: &str, at: u32) -> Function {
    let line = at * 10 + 1;
    Function { name: name.to_owned(), file: "long.hw".to_owned(), line, last_line: line + 9, hash: BodyHash(1) }
}

/// A run with so many samples a millisecond apart, and many of everything.
fn long_run(samples: u32) -> Run {
    let mut run = Run { head: Head { program: "long.hw".to_owned(), ..Head::default() }, ..Run::default() };
    let text = "fn work(n: int) -> int { return n } // a line of a program\n".repeat(7000);
    run.sources.push(Source { file: "long.hw".to_owned(), text });
    run.functions = (0..FUNCTIONS).map(|at| function(&format!("work{}", at / 2), at)).collect();
    let version = |id: u32| Version {
        id,
        name: format!("work{id}/trace-1"),
        function: id % FUNCTIONS,
        tier: TIERS[id as usize % 4].to_owned(),
        entry_line: None,
        bytes: 900,
    };
    run.versions = (0..VERSIONS).map(version).collect();
    let frame = |at: u32| Frame {
        function: at % FUNCTIONS,
        line: at % 7000,
        version: at % VERSIONS,
        inlined: at.is_multiple_of(5),
    };
    run.frames = (0..9000).map(frame).collect();
    let stack = |at: u32| Stack {
        doing: if at.is_multiple_of(3) { Doing::Runtime } else { Doing::Code },
        frames: (0..at % 40).map(|nth| (at * 31 + nth * nth * 7) % 9000).collect(),
        left_out: None,
    };
    run.stacks = (0..12_000).map(stack).collect();
    run.stacks[0] = Stack { doing: Doing::Outside, frames: Vec::new(), left_out: None };
    let sample = |at: u32| {
        let stack = if at.is_multiple_of(4) { at % 12_000 } else { at / 1000 % 12_000 };
        Sample { at: f64::from(at + 1) * 1003.009, weight: 1003.009, stack }
    };
    run.samples = (0..samples).map(sample).collect();
    let end = f64::from(samples) * 1003.009 + 400.0;
    for round in 0..400_u64 {
        run.events.extend(examples().into_iter().filter(|event| !matches!(event.what, What::RunEnd(_))).map(
            |mut event| {
                event.time = Micros(event.time.0 + round * 1_400_000);
                event.subject.version = Some((event.subject.version.unwrap_or(0) + round as u32) % VERSIONS);
                let named = &run.functions[round as usize % FUNCTIONS as usize];
                event.subject.function = Some(named.name.clone());
                (event.subject.file, event.subject.line) = (Some(named.file.clone()), Some(named.line));
                event
            },
        ));
    }
    let instruction = |offset: u32| Instruction {
        offset,
        text: "mov qword ptr [rsp+0x38], \"<r11>\"".to_owned(),
        depth: 2,
        at: Some((offset % FUNCTIONS, offset % 7000)),
        note: None,
    };
    run.code =
        (0..VERSIONS).map(|version| Code { version, instructions: (0..300).map(instruction).collect() }).collect();
    run.end = Some(End { cpu: end, sampled: end - 400.0, lost: 0, status: 0 });
    run
}

/// The data that is in a page.
fn data_in(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"run\">").expect("the data is there");
    let (json, _) = rest.split_once("</script>").expect("it ends");
    serde_json::from_str(json).expect("it is JSON")
}

fn columns(river: &Value) -> f64 {
    let bands = river["bands"].as_array().expect("bands");
    let series = bands.iter().flat_map(|band| band["series"].as_array().expect("series"));
    let micros = series.flat_map(|series| series["micros"].as_array().expect("micros"));
    micros.map(|micros| micros.as_f64().expect("a number")).sum()
}

fn sum(rows: &Value, field: &str) -> f64 {
    rows.as_array().expect("rows").iter().map(|row| row[field].as_f64().expect("a time")).sum()
}

#[test]
fn columns_functions_versions_and_stacks_add_up_to_what_was_sampled() {
    let run = long_run(3000);
    let page = data_in(&page(&run, None));
    let sampled = run.samples.iter().map(|sample| sample.weight).sum::<f64>();
    assert!((page["run"]["sampled"].as_f64().expect("a time") - sampled).abs() < 1.0);
    let outside = page["run"]["outside"].as_f64().expect("a time");
    assert!((columns(&page["river"]) - sampled).abs() < 400.0, "{} and {sampled}", columns(&page["river"]));
    // Nothing is kept of the coldest functions and versions; all that were sampled are among the others.
    let stacks = page["stacks"].as_array().expect("nodes");
    let roots =
        stacks.iter().filter(|node| node[0].is_null()).map(|node| node[6].as_f64().expect("a time")).sum::<f64>();
    for (what, found) in
        [("stacks", roots), ("versions", sum(&page["versions"], "own")), ("functions", sum(&page["functions"], "own"))]
    {
        assert!(
            found <= sampled - outside + 100.0 && found > 0.5 * (sampled - outside),
            "{what}: {found} of {sampled}"
        );
    }
}

#[test]
fn the_page_of_ten_minutes_is_small_and_says_what_it_leaves_out() {
    let run = long_run(600_000);
    let html = page(&run, Some(&long_run(600_000)));
    assert!(html.len() < MOST, "{} bytes", html.len());
    let data = data_in(&html);
    let count = |of: &Value| of.as_array().expect("a list").len();
    assert!(data["river"]["columns"].as_u64().expect("a number") <= 1000);
    assert!(count(&data["functions"]) <= 400 && count(&data["versions"]) <= 600 && count(&data["stacks"]) <= 3000);
    assert!(count(&data["decisions"]) <= 600 && count(&data["marks"]) <= 1500);
    assert!(columns(&data["river"]) > 0.999 * data["run"]["sampled"].as_f64().expect("a time"));
    let panels: Vec<&str> =
        data["left_out"].as_array().expect("a list").iter().filter_map(|row| row[0].as_str()).collect();
    for panel in ["functions", "versions", "river", "decisions", "stacks", "code"] {
        assert!(panels.contains(&panel), "{panel} is not among {panels:?}");
    }
}

#[test]
fn no_text_of_a_program_is_markup() {
    let evil = "</script><script>alert(\"1\")</script><!-- ' & \u{2028} </title>";
    let mut run = long_run(100);
    run.sources[0].text = format!("print(\"{evil}\")\n");
    run.functions[0].name = evil.to_owned();
    run.versions[0].name = evil.to_owned();
    run.head.program = format!("{evil}.hw");
    run.head.args = vec!["\"quoted\" <b>".to_owned(), "{{data}}".to_owned()];
    let html = page(&run, None);
    assert!(!html.contains("alert(\"1\")</script>") && !html.contains("<b>") && !html.contains("<!-- '"));
    assert_eq!(html.matches("</script>").count(), 2, "those of the data and of the page");
    assert_eq!(html.matches("</title>").count(), 1);
    assert_eq!(html.matches("id=\"run\"").count(), 1);
    let data = data_in(&html);
    assert_eq!(data["sources"][0]["text"], run.sources[0].text);
    assert_eq!(data["run"]["args"][1], "{{data}}");
}

#[test]
fn a_run_of_nothing_has_a_page() {
    let data = data_in(&page(&Run::default(), Some(&Run::default())));
    assert_eq!(data["river"]["columns"], 0);
    let killed = Run { end: None, ..long_run(50) };
    assert!(data_in(&page(&killed, None))["run"]["status"].is_null());
}

#[test]
fn a_second_run_is_told_in_terms_of_the_first() {
    let (first, mut second) = (long_run(2000), long_run(1000));
    second.functions.reverse();
    second.versions.iter_mut().for_each(|version| version.function = FUNCTIONS - 1 - version.function);
    second.frames.iter_mut().for_each(|frame| frame.function = FUNCTIONS - 1 - frame.function);
    let page = data_in(&page(&first, Some(&second)));
    let bands = page["compare"]["bands"].as_array().expect("bands");
    assert!(!bands.is_empty());
    let functions = page["compare"]["functions"].as_array().expect("functions");
    assert!(functions.iter().all(|row| row["match"] == "same"), "{functions:?}");
}

#[test]
fn guards_that_are_alike_are_one_row_with_all_their_failures() {
    let mut run = Run::default();
    let failed = |path, failures| {
        let arm = Some(Arm::False);
        GuardCount { line: 6, column: 8, arm, to: 9, instead_of: Some(7), path: Some(path), failures }
    };
    for (nth, failures) in [[300, 20], [330, 100]].into_iter().enumerate() {
        let mut event = examples().into_iter().find(|event| matches!(event.what, What::GuardReport(_))).expect("one");
        event.time = Micros(1000 * (nth as u64 + 1));
        let What::GuardReport(report) = &mut event.what else { unreachable!("it was found as that") };
        report.worst = vec![failed(1, failures[0]), failed(3, failures[1])];
        run.events.push(event);
    }
    let data = data_in(&page(&run, None));
    let rows = data["guards"]["lines"].as_array().expect("rows");
    let told: Vec<_> = rows.iter().map(|row| (row["failures"].as_u64(), row["instead_of"].as_u64())).collect();
    assert_eq!(told, [(Some(320), Some(7)), (Some(110), Some(7))]);
}
