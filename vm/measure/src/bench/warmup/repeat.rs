//! Rewriting of a benchmark program to one that repeats its work.
//!
//! In: a program's text in some language. Out: its text with the line that prints `bench(n)` in an endless loop, with
//! the output flushed after each line. Invariant: nothing else of the program changes, so a unit of work is one call of
//! the function that the other measurements call once. Global state (the random seed) is carried from unit to unit, in
//! all languages alike.

use crate::bench::contender::Peer;

/// The language of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Language {
    /// Holloway's own.
    Holloway,
    /// That of a peer.
    Of(Peer),
}

/// The line that prints, and the text put before and after it.
struct Loop {
    /// The beginning of the line.
    line: &'static str,
    before: &'static str,
    after: &'static str,
}

impl Language {
    fn print_loop(self) -> Loop {
        let (line, before, after) = match self {
            // Reading input flushes the output; there is no input to wait for.
            Self::Holloway => ("print(bench(", "loop { ", "; input() }"),
            Self::Of(Peer::Gcc | Peer::Clang | Peer::Wasmtime) => {
                ("printf(\"%lld\\n\", (long long)bench(", "for (;;) { ", " fflush(stdout); }")
            }
            Self::Of(Peer::LuaJit) => {
                ("print(string.format(\"%d\", bench(", "while true do ", " io.stdout:flush() end")
            }
            // Node.js writes to pipes at once.
            Self::Of(Peer::Node) => ("console.log(String(bench(", "for (;;) ", ""),
            Self::Of(Peer::Java) => ("System.out.println(bench(", "for (;;) { ", " System.out.flush(); }"),
            Self::Of(Peer::PyPy) => ("print(bench(", "while True: ", "; sys.stdout.flush()"),
        };
        Loop { line, before, after }
    }
}

/// The given program, made to repeat.
pub(super) fn repeating(language: Language, text: &str) -> String {
    let Loop { line: wanted, before, after } = language.print_loop();
    let mut found = 0;
    let mut repeating = String::with_capacity(text.len() + before.len() + after.len());
    for line in text.lines() {
        let code = line.trim_start();
        if code.starts_with(wanted) {
            found += 1;
            let indent = &line[..line.len() - code.len()];
            repeating.extend([indent, before, code, after]);
        } else {
            repeating.push_str(line);
        }
        repeating.push('\n');
    }
    assert_eq!(found, 1, "benchmark programs print bench(n) in one line ({language:?})");
    repeating
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::embedded;

    fn text(path: &str) -> &'static str {
        std::str::from_utf8(embedded::file(path).expect("the file is embedded")).expect("programs are UTF-8")
    }

    #[test]
    fn every_program_repeats_in_every_language() {
        let changed = |language, text: &str| {
            let repeating = repeating(language, text);
            let lines: Vec<(&str, &str)> =
                text.lines().zip(repeating.lines()).filter(|(old, new)| old != new).collect();
            assert_eq!((lines.len(), text.lines().count()), (1, repeating.lines().count()));
            assert!(lines[0].1.contains(lines[0].0.trim()), "{lines:?}");
        };
        for name in embedded::program_names() {
            changed(Language::Holloway, text(&format!("{name}.hw")));
            for peer in [Peer::LuaJit, Peer::Node, Peer::Java, Peer::PyPy] {
                changed(Language::Of(peer), text(&format!("peers/programs/{name}.{}", peer.extension())));
            }
        }
        changed(Language::Of(Peer::Gcc), text("peers/lib/bench.h"));
    }

    #[test]
    fn one_line_is_wrapped() {
        let own = repeating(Language::Holloway, "fn main() {\n    print(bench(n))\n}\n");
        assert_eq!(own, "fn main() {\n    loop { print(bench(n)); input() }\n}\n");
        let java = repeating(Language::Of(Peer::Java), "        System.out.println(bench(1));\n");
        assert_eq!(java, "        for (;;) { System.out.println(bench(1)); System.out.flush(); }\n");
    }

    #[test]
    #[should_panic(expected = "print bench(n) in one line")]
    fn a_program_of_another_shape_is_our_mistake() {
        repeating(Language::Of(Peer::PyPy), "print(1)\n");
    }
}
