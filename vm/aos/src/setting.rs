//! Settings by name, as `NAME=VALUE`, for trying what another value would decide. Invariant: a value that is none of
//! its setting is refused, and so are numbers that no decision could be made by.

use super::Settings;
use serde_json::{Map, Value};

/// The least and the greatest value of each number, whole or not: what lies beyond overflows, or decides nothing.
const BOUNDS: [(&str, f64, f64); 9] = [
    ("compile_weight", 0.0, 1e6),
    ("half_life", 1.0, (1_u64 << 40) as f64),
    ("loop_share", 0.0, 1.0),
    ("k", 1.0, (1_u64 << 32) as f64),
    ("doublings", 0.0, 16.0),
    ("rest", 1.0, (1_u64 << 40) as f64),
    ("overhead_share", 0.0, 1.0),
    ("guard_ticks", 1.0, (1_u64 << 32) as f64),
    ("guard_penalty", 0.0, 1e6),
];

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
        let parsed = parsed(name, value).ok_or_else(|| expected(name, present))?;
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

fn bounds(name: &str) -> (f64, f64) {
    let found = BOUNDS.iter().find(|(bounded, ..)| *bounded == name);
    found.map(|(_, least, greatest)| (*least, *greatest)).expect("each number has its bounds")
}

/// A number within the bounds of its setting, or a word.
fn parsed(name: &str, value: &str) -> Option<Value> {
    match serde_json::from_str(value) {
        Ok(Value::Number(number)) => {
            let (least, greatest) = bounds(name);
            let is_within = number.as_f64().is_some_and(|number| (least..=greatest).contains(&number));
            is_within.then_some(Value::Number(number))
        }
        Ok(_) => None,
        Err(_) => Some(Value::String(value.to_owned())),
    }
}

fn expected(name: &str, present: &Value) -> String {
    let (least, greatest) = bounds(name);
    let number = match present {
        Value::Number(number) if number.is_u64() => "a whole number",
        Value::Number(_) => "a number",
        _ => "by-cores, or a number",
    };
    format!("{name} is {number} from {least} to {greatest}; it is {present} unless set")
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
        let mut bounded = BOUNDS.map(|(name, ..)| name);
        bounded.sort_unstable();
        assert_eq!(settings.names(), bounded);
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

    #[test]
    fn what_no_decision_could_be_made_by_is_refused_with_the_bounds() {
        let set = |setting: String| Settings::background().with(&setting);
        assert_eq!(
            set("k=0".to_owned()).expect_err("it is refused"),
            "k is a whole number from 1 to 4294967296; it is 1024 unless set"
        );
        for (name, least, greatest) in BOUNDS {
            for value in [least, greatest] {
                assert!(set(format!("{name}={value}")).is_ok(), "{name}={value}");
            }
            for value in [least - 1.0, greatest * 2.0] {
                let refused = set(format!("{name}={value}")).expect_err("it is refused");
                assert!(refused.contains(&format!(" from {least} to {greatest}; ")), "{refused}");
            }
        }
    }
}
