//! The page as one file: the skeleton, styles, data and scripts put together.
//!
//! In: [`PageData`]. Out: HTML that needs nothing else. What is not ours gets in as the title, whose characters are escaped, and as JSON, in
//! which `<` is written as an escape: no text of a program ends the element that it stands in, or begins a comment.
//! Invariant: scripts get at texts of programs as values alone, and put them into the page as text.

use super::data::PageData;
use std::path::Path;

const SKELETON: &str = include_str!("assets/page.html");
const STYLE: &str = include_str!("assets/page.css");

/// The scripts, in order: each is a part of one program.
const SCRIPTS: [&str; 12] = [
    include_str!("assets/base.js"),
    include_str!("assets/chosen.js"),
    include_str!("assets/river.js"),
    include_str!("assets/paths.js"),
    include_str!("assets/decisions.js"),
    include_str!("assets/gains.js"),
    include_str!("assets/code.js"),
    include_str!("assets/guards.js"),
    include_str!("assets/compilation.js"),
    include_str!("assets/stacks.js"),
    include_str!("assets/compare.js"),
    include_str!("assets/start.js"),
];

/// The page of some data.
pub(super) fn page(data: &PageData) -> String {
    let json = serde_json::to_string(data).expect("plain data is JSON").replace('<', "\\u003c");
    let file = Path::new(&data.run.program).file_name().map_or_else(Default::default, |name| name.to_string_lossy());
    let title = escaped(&format!("{file} {}", data.run.args.join(" ")));
    // One pass over the skeleton: what is put in is not looked at again.
    let mut page = String::with_capacity(SKELETON.len() + STYLE.len() + json.len() + 200_000);
    let mut rest = SKELETON;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, behind) = after.split_once("}}").expect("a name ends");
        page.push_str(before);
        match name {
            "title" => page.push_str(title.trim()),
            "style" => page.push_str(STYLE),
            "data" => page.push_str(&json),
            "scripts" => page.push_str(&SCRIPTS.join("\n")),
            other => unreachable!("the skeleton names {other}"),
        }
        rest = behind;
    }
    page.push_str(rest);
    page
}

/// Text as HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
