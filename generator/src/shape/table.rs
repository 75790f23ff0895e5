//! Tables, sorting and counting in arrays.

use super::contribution::Shape;
use crate::r#gen::Gen;
use crate::ty::Ty;

impl Gen {
    /// Open addressing with linear probing.
    pub(super) fn hash_table(&mut self) -> Shape {
        let (name, n) = (self.fresh_named("intern"), self.rounds(10, 150));
        let (key, twist) = (self.hole(&Ty::Int, &[("i", Ty::Int)], 2), self.number(3, 31));
        let text = Self::fill(
            "
fn $name$(keys: [int], counts: [int], key: int) -> int {
    let mask = len(keys) - 1
    var at = (key * $twist$ ^ key >>> 7) & mask
    for probe in 0..len(keys) {
        if keys[at] == key {
            counts[at] += 1
            return probe
        }
        if keys[at] == -1 {
            keys[at] = key
            counts[at] = 1
            return probe
        }
        at = (at + 1) & mask
    }
    return -1
}
",
            &[("name", name.clone()), ("twist", twist)],
        );
        let (keys, counts, probes) = (self.fresh_named("keys"), self.fresh_named("counts"), self.fresh_named("probes"));
        let driver = format!(
            "let {keys} = [-1; 32]\nlet {counts} = [0; 32]\nvar {probes} = 0\n\
             for i in 0..{n} {{ {probes} += {name}({keys}, {counts}, {key} & 31) }}\nprint(\"table\", {probes}, {keys}, {counts})"
        );
        Shape { items: vec![text], driver, cost: (n * 120) as u64 + 200 }
    }

    pub(super) fn insertion_sort(&mut self) -> Shape {
        let (name, make, n) = (self.fresh_named("arrange"), self.fresh_named("numbers"), self.rounds(6, 40));
        let kinds = [("int", Ty::Int), ("float", Ty::Float), ("str", Ty::Str)];
        let (elem, ty) = self.rng.pick(&kinds).clone();
        let value = match ty {
            Ty::Float => "float(x % 1000) / 8.0".to_owned(),
            Ty::Str => "str(x & 255)".to_owned(),
            _ => self.hole(&Ty::Int, &[("x", Ty::Int), ("i", Ty::Int)], 2),
        };
        let zero = match ty {
            Ty::Float => "0.0",
            Ty::Str => "\"\"",
            _ => "0",
        };
        let text = Self::fill(
            "
fn $name$(a: [$elem$]) -> int {
    var moves = 0
    for i in 1..len(a) {
        let x = a[i]
        var j = i
        while j > 0 && a[j - 1] > x {
            a[j] = a[j - 1]
            j -= 1
            moves += 1
        }
        a[j] = x
    }
    return moves
}

fn $make$(n: int) -> [$elem$] {
    let out: [$elem$] = [$zero$; n]
    var x = 42
    for i in 0..n {
        x = (x * 75 + 74) % 65537
        out[i] = $value$
    }
    return out
}
",
            &[
                ("name", name.clone()),
                ("make", make.clone()),
                ("elem", elem.into()),
                ("zero", zero.into()),
                ("value", value),
            ],
        );
        let list = self.fresh_named("arranged");
        let driver = format!("let {list} = {make}({n})\nprint(\"moves\", {name}({list}))\nprint({list})");
        Shape { items: vec![text], driver, cost: (n * n * 12) as u64 + 200 }
    }

    pub(super) fn histogram(&mut self) -> Shape {
        let (name, n) = (self.fresh_named("tally"), self.rounds(30, 600));
        let vars = [("x", Ty::Int), ("i", Ty::Int)];
        let (value, test) = (self.hole(&Ty::Int, &vars, 2), self.test_hole(&vars, 2));
        let text = Self::fill(
            "
fn $name$(n: int) -> [byte] {
    let bins: [byte] = [250; 8]
    var x = 1
    for i in 0..n {
        x = (x * 69069 + 5) & 0xffff
        if $test$ {
            bins[$value$ & 7] += 1
        } else {
            bins[x & 7] -= 3
        }
    }
    return bins
}
",
            &[("name", name.clone()), ("test", test), ("value", value)],
        );
        Shape { items: vec![text], driver: format!("print(\"tally\", {name}({n}))"), cost: (n * 40) as u64 }
    }

    /// A binary heap.
    pub(super) fn heap(&mut self) -> Shape {
        let (sift, name, n) = (self.fresh_named("sift"), self.fresh_named("heapsort"), self.rounds(8, 80));
        let key = self.hole(&Ty::Int, &[("i", Ty::Int)], 2);
        let text = Self::fill(
            "
fn $sift$(a: [int], start: int, size: int) {
    var at = start
    loop {
        var child = 2 * at + 1
        if child >= size { return }
        if child + 1 < size && a[child + 1] > a[child] { child += 1 }
        if a[at] >= a[child] { break }
        let t = a[at]
        a[at] = a[child]
        a[child] = t
        at = child
    }
}

fn $name$(n: int) -> [int] {
    let a = [0; n]
    for i in 0..n { a[i] = $key$ % 1000 }
    for i in n / 2..-1 step -1 { $sift$(a, i, n) }
    for last in n - 1..0 step -1 {
        let t = a[0]
        a[0] = a[last]
        a[last] = t
        $sift$(a, 0, last)
    }
    for i in 1..n { assert(a[i - 1] <= a[i], \"not sorted\") }
    return a
}
",
            &[("sift", sift), ("name", name.clone()), ("key", key)],
        );
        Shape { items: vec![text], driver: format!("print({name}({n}))"), cost: (n * 220) as u64 }
    }
}
