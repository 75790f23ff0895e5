//! Work on strings and bytes.

use super::contribution::Shape;
use crate::r#gen::Gen;
use crate::ty::Ty;

impl Gen {
    pub(super) fn fizz(&mut self) -> Shape {
        let (name, n) = (self.fresh_named("fizz"), self.rounds(5, 40));
        let test = self.test_hole(&[("i", Ty::Int)], 2);
        let (a, b) = (self.number(2, 4), self.number(3, 6));
        let text = Self::fill(
            "
fn $name$(i: int) -> str {
    var s = \"\"
    if i % $a$ == 0 { s += \"fizz\" }
    if i % $b$ == 0 { s += \"buzz\" }
    if $test$ { s = s + \"!\" }
    return if s == \"\" { str(i) } else { s }
}
",
            &[("name", name.clone()), ("a", a), ("b", b), ("test", test)],
        );
        let driver = format!("for i in 0..{n} {{ write({name}(i), \" \") }}\nprint()");
        Shape { items: vec![text], driver, cost: (n * 60) as u64 }
    }

    /// Splits a text at blanks and counts its words.
    pub(super) fn words(&mut self) -> Shape {
        let (word, name) = (self.fresh_named("Word"), self.fresh_named("count_words"));
        let text = Self::fill(
            "
struct $word$ { text: str, count: int, next: $word$? }

fn $name$(line: str) -> $word$? {
    var words: $word$? = none
    var start = 0
    for i in 0..=len(line) {
        if i < len(line) && line[i] != ' ' { continue }
        let text = line[start..i]
        start = i + 1
        if text == \"\" { continue }
        var at = words
        while let known = at {
            if known.text == text {
                known.count += 1
                break
            }
            at = known.next
        }
        if at == none { words = $word$(text: text, count: 1, next: words) }
    }
    return words
}
",
            &[("word", word), ("name", name.clone())],
        );
        let line =
            *self.rng.pick(&["the lane and the feet and the lane", " a b a  c a ", "", "x", "one two one two three"]);
        let list = self.fresh_named("words");
        let driver = format!(
            "var {list} = {name}(\"{line}\")\nwhile let each = {list} {{\n    print(each.text, each.count)\n    \
             {list} = each.next\n}}"
        );
        Shape { items: vec![text], driver, cost: 2500 }
    }

    /// Changes bytes in place and reads them back as text.
    pub(super) fn cipher(&mut self) -> Shape {
        let (name, rounds) = (self.fresh_named("cipher"), self.rounds(1, 12));
        let vars = [("c", Ty::Int), ("i", Ty::Int), ("key", Ty::Int)];
        let change = self.hole(&Ty::Int, &vars, 2);
        let text = Self::fill(
            "
fn $name$(s: str, key: int) -> str {
    let b = bytes(s)
    for i in 0..len(b) {
        let c = b[i]
        if c >= 'a' && c <= 'z' {
            b[i] = 'a' + (c - 'a' + key) % 26
        } else if c != ' ' {
            b[i] = $change$
        }
    }
    return text(b, 0, len(b))
}
",
            &[("name", name.clone()), ("change", change)],
        );
        let s = self.fresh_named("secret");
        let driver = format!(
            "var {s} = \"worn deep, Feet 42\"\nfor i in 0..{rounds} {{ {s} = {name}({s}, i + 3) }}\n\
             print(\"cipher\", len({s}), bytes({s}))"
        );
        Shape { items: vec![text], driver, cost: (rounds * 20 * 40) as u64 + 100 }
    }

    /// Numbers to text and back in a base.
    pub(super) fn digits(&mut self) -> Shape {
        let (write, read, n) = (self.fresh_named("in_base"), self.fresh_named("from_base"), self.rounds(2, 14));
        let (base, value) = (self.number(2, 16), self.hole(&Ty::Int, &[("i", Ty::Int)], 2));
        let text = Self::fill(
            "
fn $write$(n: int, base: int) -> str {
    if n < 0 { return \"-\" + $write$(-(n % 1000000), base) }
    var s = \"\"
    var rest = n % 1000000
    while rest != 0 {
        s = \"0123456789abcdef\"[rest % base..=rest % base] + s
        rest /= base
    }
    if len(s) == 0 { return \"0\" }
    return s
}

fn $read$(s: str, base: int) -> int {
    var n = 0
    for c in s {
        let d = match c { '0'..='9' => c - '0', 'a'..='f' => c - 'a' + 10, _ => 0 }
        n = n * base + d
    }
    return n
}
",
            &[("write", write.clone()), ("read", read.clone())],
        );
        let s = self.fresh_named("written");
        let driver = format!(
            "for i in 0..{n} {{\n    let {s} = {write}({value}, {base})\n    \
             print({s}, {read}({s}, {base}), parse_int({s}, -1))\n}}"
        );
        Shape { items: vec![text], driver, cost: (n * 500) as u64 }
    }
}
