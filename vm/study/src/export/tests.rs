//! Each format of a small run, read again by what reads it, or by its published rules.

use super::pprof::Profile;
use super::*;
use crate::run::Run;
use crate::run::record::{Doing, End, Frame, Function, Head, Sample, Source, Stack, Version};
use flate2::read::GzDecoder;
use holloway_aos::event::examples;
use holloway_aos::event_file;
use holloway_aos::input::BodyHash;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field as Cell;
use prost::Message;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::io::Read;

/// `main` calls `walk`, which calls itself and has another `main` inlined.
fn run() -> Run {
    let function = |name: &str, line| {
        let file = "walk.hw".to_owned();
        Function { name: name.to_owned(), file, line, last_line: line + 4, hash: BodyHash(line.into()) }
    };
    let version = |id, name: &str, function, tier: &str| Version {
        id,
        name: name.to_owned(),
        function,
        tier: tier.to_owned(),
        entry_line: None,
        bytes: 100,
    };
    let frame = |function, line, version, inlined| Frame { function, line, version, inlined };
    let stack = |doing, frames: &[u32]| Stack { doing, frames: frames.to_vec(), left_out: None };
    let sample = |at, weight, stack| Sample { at, weight, stack };
    let head = Head {
        program: "walk.hw".to_owned(),
        args: vec!["60".to_owned()],
        date: 1_000_000,
        hz: Some(1000),
        ..Head::default()
    };
    Run {
        head,
        sources: vec![Source { file: "walk.hw".to_owned(), text: "fn main() {}\n".repeat(20) }],
        functions: vec![function("main", 12), function("walk", 3), function("main", 8)],
        versions: vec![
            version(0, "main:12/baseline-1", 0, "baseline"),
            version(1, "walk/baseline-1", 1, "baseline"),
            version(2, "walk/trace-1", 1, "specialized"),
        ],
        frames: vec![frame(0, 13, 0, false), frame(1, 4, 1, false), frame(1, 5, 2, false), frame(2, 9, 2, true)],
        stacks: vec![
            stack(Doing::Code, &[0]),
            stack(Doing::Runtime, &[1, 1, 0]),
            stack(Doing::Code, &[3, 2, 0]),
            Stack { left_out: Some(1), ..stack(Doing::Code, &[1, 0]) },
            stack(Doing::Outside, &[]),
        ],
        samples: vec![
            sample(1000.25, 1000.25, 0),
            sample(2000.5, 1000.25, 1),
            sample(3000.75, 1000.25, 2),
            sample(4001.0, 1000.25, 2),
            sample(5001.4, 1000.4, 3),
            sample(6001.0, 999.6, 4),
        ],
        events: examples(),
        end: Some(End { cpu: 6100.0, sampled: 6001.0, lost: 0, status: 0 }),
        ..Run::default()
    }
}

/// The time that the samples stand for, in microseconds.
const TOTAL: f64 = 6001.0;

fn json(format: Format) -> Value {
    serde_json::from_slice(&bytes(&run(), format).unwrap()).unwrap()
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn is_total(sum: f64) -> bool {
    (sum - TOTAL).abs() < 1e-6
}

/// The strings that a column of a table refers to.
fn indices(column: &Value) -> Vec<usize> {
    column.as_array().unwrap().iter().filter_map(Value::as_u64).map(|at| at as usize).collect()
}

#[test]
fn tables_of_the_firefox_profiler_are_sound() {
    let profile = json(Format::Firefox);
    let threads = profile["threads"].as_array().unwrap();
    assert_eq!(
        threads.iter().map(|thread| thread["name"].as_str().unwrap()).collect::<Vec<_>>(),
        ["walk.hw", "Compiler"]
    );
    let categories = profile["meta"]["categories"].as_array().unwrap();
    for thread in threads {
        let length = |table: &str| thread[table]["length"].as_u64().unwrap() as usize;
        for table in ["samples", "stackTable", "frameTable", "funcTable", "markers", "resourceTable", "nativeSymbols"] {
            for (name, column) in thread[table].as_object().unwrap() {
                let rows = column.as_array().map_or(length(table), Vec::len);
                assert_eq!(rows, length(table), "{table}.{name}");
            }
        }
        let strings = thread["stringArray"].as_array().unwrap();
        assert_eq!(strings.iter().collect::<HashSet<_>>().len(), strings.len());
        for (table, column, target) in [
            ("samples", "stack", length("stackTable")),
            ("stackTable", "frame", length("frameTable")),
            ("frameTable", "func", length("funcTable")),
            ("frameTable", "category", categories.len()),
            ("funcTable", "name", strings.len()),
            ("funcTable", "fileName", strings.len()),
            ("markers", "name", strings.len()),
            ("markers", "category", categories.len()),
        ] {
            assert!(indices(&thread[table][column]).into_iter().all(|at| at < target), "{table}.{column}");
        }
        let prefixes = thread["stackTable"]["prefix"].as_array().unwrap();
        assert!(
            prefixes.iter().enumerate().all(|(at, prefix)| prefix.as_u64().is_none_or(|prefix| prefix < at as u64))
        );
    }
}

#[test]
fn the_firefox_profiler_sees_versions_and_lines() {
    let profile = json(Format::Firefox);
    let program = &profile["threads"][0];
    assert!(is_total(1e3 * floats(&program["samples"]["weight"]).iter().sum::<f64>()));
    assert!(is_total(1e3 * floats(&program["samples"]["timeDeltas"]).iter().sum::<f64>()));
    // The third sample is in the function that is inlined into the trace.
    let (frames, functions, strings) = (&program["frameTable"], &program["funcTable"], &program["stringArray"]);
    let at = |column: &Value, row: usize| column[row].as_u64().unwrap() as usize;
    let frame = at(&program["stackTable"]["frame"], at(&program["samples"]["stack"], 2));
    assert_eq!((&frames["line"][frame], &frames["inlineDepth"][frame]), (&9.into(), &1.into()));
    let category = &profile["meta"]["categories"][at(&frames["category"], frame)];
    assert_eq!(category["name"], "specialized");
    assert_eq!(category["subcategories"][at(&frames["subcategory"], frame)], "walk/trace-1");
    let function = at(&frames["func"], frame);
    assert_eq!(strings[at(&functions["name"], function)], "main:8");
    assert_eq!(strings[at(&functions["fileName"], function)], "walk.hw");
}

#[test]
fn the_firefox_profiler_sees_decisions() {
    let profile = json(Format::Firefox);
    let marked = |thread: usize| {
        let thread = &profile["threads"][thread];
        let names = indices(&thread["markers"]["name"]).into_iter();
        names.map(|name| thread["stringArray"][name].as_str().unwrap().to_owned()).collect::<HashSet<_>>()
    };
    let made = marked(0);
    for kind in ["installed", "osr", "dropped", "considered", "transition", "persistent", "failing guards", "gain"] {
        assert!(made.contains(kind), "{kind} is not among {made:?}");
    }
    assert_eq!(marked(1).into_iter().collect::<Vec<_>>(), ["compile"]);
    let compiled = &profile["threads"][1]["markers"];
    assert_eq!((&compiled["startTime"][0], &compiled["endTime"][0]), (&1.005.into(), &1.59.into()));
}

#[test]
fn speedscope_has_a_weight_for_each_sample() {
    let file = json(Format::Speedscope);
    assert_eq!(file["$schema"], "https://www.speedscope.app/file-format-schema.json");
    let frames = file["shared"]["frames"].as_array().unwrap();
    assert!(frames.iter().all(|frame| frame["name"].is_string()));
    let names: HashSet<&str> = frames.iter().map(|frame| frame["name"].as_str().unwrap()).collect();
    assert!(names.len() == frames.len() && names.contains("walk [specialized]") && names.contains("(runtime)"));
    let profile = &file["profiles"][file["activeProfileIndex"].as_u64().unwrap() as usize];
    assert_eq!((profile["type"].as_str(), profile["unit"].as_str()), (Some("sampled"), Some("microseconds")));
    let (samples, weights) = (profile["samples"].as_array().unwrap(), floats(&profile["weights"]));
    assert_eq!(samples.len(), weights.len());
    assert!(samples.iter().all(|stack| indices(stack).iter().all(|frame| *frame < frames.len())));
    assert!(is_total(weights.iter().sum()) && is_total(profile["endValue"].as_f64().unwrap()));
    let outermost = samples[2][0].as_u64().unwrap() as usize;
    assert_eq!(frames[outermost]["name"], "main:12 [baseline]");
}

#[test]
fn pprof_decodes_and_its_indices_are_of_tables() {
    let mut protobuf = Vec::new();
    let compressed = bytes(&run(), Format::Pprof).unwrap();
    GzDecoder::new(compressed.as_slice()).read_to_end(&mut protobuf).unwrap();
    let profile = Profile::decode(protobuf.as_slice()).unwrap();
    let text = |at: i64| profile.string_table[at as usize].as_str();
    assert_eq!(text(0), "");
    let types: Vec<_> = profile.sample_type.iter().map(|kind| (text(kind.kind), text(kind.unit))).collect();
    assert_eq!(types, [("samples", "count"), ("cpu", "nanoseconds")]);
    let functions: BTreeMap<u64, _> = profile.function.iter().map(|function| (function.id, function)).collect();
    let locations: BTreeMap<u64, _> = profile.location.iter().map(|location| (location.id, location)).collect();
    assert!(!functions.contains_key(&0) && !locations.contains_key(&0));
    let sum = |at: usize| profile.sample.iter().map(|sample| sample.value[at]).sum::<i64>();
    assert_eq!((sum(0), sum(1)), (6, (TOTAL * 1e3) as i64));
    let stack = |sample: &super::pprof::Sample| -> Vec<Vec<(&str, i64)>> {
        let lines =
            |id: &u64| locations[id].line.iter().map(|line| (text(functions[&line.function_id].name), line.line));
        sample.location_id.iter().map(|id| lines(id).collect()).collect()
    };
    let in_trace = profile.sample.iter().find(|sample| sample.value[0] == 2).unwrap();
    assert_eq!(stack(in_trace), [vec![("main", 9), ("walk", 5)], vec![("main", 13)]]);
    let labels: Vec<_> = in_trace.label.iter().map(|label| (text(label.key), text(label.text))).collect();
    assert_eq!(labels, [("doing", "code"), ("tier", "specialized"), ("version", "walk/trace-1")]);
}

#[test]
fn folded_stacks_are_read_by_inferno() {
    let text = String::from_utf8(bytes(&run(), Format::Folded).unwrap()).unwrap();
    let lines: Vec<(&str, u64)> = text
        .lines()
        .map(|line| line.rsplit_once(' ').map(|(stack, weight)| (stack, weight.parse().unwrap())).unwrap())
        .collect();
    assert_eq!(lines.iter().map(|(_, weight)| weight).sum::<u64>(), TOTAL as u64);
    let in_trace = "main:12 [baseline];walk [specialized];main:8 [specialized]";
    assert!(lines.contains(&(in_trace, 2000)), "{text}");
    assert!(text.contains("main:12 [baseline];(frames left out);walk [baseline] 1000\n"), "{text}");
    let mut svg = Vec::new();
    let options = &mut inferno::flamegraph::Options::default();
    inferno::flamegraph::from_lines(options, text.lines(), &mut svg).unwrap();
}

#[test]
fn the_flame_graph_is_well_formed_and_whole() {
    let svg = String::from_utf8(bytes(&run(), Format::Flamegraph).unwrap()).unwrap();
    let mut open = Vec::new();
    let mut reader = quick_xml::Reader::from_str(&svg);
    let mut titles = Vec::new();
    loop {
        match reader.read_event().expect("it is well-formed") {
            quick_xml::events::Event::Start(tag) => open.push(tag.name().as_ref().to_vec()),
            quick_xml::events::Event::End(tag) => assert_eq!(open.pop().as_deref(), Some(tag.name().as_ref())),
            quick_xml::events::Event::Text(text) if open.last().is_some_and(|tag| tag == b"title") => {
                titles.push(String::from_utf8_lossy(text.as_ref()).into_owned());
            }
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty());
    assert!(titles.iter().any(|title| title.starts_with("all (6,001 ")), "{titles:?}");
    assert!(svg.contains("rgb(190,156,216)"), "the trace has the colour of its tier");
}

#[test]
fn trace_events_read_back_and_spans_do_not_overlap() {
    let text = String::from_utf8(bytes(&run(), Format::Chrome).unwrap()).unwrap();
    assert_eq!(event_file::read(&text).unwrap(), examples());
    let all: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut ends: BTreeMap<u64, f64> = BTreeMap::new();
    let mut time = 0.0;
    let mut open = HashSet::new();
    for event in &all {
        match event["ph"].as_str().unwrap() {
            "X" => {
                let (began, lasted) = (event["ts"].as_f64().unwrap(), event["dur"].as_f64().unwrap());
                let end = ends.entry(event["tid"].as_u64().unwrap()).or_default();
                assert!(lasted >= 0.0 && began >= *end, "{event}");
                *end = began + lasted;
                time += event["args"]["cpu_us"].as_f64().unwrap();
            }
            "b" => assert!(open.insert(event["id"].as_u64().unwrap())),
            "e" => assert!(open.remove(&event["id"].as_u64().unwrap())),
            _ => {}
        }
    }
    assert!(open.is_empty(), "compilations that do not end: {open:?}");
    assert!(is_total(time + 999.6), "all but the time outside of the program's code");
    assert!(all.iter().any(|event| event["ph"] == "C" && event["name"] == "guards of walk:5"));
}

/// The tables of a run.
const TABLES: [&str; 7] = ["runs", "functions", "versions", "lines", "samples", "loops", "events"];

/// A table as it is read back: rows by column.
fn table(folder: &std::path::Path, name: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = ::csv::Reader::from_path(folder.join(format!("{name}.csv"))).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

#[test]
fn tables_read_back_and_tell_the_same_run() {
    let folder = tempfile::tempdir().unwrap();
    write_tables(&run(), TableFormat::Csv, folder.path()).unwrap();
    let all: BTreeMap<&str, _> = TABLES.into_iter().map(|name| (name, table(folder.path(), name))).collect();
    let keys: HashSet<_> = all.values().flatten().map(|row| (&row["run"], &row["program_hash"])).collect();
    assert_eq!(keys.len(), 1);
    let sum = |table: &str, column: &str| all[table].iter().map(|row| row[column].parse::<f64>().unwrap()).sum::<f64>();
    assert!(is_total(sum("samples", "weight_us")) && is_total(sum("runs", "sampled_us")));
    for table in ["functions", "versions", "lines"] {
        assert!(is_total(sum(table, "own_us") + 999.6), "{table}");
        assert_eq!(sum(table, "samples"), 5.0);
    }
    assert_eq!(all["events"].len(), examples().len());
    let details: holloway_aos::Event = serde_json::from_str(&all["events"][0]["details"]).unwrap();
    assert_eq!(details, examples()[0]);
    assert!(all["loops"].iter().any(|row| row["loop_line"] == "5" && row["function"] == "walk"));
    assert_eq!(all["samples"][2]["stack"], "main:12 [baseline];walk [specialized];main:8 [specialized]");
}

/// The rows of a table in a Parquet file as text, `null` for what is unknown.
fn parquet_rows(folder: &std::path::Path, name: &str) -> Vec<BTreeMap<String, Option<String>>> {
    let file = std::fs::File::open(folder.join(format!("{name}.parquet"))).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let cell = |(name, cell): (&String, &Cell)| {
        let text = match cell {
            Cell::Null => None,
            Cell::Str(text) => Some(text.clone()),
            Cell::Double(number) => Some(number.to_string()),
            other => Some(other.to_string()),
        };
        (name.clone(), text)
    };
    reader.get_row_iter(None).unwrap().map(|row| row.unwrap().get_column_iter().map(cell).collect()).collect()
}

#[test]
fn tables_have_the_same_cells_as_text_and_with_types() {
    let folder = tempfile::tempdir().unwrap();
    TableFormat::ALL.into_iter().for_each(|format| write_tables(&run(), format, folder.path()).unwrap());
    for name in TABLES {
        let known = |(name, cell): (String, String)| (name, Some(cell).filter(|cell| !cell.is_empty()));
        let text = table(folder.path(), name).into_iter().map(|row| row.into_iter().map(known).collect());
        assert_eq!(parquet_rows(folder.path(), name), text.collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn a_run_without_samples_has_its_decisions() {
    let run = Run { samples: Vec::new(), ..run() };
    for format in Format::ALL {
        assert_eq!(bytes(&run, format).is_ok(), format == Format::Chrome, "{}", format.name());
    }
    let refusal = bytes(&run, Format::Pprof).unwrap_err().to_string();
    assert!(refusal.contains("--to chrome"), "{refusal}");
}
