//! The programs in the language's reference compile and are formatted as they stand.

use super::common;
use holloway_lang::format::format;
use holloway_lang::session::{Input, NoFiles, Session, SessionKind};
use holloway_lang::source::SourceMap;

#[test]
fn programs_of_the_reference() {
    ["language.md", "data.md"].into_iter().for_each(check_page);
}

fn check_page(name: &str) {
    let path = format!("{}/../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(path).expect("the page");
    // After the opening fence stands `unformatted`, or nothing.
    let blocks = page.split("```holloway").skip(1).filter_map(|rest| rest.split("```").next()?.split_once('\n'));
    let programs: Vec<(&str, &str)> = blocks.collect();
    assert!(programs.len() >= 9, "only {} programs", programs.len());
    for (mark, program) in programs {
        let mut session = Session::new(SessionKind::Program);
        let input = Input { name, key: None, bytes: program.as_bytes() };
        if let Err(errors) = session.add(input, &mut NoFiles) {
            let shown: String = errors.iter().map(|error| common::render(session.sources(), error)).collect();
            panic!("{program}\n{shown}");
        }
        let mut map = SourceMap::new();
        let file = map.add(name, program);
        let formatted = format(&map, file).expect("a program");
        assert_eq!(formatted == program, mark != " unformatted", "{program}=>\n{formatted}");
    }
}
