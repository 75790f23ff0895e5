//! The pages of errors and warnings, `docs/codes/*.md`: each code has one, each wrong program gives its code and nothing
//! else, each right one gives nothing.

use std::fmt::Write;

use holloway_lang::codes;
use holloway_lang::session::{Input, Loader, Resolved, Session, SessionKind};

/// The files that programs of the pages import.
struct Shelf;

impl Loader for Shelf {
    fn resolve(&mut self, _: Option<&str>, path: &str) -> Result<Resolved, String> {
        match path {
            "geometry.hw" | "cycle.hw" | "main.hw" => Ok(Resolved { key: path.to_owned(), name: path.to_owned() }),
            _ => Err("no such file".to_owned()),
        }
    }

    fn read(&mut self, key: &str) -> Result<Vec<u8>, String> {
        Ok(match key {
            "geometry.hw" => b"fn area(w: int, h: int) -> int { return w * h }\n".to_vec(),
            _ => b"import \"main.hw\"\n".to_vec(),
        })
    }
}

/// The pages as code and text.
fn pages() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/codes");
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder of pages") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a page");
        for section in text.split("\n## ").skip(1) {
            let (code, text) = section.split_once(": ").expect("a section begins with a code and a title");
            pages.push((code.to_owned(), text.to_owned()));
        }
    }
    pages.sort();
    pages
}

/// The codes that a program gives.
fn codes_of(program: &str) -> Vec<String> {
    let mut session = Session::new(SessionKind::Program);
    let input = Input { name: "main.hw", key: Some("main.hw"), bytes: program.as_bytes() };
    let found = session.diagnose(input, &mut Shelf);
    found.iter().map(|found| found.kind.code().to_string()).collect()
}

#[test]
fn every_code_has_one_page() {
    let all: Vec<String> = codes::all().map(|code| code.to_string()).collect();
    let pages: Vec<String> = pages().into_iter().map(|(code, _)| code).collect();
    assert_eq!(pages, all);
}

#[test]
fn programs_of_pages_give_what_they_say() {
    let mut wrong = String::new();
    let mut count = 0;
    for (code, text) in pages() {
        for block in text.split("```holloway ").skip(1) {
            let (kind, program) = block.split_once('\n').expect("a kind of program");
            let program = program.split("```").next().expect("a program");
            let found = codes_of(program);
            let is_right = match kind {
                "wrong" => !found.is_empty() && found.iter().all(|found| *found == code),
                "right" => found.is_empty(),
                other => panic!("{code}: {other}"),
            };
            if !is_right {
                writeln!(wrong, "{code} {kind}: {found:?}\n{program}").unwrap();
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 180, "{count} programs");
}
