//! The modules of a folder as JSON.
//!
//! `bench --wasm DIR --json`: `{"size", "rounds", "modules": [{"name", "size", "output", "results": {contestant: {"ready", "cpu", "wall",
//! "memory": [by round]} or {"error": text}}, "ratios": {comparison: number or null}}], "summary": {comparison: {"geometric_mean",
//! "worst": {"module", "value"}} or null}, "absent": [contestants], "faults": [text], "ok", "provenance"}`. Times are in seconds, `ready`
//! and `cpu` of all threads; memory is the peak of the process in bytes. Ratios are of least values.

use serde_json::{Map, Value, json};

use super::contestant::{COMPARISONS, Comparison, Contestant};
use super::results::{Measured, Modules};
use super::sample::Sample;
use crate::provenance;

/// The results for programs.
pub fn json(modules: &Modules) -> Value {
    let faults = modules.faults();
    json!({
        "size": modules.size.name(),
        "rounds": modules.rounds,
        "modules": modules.modules.iter().map(|module| of_module(modules, module)).collect::<Vec<_>>(),
        "summary": by_comparison(|comparison| summary(modules, comparison)),
        "absent": modules.absent.iter().map(|contestant| contestant.name()).collect::<Vec<_>>(),
        "faults": faults,
        "ok": faults.is_empty(),
        "provenance": provenance::told(),
    })
}

fn by_comparison(value: impl Fn(Comparison) -> Value) -> Map<String, Value> {
    COMPARISONS.into_iter().map(|comparison| (comparison.name.to_owned(), value(comparison))).collect()
}

fn of_module(modules: &Modules, module: &Measured) -> Value {
    let result = |contestant: &Contestant| (contestant.name().to_owned(), result(module, *contestant));
    json!({
        "name": module.name,
        "size": module.size,
        "output": module.output(),
        "results": modules.contestants.iter().map(result).collect::<Map<_, _>>(),
        "ratios": by_comparison(|comparison| json!(module.ratio(comparison))),
    })
}

fn result(module: &Measured, contestant: Contestant) -> Value {
    if let Some(fault) = module.fault(contestant) {
        return json!({ "error": fault.to_string() });
    }
    let each = |of: fn(&Sample) -> f64| module.samples(contestant).iter().map(of).collect::<Vec<f64>>();
    json!({
        "ready": each(|sample| sample.ready),
        "cpu": each(|sample| sample.cpu),
        "wall": each(|sample| sample.wall),
        "memory": each(|sample| sample.memory),
    })
}

fn summary(modules: &Modules, comparison: Comparison) -> Value {
    match (modules.mean(comparison), modules.worst(comparison)) {
        (Some(mean), Some((module, value))) => {
            json!({ "geometric_mean": mean, "worst": { "module": module, "value": value } })
        }
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::super::results::tests::modules;
    use super::*;

    #[test]
    fn programs_read_the_same() {
        let value = json(&modules());
        let zstd = &value["modules"][1];
        assert_eq!(zstd["results"]["auto"]["error"], "WRONG CHECKSUM: expected 1 2, printed 1 3");
        assert_eq!(
            (&zstd["ratios"]["optimized/wasmtime"], &zstd["ratios"]["auto/wasmtime"]),
            (&0.25.into(), &Value::Null)
        );
        assert_eq!(value["modules"][0]["results"]["wasmtime"]["cpu"], json!([4.0, 4.4]));
        assert_eq!(value["summary"]["optimized/wasmtime"]["geometric_mean"], 0.25);
        assert_eq!((&value["summary"]["auto/node"], &value["absent"]), (&Value::Null, &json!(["node"])));
        assert_eq!(value["ok"], false);
    }
}
