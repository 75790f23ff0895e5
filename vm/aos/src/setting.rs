//! A setting by its name: for trying what another value would decide.
//!
//! In: `NAME=VALUE` as text, with the names and values that the settings of a recorded run have. Out: changed [`Settings`], or why not.
//! Invariant: a value that is no value of its setting is refused, and so are numbers that no decision could be made by.

use super::Settings;
use serde_json::{Map, Value};

/// Settings with options of their own.
const OWN_OPTIONS: [(&str, &str); 2] = [("clock", "--sync-compile"), ("without", "--without")];

impl Settings {
    /// The same with another value of one setting, as `NAME=VALUE`.
    pub fn with(self, setting: &str) -> Result<Settings, String> {
        let (name, value) = setting.split_once('=').ok_or("write NAME=VALUE, such as k=32")?;
        if let Some((_, option)) = OWN_OPTIONS.iter().find(|(own, _)| *own == name) {
            return Err(format!("{name} has an option of its own: {option}"));
        }
        let mut fields = self.fields();
        let Some(present) = fields.get(name) else {
            return Err(format!("there is no setting '{name}'; there are {}", self.names().join(", ")));
        };
        let parsed = parsed(value).ok_or_else(|| expected(name, present))?;
        fields.insert(name.to_owned(), parsed);
        serde_json::from_value(Value::Object(fields)).map_err(|_| expected(name, &self.fields()[name]))
    }

    /// The names of all settings that [`Settings::with`] takes.
    pub fn names(self) -> Vec<String> {
        let is_own = |name: &String| OWN_OPTIONS.iter().any(|(own, _)| own == name);
        self.fields().into_iter().map(|(name, _)| name).filter(|name| !is_own(name)).collect()
    }

    fn fields(self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(fields)) => fields,
            other => unreachable!("settings are fields, not {other:?}"),
        }
    }
}

/// A number that is finite and not below zero, or a word.
fn parsed(value: &str) -> Option<Value> {
    match serde_json::from_str(value) {
        Ok(Value::Number(number)) => {
            number.as_f64().is_some_and(|number| number >= 0.0).then_some(Value::Number(number))
        }
        Ok(_) => None,
        Err(_) => Some(Value::String(value.to_owned())),
    }
}

fn expected(name: &str, present: &Value) -> String {
    let kind = match present {
        Value::Number(number) if number.is_u64() => "a whole number of 0 or more",
        Value::Number(_) => "a number of 0 or more",
        _ => "by-cores",
    };
    format!("{name} is {kind}; it is {present} unless set")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Micros;

    #[test]
    fn each_setting_can_be_set_to_what_it_is() {
        let settings = Settings::background();
        let fields = settings.fields();
        for name in settings.names() {
            let value = match &fields[&name] {
                Value::String(word) => word.clone(),
                number => number.to_string(),
            };
            assert_eq!(settings.with(&format!("{name}={value}")), Ok(settings), "{name}");
        }
        assert!(settings.names().len() >= 8, "{:?}", settings.names());
    }

    #[test]
    fn what_is_set_is_set_alone() {
        let settings = Settings::background();
        assert_eq!(settings.with("k=32"), Ok(Settings { k: 32, ..settings }));
        assert_eq!(settings.with("rest=5000"), Ok(Settings { rest: Micros(5000), ..settings }));
    }

    #[test]
    fn what_cannot_be_set_is_refused_with_what_can() {
        let refusal = |setting: &str| Settings::background().with(setting).expect_err("it is refused");
        assert_eq!(refusal("k"), "write NAME=VALUE, such as k=32");
        assert!(refusal("speed=3").starts_with("there is no setting 'speed'; there are compile_weight, "));
        assert_eq!(refusal("clock=polls"), "clock has an option of its own: --sync-compile");
        for wrong in ["k=-1", "k=1.5", "k=many", "k=[1]", "loop_share=-0.1", "compile_weight=seldom"] {
            assert!(refusal(wrong).contains(" unless set"), "{wrong}: {}", refusal(wrong));
        }
    }
}
