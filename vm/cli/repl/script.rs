//! Texts in which inputs may stand that nobody types: files and pipes as standard input.
//!
//! In: a text. Out: its inputs, or that it is a program. Invariant: a text in which no input is a command is a program,
//! and runs as one.

use super::command;

/// The inputs of a text, as if it were typed line by line.
pub(super) fn inputs(text: &str) -> Vec<String> {
    let (mut all, mut open) = (Vec::new(), String::new());
    for line in text.split_inclusive('\n') {
        open.push_str(line);
        if !command::wants_more(&open) {
            all.push(std::mem::take(&mut open));
        }
    }
    all.extend(Some(open));
    all.retain(|input| !input.trim().is_empty());
    all
}

/// Returns true if a text is a dialogue: a command stands in it where an input may start.
pub fn is_dialogue(text: &str) -> bool {
    // Few programs have a line that starts so, and those are long to divide.
    let may_be = text.lines().any(|line| line.starts_with(':'));
    may_be && inputs(text).iter().any(|input| command::is_command(input))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_go_on_until_they_are_whole() {
        let text = "let x = 1\n\nfn f() {\n    g()\n}\n:type x\n:time {\n1\n}\nf(";
        let expected = ["let x = 1\n", "fn f() {\n    g()\n}\n", ":type x\n", ":time {\n1\n}\n", "f("];
        assert_eq!(inputs(text), expected);
    }

    #[test]
    fn programs_have_no_commands() {
        assert!(is_dialogue(":vars") && is_dialogue("let x = 1\n:type x"));
        for program in ["", "let x = 1", "f(\n1,\n:type\n)", "/*\n:vars\n*/ let x = 1", "let x\n  : int = 1"] {
            assert!(!is_dialogue(program), "{program}");
        }
    }
}
