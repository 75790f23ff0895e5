//! A profile for the Firefox profiler.
//!
//! In: a [`Run`]. Out: JSON in its processed form: samples on a thread for the program, categories for tiers with a subcategory for each version,
//! and decisions as markers on the thread that they were made or carried out on. `fxprof-processed-profile` makes the file with its markers; the samples' tables
//! are made here, as that crate has no lines, no inlined functions and no fractions of a millisecond. Invariant: times are CPU time of the program's thread in
//! milliseconds.

mod tables;

use super::decisions::{Decision, decisions};
use crate::run::Run;
use fxprof_processed_profile::{
    CategoryColor, CategoryHandle, MarkerFieldFlags, MarkerFieldFormat, MarkerLocations, MarkerTiming, Profile,
    ReferenceTimestamp, SamplingInterval, StaticSchemaMarker, StaticSchemaMarkerField, StringHandle, Timestamp,
};
use holloway_aos::event::Thread;
use std::collections::HashMap;
use std::io;
use std::time::Duration;
use tables::CATEGORIES;

/// Samples a second, where a run does not say.
const HZ: u32 = 1000;

/// The profile of a run.
pub(super) fn bytes(run: &Run) -> io::Result<Vec<u8>> {
    let head = &run.head;
    let date = ReferenceTimestamp::from_duration_since_unix_epoch(Duration::from_secs(head.date));
    let program = head.program.as_str();
    let interval = SamplingInterval::from_hz(head.hz.unwrap_or(HZ).max(1) as f32);
    let mut profile = Profile::new(&format!("Holloway: {program}"), date, interval);
    profile.set_os_name(&head.host);
    profile.set_symbolicated(true);
    let categories = categories(run, &mut profile);
    let process = profile.add_process(program, 1, at(0.0));
    let end = run.end_of_time();
    profile.set_process_end_time(process, at(end));
    let mut threads = HashMap::new();
    for (thread, tid, name) in [(Thread::Program, 1, program), (Thread::Compiler, 2, "Compiler")] {
        let handle = profile.add_thread(process, tid, at(0.0), thread == Thread::Program);
        profile.set_thread_name(handle, name);
        profile.set_thread_end_time(handle, at(end));
        profile.set_thread_show_markers_in_timeline(handle, true);
        profile.add_initial_visible_thread(handle);
        threads.insert(thread as u32, handle);
    }
    profile.add_initial_selected_thread(threads[&(Thread::Program as u32)]);
    for decision in decisions(run) {
        let timing = match decision.end {
            Some(end) => MarkerTiming::Interval(at(decision.at), at(end)),
            None => MarkerTiming::Instant(at(decision.at)),
        };
        let marker = DecisionMarker::of(&decision, &categories, &mut profile);
        profile.add_marker(threads[&(decision.thread as u32)], timing, marker);
    }
    let mut json = serde_json::to_value(&profile)?;
    let threads = json["threads"].as_array_mut().into_iter().flatten();
    for thread in threads.filter(|thread| thread["isMainThread"] == true) {
        tables::fill(run, thread);
    }
    Ok(serde_json::to_vec(&json)?)
}

fn at(micros: f64) -> Timestamp {
    Timestamp::from_nanos_since_reference((micros * 1e3).max(0.0) as u64)
}

/// Adds the categories: that of nothing, which every profile has, then [`CATEGORIES`] in order, each version a subcategory of its tier.
fn categories(run: &Run, profile: &mut Profile) -> HashMap<&'static str, CategoryHandle> {
    let mut handles = HashMap::new();
    for name in CATEGORIES {
        let category = profile.add_category(name, color(name));
        for version in run.versions.iter().filter(|version| version.tier == name) {
            profile.add_subcategory(category, &version.name);
        }
        handles.insert(name, category);
    }
    handles
}

fn color(category: &str) -> CategoryColor {
    match category {
        "baseline" => CategoryColor::Yellow,
        "profiled" => CategoryColor::Blue,
        "optimized" => CategoryColor::Green,
        "specialized" => CategoryColor::Purple,
        "runtime" => CategoryColor::Orange,
        _ => CategoryColor::Gray,
    }
}

/// A decision as a marker.
struct DecisionMarker {
    name: StringHandle,
    category: CategoryHandle,
    subject: StringHandle,
    text: StringHandle,
}

impl DecisionMarker {
    fn of(decision: &Decision, categories: &HashMap<&str, CategoryHandle>, profile: &mut Profile) -> DecisionMarker {
        let tier = decision.tier.and_then(|tier| categories.get(tier.name()));
        DecisionMarker {
            name: profile.intern_string(decision.kind),
            category: tier.copied().unwrap_or(CategoryHandle::OTHER),
            subject: profile.intern_string(&decision.subject),
            text: profile.intern_string(&decision.text),
        }
    }
}

impl StaticSchemaMarker for DecisionMarker {
    const UNIQUE_MARKER_TYPE_NAME: &'static str = "holloway-decision";
    const DESCRIPTION: Option<&'static str> = Some("What the adaptive system decided or did");
    const LOCATIONS: MarkerLocations =
        MarkerLocations::MARKER_CHART.union(MarkerLocations::MARKER_TABLE).union(MarkerLocations::TIMELINE_OVERVIEW);
    const CHART_LABEL: Option<&'static str> = Some("{marker.data.subject}");
    const TOOLTIP_LABEL: Option<&'static str> = Some("{marker.name}: {marker.data.subject}");
    const TABLE_LABEL: Option<&'static str> = Some("{marker.data.subject}: {marker.data.text}");
    const FIELDS: &'static [StaticSchemaMarkerField] = &[
        StaticSchemaMarkerField {
            key: "subject",
            label: "About",
            format: MarkerFieldFormat::String,
            flags: MarkerFieldFlags::SEARCHABLE,
        },
        StaticSchemaMarkerField {
            key: "text",
            label: "What",
            format: MarkerFieldFormat::String,
            flags: MarkerFieldFlags::SEARCHABLE,
        },
    ];

    fn name(&self, _: &mut Profile) -> StringHandle {
        self.name
    }

    fn category(&self, _: &mut Profile) -> CategoryHandle {
        self.category
    }

    fn string_field_value(&self, field: u32) -> StringHandle {
        if field == 0 { self.subject } else { self.text }
    }

    fn number_field_value(&self, _: u32) -> f64 {
        unreachable!("no field is a number")
    }
}
