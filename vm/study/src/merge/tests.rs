//! Sums of small profiles.

use super::*;
use serde_json::json;

fn profile(counts: [u64; 2], paths: &Value) -> Value {
    json!({
        "scheme": "bl", "k": null, "program": "walk.hw",
        "functions": [{
            "name": "walk", "hash": "1f", "num_paths": "2",
            "blocks": [{ "id": 0, "lines": [2, 2] }, { "id": 1, "lines": [3, 4] }],
            "edges": [[0, 1, counts[0]], [1, 0, counts[1]]],
            "paths": paths, "prefixes": [],
        }],
    })
}

#[test]
fn paths_are_added_by_what_they_are() {
    let a = profile([3, 2], &json!([{ "id": "0", "blocks": [0, 1], "count": 3 }]));
    let b = profile(
        [5, 4],
        &json!([{ "id": "1", "blocks": [1], "count": 9 }, { "id": "0", "blocks": [0, 1], "count": 5 }]),
    );
    let expected = json!([{ "id": "0", "blocks": [0, 1], "count": 8 }, { "id": "1", "blocks": [1], "count": 9 }]);
    assert_eq!(merged(&a, &b), Ok(profile([8, 6], &expected)));
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let a = profile([1, 1], &json!([]));
    let with = |change: &dyn Fn(&mut Value)| {
        let mut b = a.clone();
        change(&mut b);
        merged(&a, &b).expect_err("it is refused").to_string()
    };
    let other = with(&|b| b["program"] = json!("run.hw"));
    assert_eq!(other, "one profile is of walk.hw and another of run.hw; only profiles of one program are added");
    assert_eq!(with(&|b| b["k"] = json!(4)), "one profile has k null and another 4; profile all runs alike");
    assert!(with(&|b| b["functions"][0]["blocks"][1]["lines"] = json!([3, 5])).starts_with("walk is another function"));
    assert!(with(&|b| b["functions"][0]["hash"] = json!("2f")).starts_with("walk is another function"));
    assert!(with(&|b| b["functions"] = json!([])).starts_with("walk is another function"));
    assert!(with(&|b| b["left_out"] = json!(2)).contains("save it whole"));
    assert!(with(&|b| b["functions"][0]["sample"] = json!({})).contains("no counts"));
    assert!(with(&|b| *b = json!([])).contains("no profile"));
    assert!(with(&|b| b["scheme"] = json!("time")).contains("no counts"));
}

#[test]
fn contexts_are_the_same_if_the_same_calls_lead_to_them() {
    let context = |id: u64, parent: Option<u64>, function: &str, calls: u64| json!({ "id": id, "parent": parent, "function": function, "site": null, "calls": calls, "recursive": 0 });
    let a = [context(0, None, "main", 1), context(1, Some(0), "walk", 4)];
    let b = [
        context(0, None, "main", 1),
        context(1, Some(0), "run", 2),
        context(2, Some(0), "walk", 3),
        context(3, Some(2), "run", 5),
    ];
    let expected = [
        context(0, None, "main", 2),
        context(1, Some(0), "walk", 7),
        context(2, Some(0), "run", 2),
        context(3, Some(1), "run", 5),
    ];
    assert_eq!(contexts::added(&a, &b), Some(json!(expected)));
    assert_eq!(contexts::added(&a, &[context(3, Some(9), "run", 5)]), None);
}

#[test]
fn never_taken_is_what_was_taken_in_neither() {
    let region = |executions: u64, untaken: &Value| {
        json!([{
            "header": 1, "places": [1, 2], "executions": executions, "windows": 2, "persistent_windows": 1, "untaken_in_windows": 0,
            "least": executions, "greatest": executions, "untaken": untaken, "segments": [[1, 2]],
            "monitored": [[0, 1, executions > 6], [1, 2, false]], "paths": [{ "blocks": [1, 2], "executions": executions }],
            "persistent_paths": [{ "blocks": [1, 2], "executions": executions }],
        }])
    };
    let (Value::Array(a), Value::Array(b)) = (region(5, &json!([[0, 1], [1, 2]])), region(7, &json!([[1, 2]]))) else {
        panic!("they are arrays")
    };
    let sum = added_rows(&a, &b, Kind::Regions);
    assert_eq!(sum[0]["executions"], 12);
    assert_eq!((&sum[0]["least"], &sum[0]["greatest"], &sum[0]["windows"]), (&json!(5), &json!(7), &json!(4)));
    assert_eq!(sum[0]["untaken"], json!([[1, 2]]));
    assert_eq!(sum[0]["monitored"], json!([[0, 1, true], [1, 2, false]]));
    assert_eq!((&sum[0]["segments"], &sum[0]["paths"][0]["executions"]), (&Value::Null, &json!(12)));
    let never = region(0, &json!([]));
    let Value::Array(never) = never else { panic!("it is an array") };
    assert_eq!(added_rows(&a, &never, Kind::Regions)[0]["least"], 5, "a run that never came there is no least");
    assert_eq!(sum[0]["persistent_paths"], json!([{ "blocks": [1, 2], "executions": 12 }]));
}
