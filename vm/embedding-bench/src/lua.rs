//! The work in Lua.

use crate::work::{self, CALLS, NUMBERS, Work};
use mlua::{Function, Lua, Table};

const SOURCE: &str = "
function score(level, weight) return level * weight end
function calls(n) local s = 0; for i = 0, n - 1 do s = add(s, i) end; return s end
function norm(p) return p.x * p.x + p.y * p.y + p.z * p.z end
function sum(of) local s = 0.0; for i = 1, #of do s = s + of[i] end; return s end
";

fn lua() -> Lua {
    let lua = Lua::new();
    let add = lua.create_function(|_, (a, b): (i64, i64)| Ok(a.wrapping_add(b))).expect("there is memory");
    lua.globals().set("add", add).expect("there is memory");
    lua.load(SOURCE).exec().expect("it is correct");
    lua
}

fn function(lua: &Lua, name: &str) -> Function {
    lua.globals().get(name).expect("it is defined")
}

pub(super) fn work() -> Vec<Work> {
    let on = lua();
    let score = function(&on, "score");
    let call = move || assert_eq!(score.call::<f64>((3, 0.5)).expect("it ends"), 1.5);
    let calls = function(&on, "calls");
    let host = move || assert_eq!(calls.call::<i64>(CALLS).expect("it ends"), 499_500);
    // Functions do not keep what they run in; this one does, and all pieces of work live as long.
    let (norm, inside) = (function(&on, "norm"), on.clone());
    let structure = move || {
        let point = inside.create_table_from([("x", 1.0), ("y", 2.0), ("z", 3.0)]).expect("there is memory");
        assert_eq!(norm.call::<f64>(point).expect("it ends"), 14.0);
    };
    let sum = function(&on, "sum");
    let numbers: Table = on.create_sequence_from([0.5; NUMBERS]).expect("there is memory");
    let floats = move || assert_eq!(sum.call::<f64>(&numbers).expect("it ends"), 500.0);
    let creation = || {
        let on = lua();
        let score = function(&on, "score");
        assert_eq!(score.call::<f64>((3, 0.5)).expect("it ends"), 1.5);
    };
    work::all("lua", call, host, structure, floats, creation)
}
