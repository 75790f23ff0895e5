//! The programs in the language's reference compile and are formatted as they stand.

use super::common;
use holloway_lang::format::format;
use holloway_lang::session::{Input, NoFiles, Session, SessionKind};
use holloway_lang::source::SourceMap;

#[test]
fn programs_of_the_reference() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/language.md")).expect("the page");
    // After the opening fence stands `unformatted`, or nothing.
    let blocks = page.split("```holloway").skip(1).filter_map(|rest| rest.split("```").next()?.split_once('\n'));
    let programs: Vec<(&str, &str)> = blocks.collect();
    assert!(programs.len() >= 9, "only {} programs", programs.len());
    for (mark, program) in programs {
        let mut session = Session::new(SessionKind::Program);
        let input = Input { name: "language.md", key: None, bytes: program.as_bytes() };
        if let Err(errors) = session.add(input, &mut NoFiles) {
            let shown: String = errors.iter().map(|error| common::render(session.sources(), error)).collect();
            panic!("{program}\n{shown}");
        }
        let mut map = SourceMap::new();
        let file = map.add("language.md", program);
        let formatted = format(&map, file).expect("a program");
        assert_eq!(formatted == program, mark != " unformatted", "{program}=>\n{formatted}");
    }
}
