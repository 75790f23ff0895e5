//! Sizes and outputs of a folder's programs, from its `expected.json`.
//!
//! In: `{"NAME": {"size": N, "checksum": C, "mid": N, "mid_checksum": C}}`, or the form of this project's own programs,
//! `{"NAME": {"sizes": {"default": N, "mid": N, "small": N}, "checksums": {"N": C}}}`. Every key may be missing, and
//! others are ignored; `"arithmetic"` is `"int"` or `"fp"`. Out: [`Expectations`]. Invariant: an output is known for a size, whoever
//! chose it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::bench::Arithmetic;
use crate::extent::SizeName;

/// Known sizes and outputs of programs, by name.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Expectations(BTreeMap<String, Expected>);

#[derive(Clone, PartialEq, Debug, Deserialize)]
struct Expected {
    arithmetic: Option<Arithmetic>,
    size: Option<u64>,
    checksum: Option<Value>,
    mid: Option<u64>,
    mid_checksum: Option<Value>,
    #[serde(default)]
    sizes: BTreeMap<String, u64>,
    #[serde(default)]
    checksums: BTreeMap<String, Value>,
}

impl Expectations {
    /// Reads the file's text; the error says what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Expectations, String> {
        serde_json::from_str(text).map(Expectations).map_err(|error| error.to_string())
    }

    /// A program's argument at a size.
    pub(crate) fn size(&self, name: &str, size: SizeName) -> Option<u64> {
        let expected = self.0.get(name)?;
        let alone = match size {
            SizeName::Default => expected.size,
            SizeName::Mid => expected.mid,
            SizeName::Small => None,
        };
        alone.or_else(|| expected.sizes.get(size.name()).copied())
    }

    /// The arithmetic of a program's hot code; on integers if nothing says another.
    pub(crate) fn arithmetic(&self, name: &str) -> Arithmetic {
        self.0.get(name).and_then(|expected| expected.arithmetic).unwrap_or(Arithmetic::Int)
    }

    /// A program's output with an argument.
    pub(crate) fn output(&self, name: &str, size: u64) -> Option<String> {
        let expected = self.0.get(name)?;
        let alone = [(expected.size, &expected.checksum), (expected.mid, &expected.mid_checksum)];
        let alone = alone.into_iter().find(|(of, output)| *of == Some(size) && output.is_some());
        let output =
            alone.and_then(|(_, output)| output.as_ref()).or_else(|| expected.checksums.get(&size.to_string()));
        output.map(text)
    }
}

/// An output as the program prints it.
fn text(output: &Value) -> String {
    match output {
        Value::String(text) => text.trim().to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => output.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        let expectations = Expectations::parse(
            r#"{
                "plain": {"size": 900, "checksum": -7, "mid": 30, "mid_checksum": " 1\n2 "},
                "own": {"arithmetic": "int", "sizes": {"default": 50, "small": 2}, "checksums": {"2": 18446744073709551615, "50": 4}},
                "bare": {}
            }"#,
        )
        .unwrap();
        let sizes =
            |name| [SizeName::Default, SizeName::Mid, SizeName::Small].map(|size| expectations.size(name, size));
        assert_eq!(sizes("plain"), [Some(900), Some(30), None]);
        assert_eq!(sizes("own"), [Some(50), None, Some(2)]);
        assert_eq!([sizes("bare"), sizes("missing")], [[None; 3]; 2]);
        let output = |name, size| expectations.output(name, size);
        assert_eq!([output("plain", 900), output("plain", 31)], [Some("-7".to_owned()), None]);
        assert_eq!(output("plain", 30).as_deref(), Some("1\n2"));
        assert_eq!(output("own", 2).as_deref(), Some("18446744073709551615"));
        assert_eq!([output("own", 3), output("bare", 0), output("missing", 1)], [None, None, None]);
    }

    #[test]
    fn what_has_another_form_is_told_with_its_place() {
        let said = Expectations::parse("{\"a\": {\"size\": \"large\"}}").unwrap_err();
        assert!(said.contains("expected u64") && said.contains("line 1"), "{said}");
        assert!(Expectations::parse("[").is_err());
        assert_eq!(Expectations::parse("{}").unwrap(), Expectations::default());
    }
}
