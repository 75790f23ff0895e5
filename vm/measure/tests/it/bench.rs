//! Measuring with a stand-in for the binary that is measured, and with the peers that are installed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use holloway::TierChoice;
use holloway_measure::bench::{
    self, BenchConfig, BenchError, Children, PeerChoice, Progress, Results, StartupConfig, WarmupConfig, json, report,
};
use holloway_measure::extent::{Rounds, SizeName};
use holloway_study::report::style::OutputFormat;
use serde_json::json;
use tempfile::TempDir;

/// A folder with a shell script that is run in place of `holloway`.
struct StandIn {
    folder: TempDir,
}

impl StandIn {
    fn new(script: &str) -> Self {
        let stand_in = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        fs::write(stand_in.path("holloway"), format!("#!/bin/sh\n{script}\n")).expect("the script is written");
        fs::set_permissions(stand_in.path("holloway"), fs::Permissions::from_mode(0o755))
            .expect("it is made executable");
        stand_in
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn config(&self, names: &[&str]) -> BenchConfig {
        BenchConfig {
            without: holloway_aos::Parts::NONE,
            programs: bench::select(&names.iter().map(ToString::to_string).collect::<Vec<_>>()).expect("known names"),
            size: SizeName::Small,
            tier: TierChoice::Interp,
            disabled_passes: Vec::new(),
            facts: None,
            peers: PeerChoice::None,
            rounds: Rounds::new(2).expect("not zero"),
            format: OutputFormat::Text,
            progress: Progress::Silent,
            executable: self.path("holloway"),
        }
    }

    fn measure(&self, names: &[&str]) -> Results {
        bench::measure(&self.config(names), &Children::default()).expect("nothing interrupts")
    }
}

/// Prints the checksums of fib and crc at size small, if its arguments are right.
const HONEST: &str = r#"
    [ "$1 $2 $3" = "run --tier interp" ] || { echo "asked for $*" >&2; exit 9; }
    grep -q 'fn main' "$4" || exit 8
    case "$(basename "$4") $5" in
        "crc.hw 30") echo 3210155466 ;;
        *) echo 7 ;;
    esac"#;

#[test]
fn a_right_checksum_is_measured_and_a_wrong_one_is_loud() {
    let results = StandIn::new(HONEST).measure(&["crc", "edn"]);
    let value = json::results(&results);
    assert_eq!(value["programs"][0]["results"]["holloway"]["seconds"].as_array().map(Vec::len), Some(2), "{value}");
    assert_eq!(report::faults(&results), ["edn: holloway WRONG CHECKSUM: expected 577142633, printed 7"]);
    assert_eq!((&value["ok"], &value["tier"], &value["size"]), (&json!(false), &json!("interp"), &json!("small")));
    assert!(report::render(&results).contains("FAILED"));
}

#[test]
fn a_program_that_dies_is_told_with_its_last_words() {
    let results = StandIn::new("echo 'holloway: oh no' >&2; exit 3").measure(&["crc"]);
    assert_eq!(report::faults(&results), ["crc: holloway ended with exit status: 3: holloway: oh no"]);
}

#[test]
fn an_interrupt_leaves_nothing_behind() {
    let stand_in = StandIn::new(
        "pwd > \"$(dirname \"$0\")/pwd.new\"; mv \"$(dirname \"$0\")/pwd.new\" \"$(dirname \"$0\")/pwd\"; sleep 1000",
    );
    let children = Children::default();
    let (interrupter, written) = (children.clone(), stand_in.path("pwd"));
    let thread = std::thread::spawn(move || {
        while !written.exists() {
            std::thread::yield_now();
        }
        let workspace = fs::read_to_string(&written).expect("the stand-in tells where it runs");
        assert!(Path::new(workspace.trim()).is_dir());
        interrupter.interrupt();
        workspace
    });
    let end = bench::measure(&stand_in.config(&["crc"]), &children);
    assert!(matches!(end, Err(BenchError::Interrupted)));
    let workspace = thread.join().expect("the workspace was there");
    assert!(!Path::new(workspace.trim()).exists());
}

#[test]
fn installed_peers_print_the_same_checksum() {
    let stand_in = StandIn::new(HONEST);
    let config = BenchConfig {
        peers: PeerChoice::Installed,
        rounds: Rounds::new(1).expect("not zero"),
        ..stand_in.config(&["crc"])
    };
    let results = bench::measure(&config, &Children::default()).expect("nothing interrupts");
    assert_eq!(report::faults(&results), [""; 0]);
    assert_eq!(results.contenders.len() + results.absent.len(), 8);
    let value = json::results(&results);
    if results.contenders.contains(&"gcc -O2") {
        assert_eq!(value["programs"][0]["results"]["gcc -O2"]["ratio"], json!(1.0));
        assert!(value["summary"]["holloway"]["geometric_mean"].is_number());
    }
}

#[test]
fn warm_up_is_measured_beside_installed_peers() {
    let stand_in = StandIn::new("[ \"$1 $2 $3 $5\" = 'run --tier baseline 20' ] && while :; do echo 6765; done");
    let config = WarmupConfig {
        programs: bench::select(&["fib".to_owned()]).expect("a known name"),
        tier: TierChoice::Baseline,
        disabled_passes: Vec::new(),
        rounds: Rounds::new(1).expect("not zero"),
        run: Duration::from_secs(1),
        format: OutputFormat::Text,
        progress: Progress::Silent,
        executable: stand_in.path("holloway"),
    };
    let results = bench::measure_warmup(&config, &Children::default()).expect("nothing interrupts");
    assert_eq!(results.faults().map(|(_, name, fault)| format!("{name} {fault}")).collect::<Vec<_>>(), [""; 0]);
    assert_eq!(results.contenders.len() + results.absent.len(), 5);
    let value = bench::warmup::report::json(&results);
    for name in &results.contenders {
        let result = &value["programs"][0]["results"][name];
        let is_measured = |what| result[what].as_f64().is_some_and(|seconds| seconds >= 0.0);
        assert!(is_measured("until_warm") && is_measured("steady"), "{value}");
    }
}

#[test]
fn startup_is_measured_beside_installed_peers() {
    let stand_in = StandIn::new("[ \"$*\" = '--tier baseline -e print(1)' ] && echo 1");
    let config = StartupConfig {
        tier: TierChoice::Baseline,
        rounds: Rounds::new(2).expect("not zero"),
        format: OutputFormat::Json,
        progress: Progress::Silent,
        executable: stand_in.path("holloway"),
    };
    let value = json::startup(&bench::measure_startup(&config, &Children::default()).expect("nothing interrupts"));
    assert_eq!(value["ok"], json!(true), "{value}");
    let own = &value["startup"]["holloway"];
    assert_eq!(own["command"], json!("holloway --tier baseline -e 'print(1)'"));
    assert_eq!(own["seconds"].as_array().map(Vec::len), Some(2));
}
