//! `report`, as a person meets it: the file, refusals, and the page in a browser.
//!
//! In: recorded runs of small programs. Out: checks of what is written, and of the page in headless Chromium, whose every panel is clicked in. Without
//! a browser that part says so and passes: everything else about the page is tested without one.

use crate::command::{done, succeeds};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A loop whose paths repeat and then change, calls, and texts that look like markup.
const PROGRAM: &str = "\
// </script><script>console.error('markup')</script> \"quotes\" <!--
fn step(kind: int, x: int) -> int {
    if kind == 0 { return x + 1 }
    if kind == 1 { return x * 3 % 1000003 }
    return x - 7
}
fn work(n: int, phase: int) -> int {
    var sum = 0
    for i in 0..n {
        let kind = if phase == 0 { i % 2 } else { i % 3 }
        sum += step(kind, sum)
    }
    return sum
}
fn main() {
    var sum = 0
    for round in 0..60 { sum += work(400_000, round / 30) }
    print(\"</script>\", sum)
}
";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("steps.hw"), PROGRAM).expect("it is written");
    folder
}

fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"run\">").expect("the data is there");
    serde_json::from_str(rest.split_once("</script>").expect("it ends").0).expect("it is JSON")
}

#[test]
fn the_page_tells_of_the_run() {
    let folder = folder();
    let at = folder.path();
    succeeds(at, &["run", "--save", "run.hwrun", "steps.hw"]);
    assert_eq!(succeeds(at, &["report", "run.hwrun"]), "");
    let page = std::fs::read_to_string(at.join("report.html")).expect("it is written");
    assert_eq!(succeeds(at, &["report", "run.hwrun", "-o", "-"]), page);
    assert!(!page.contains("console.error('markup')</script>"));
    for outside in ["http://", "https://", "src=", "@import", "url(h"] {
        let (styles, _) = page.split_once("<script type=\"application/json\"").expect("the data is there");
        assert!(!styles.contains(outside), "the page loads something: {outside}");
    }
    let data = data(&page);
    let columns: f64 = data["river"]["bands"]
        .as_array()
        .expect("bands")
        .iter()
        .flat_map(|band| band["series"].as_array().expect("series"))
        .flat_map(|series| series["micros"].as_array().expect("times"))
        .map(|micros| micros.as_f64().expect("a time"))
        .sum();
    let sampled = data["run"]["sampled"].as_f64().expect("a time");
    assert!((columns - sampled).abs() < 200.0, "{columns} and {sampled}");
    assert!(data["functions"].as_array().expect("functions").iter().any(|row| row["name"] == "work"));
    assert_eq!(data["sources"][0]["text"], PROGRAM);
    // What is added between instructions, such as moves, belongs to the line that it follows.
    let codes = data["code"].as_array().expect("code");
    assert!(!codes.is_empty());
    for code in codes {
        let rows = code["instructions"].as_array().expect("instructions");
        let behind_entry = rows.iter().skip_while(|row| row[4].is_null());
        let without: Vec<&Value> = behind_entry.filter(|row| row[4].is_null()).collect();
        assert!(without.is_empty(), "no line is known of {without:?}");
    }
}

#[test]
fn what_is_no_run_and_what_would_be_lost_is_refused() {
    let folder = folder();
    let at = folder.path();
    let refused = |args: &[&str]| {
        let done = done(at, args);
        (done.status, done.err)
    };
    let (status, error) = refused(&["report", "none.hwrun"]);
    assert_eq!(status, 66);
    assert!(error.contains("there is no such file") && error.contains("run --save"), "{error}");
    let (status, error) = refused(&["report", "steps.hw"]);
    assert_eq!(status, 65);
    assert!(error.contains("no recorded run"), "{error}");
    succeeds(at, &["run", "--save", "run.hwrun", "steps.hw"]);
    for (output, what) in [("run.hwrun", "which this command reads"), ("steps.hw", "which is a program")] {
        let (status, error) = refused(&["report", "run.hwrun", "-o", output]);
        assert_eq!(status, 64, "{error}");
        assert!(error.contains(what), "{error}");
    }
    let (status, error) = refused(&["report", "run.hwrun", "-o", "none/page.html"]);
    assert_eq!(status, 1);
    assert!(error.contains("cannot write none/page.html"), "{error}");
    assert_eq!(refused(&["report"]).0, 64);
}

/// A browser, if there is one.
fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.iter().flat_map(|folder| names.map(|name| folder.join(name))).find(|file| file.is_file())
}

/// Opens a page at a width, with the script that clicks in it, and returns what that found.
fn clicked(browser: &Path, folder: &Path, page: &str, width: u32) -> Value {
    const CATCHES: &str = "<script>const errors = []; const before = console.error; console.error = (...all) => { errors.push(all.map(String).join(' ')); \
        before(...all); }; addEventListener('error', (event) => errors.push(event.message)); \
        addEventListener('securitypolicyviolation', (event) => errors.push(`policy: ${event.violatedDirective}`));</script>";
    let clicks = include_str!("../page/clicks.js");
    let page = page.replacen("<head>", &format!("<head>{CATCHES}"), 1);
    let (before, after) = page.rsplit_once("</body>").expect("a body ends");
    let file = folder.join(format!("clicked-{width}.html"));
    std::fs::write(&file, format!("{before}<script>{clicks}</script></body>{after}")).expect("it is written");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"])
        .args(["--virtual-time-budget=60000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("--window-size={width},900"))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("the browser runs");
    let dom = String::from_utf8_lossy(&output.stdout);
    let (_, rest) = dom
        .split_once("data-result=\"")
        .unwrap_or_else(|| panic!("the script did not end: {}", String::from_utf8_lossy(&output.stderr)));
    let text = rest
        .split_once('"')
        .expect("an attribute ends")
        .0
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">");
    serde_json::from_str(&text.replace("&amp;", "&")).expect("it is JSON")
}

#[test]
fn every_panel_can_be_used_without_an_error() {
    let Some(browser) = chromium() else {
        eprintln!("no Chromium on the path: the page is not opened");
        return;
    };
    let folder = folder();
    let at = folder.path();
    succeeds(at, &["explain", "--save", "demo.hwrun"]);
    succeeds(at, &["explain", "--save", "other.hwrun"]);
    succeeds(at, &["run", "--save", "steps.hwrun", "steps.hw"]);
    succeeds(at, &["run", "--save", "sync.hwrun", "--sync-compile", "steps.hw"]);
    for (runs, widths) in
        [(&["demo.hwrun", "other.hwrun"][..], &[1600, 500][..]), (&["steps.hwrun"], &[900]), (&["sync.hwrun"], &[900])]
    {
        let page = succeeds(at, &[&["report", "-o", "-"], runs].concat());
        for width in widths {
            let found = clicked(&browser, at, &page, *width);
            assert_eq!(found["errors"], serde_json::json!([]), "{runs:?} at {width}");
            let panels = found["panels"].as_object().expect("panels");
            assert!(panels.len() >= 10 && panels.values().all(|length| length.as_u64() > Some(20)), "{panels:?}");
            if runs[0] == "demo.hwrun" {
                for panel in
                    ["river", "paths", "decisions", "gains", "code", "guards", "compilation", "stacks", "compare"]
                {
                    assert!(
                        found["clicks"][panel].as_u64() > Some(0),
                        "{panel} was not clicked in: {}",
                        found["clicks"]
                    );
                }
            }
        }
    }
}
