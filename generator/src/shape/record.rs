//! Structs that point to each other, change and are traversed.

use super::contribution::Shape;
use crate::r#gen::Gen;
use crate::ty::Ty;

impl Gen {
    pub(super) fn linked_list(&mut self) -> Shape {
        let (link, build, reverse) = (self.fresh_named("Link"), self.fresh_named("chain"), self.fresh_named("reverse"));
        let n = self.rounds(4, 60);
        let value = self.hole(&Ty::Int, &[("i", Ty::Int)], 2);
        let keep = self.test_hole(&[("i", Ty::Int)], 2);
        let text = Self::fill(
            "
struct $link$ { value: int, next: $link$? }

fn $build$(n: int) -> $link$? {
    var head: $link$? = none
    for i in 0..n {
        if $keep$ { continue }
        head = $link$(value: $value$, next: head)
    }
    return head
}

fn $reverse$(list: $link$?) -> $link$? {
    var done: $link$? = none
    var rest = list
    while let node = rest {
        rest = node.next
        node.next = done
        done = node
    }
    return done
}
",
            &[
                ("link", link.clone()),
                ("build", build.clone()),
                ("reverse", reverse.clone()),
                ("keep", keep),
                ("value", value),
            ],
        );
        let (list, sum) = (self.fresh_named("list"), self.fresh_named("listed"));
        let driver = format!(
            "var {list} = {reverse}({build}({n}))\nvar {sum} = 0\nwhile let node = {list} {{\n    \
             {sum} = {sum} * 3 + node.value\n    {list} = node.next\n}}\nprint(\"list\", {sum}, {list} == none, {build}(3))"
        );
        Shape { items: vec![text], driver, cost: (n * 60) as u64 + 60 }
    }

    pub(super) fn tree(&mut self) -> Shape {
        let tree = self.fresh_named("Tree");
        let (insert, depth, sum) = (self.fresh_named("insert"), self.fresh_named("depth"), self.fresh_named("total"));
        let n = self.rounds(5, 50);
        let key = self.hole(&Ty::Int, &[("i", Ty::Int)], 2);
        let text = Self::fill(
            "
struct $tree$ {
    key: int
    count: int
    left: $tree$?
    right: $tree$?
}

fn $insert$(at: $tree$?, key: int) -> $tree$ {
    if let node = at {
        if key < node.key {
            node.left = $insert$(node.left, key)
        } else if key > node.key {
            node.right = $insert$(node.right, key)
        } else {
            node.count += 1
        }
        return node
    }
    return $tree$(key: key, count: 1, left: none, right: none)
}

fn $depth$(at: $tree$?) -> int {
    if at == none { return 0 }
    return 1 + max($depth$(at!.left), $depth$(at!.right))
}

fn $sum$(at: $tree$?, factor: int) -> int {
    if let node = at {
        return $sum$(node.left, factor + 1) + node.key * node.count * factor + $sum$(node.right, factor - 1)
    } else {
        return 0
    }
}
",
            &[("tree", tree.clone()), ("insert", insert.clone()), ("depth", depth.clone()), ("sum", sum.clone())],
        );
        let root = self.fresh_named("root");
        let driver = format!(
            "var {root}: {tree}? = none\nfor i in 0..{n} {{ {root} = {insert}({root}, {key} % 100) }}\n\
             print(\"tree\", {depth}({root}), {sum}({root}, 1), {root})"
        );
        Shape { items: vec![text], driver, cost: (n * n * 6) as u64 + 400 }
    }

    /// Bodies with float fields that push each other.
    pub(super) fn particles(&mut self) -> Shape {
        let (body, name, steps) = (self.fresh_named("Mote"), self.fresh_named("settle"), self.rounds(4, 40));
        let vars = [("dx", Ty::Float), ("d2", Ty::Float)];
        let force = self.hole(&Ty::Float, &vars, 1);
        let text = Self::fill(
            "
struct $body$ { x: float, v: float, hits: byte, tag: str }

fn $name$(motes: [$body$], steps: int) -> float {
    for r in 0..steps {
        for i in 0..len(motes) {
            let a = motes[i]
            for j in i + 1..len(motes) {
                let b = motes[j]
                let dx = a.x - b.x
                let d2 = dx * dx + 0.01
                if d2 < 0.5 {
                    a.hits += 100
                    b.hits -= 1
                }
                let f = max(min($force$, 1.0), -1.0) / d2
                a.v -= f * 0.01
                b.v += f * 0.01
            }
        }
        for m in motes { m.x += m.v * 0.1 }
    }
    var energy = 0.0
    for m in motes { energy += m.v * m.v + float(m.hits) }
    return energy
}
",
            &[("body", body.clone()), ("name", name.clone()), ("force", force)],
        );
        let motes = self.fresh_named("motes");
        let driver = format!(
            "let {motes} = [{body}(x: random() * 4.0, v: 0.0, hits: 0, tag: \"m\"); 5]\n\
             print(\"settle\", {name}({motes}, {steps}))\nprint({motes})"
        );
        Shape { items: vec![text], driver, cost: (steps * 700) as u64 + 100 }
    }

    /// A ring buffer with a handler in a field.
    pub(super) fn queue(&mut self) -> Shape {
        let (ring, n) = (self.fresh_named("Ring"), self.rounds(10, 150));
        let (push, pop, twice) = (self.fresh_named("push"), self.fresh_named("pop"), self.fresh_named("twice"));
        let body = self.hole(&Ty::Int, &[("x", Ty::Int)], 2);
        let text = Self::fill(
            "
struct $ring$ { data: [int], first: int, used: int, seen: fn(int) -> int }

fn $twice$(x: int) -> int {
    return x * 2 ^ $body$
}

fn $push$(q: $ring$, x: int) {
    if q.used == len(q.data) { fail \"full\" }
    q.data[(q.first + q.used) % len(q.data)] = q.seen(x)
    q.used += 1
}

fn $pop$(q: $ring$) -> int {
    assert(q.used > 0, \"empty\")
    let x = q.data[q.first]
    q.first = (q.first + 1) % len(q.data)
    q.used -= 1
    return x
}
",
            &[
                ("ring", ring.clone()),
                ("twice", twice.clone()),
                ("push", push.clone()),
                ("pop", pop.clone()),
                ("body", body),
            ],
        );
        let (q, sum) = (self.fresh_named("ring"), self.fresh_named("popped"));
        let k = self.rng.range(2, 5);
        let driver = format!(
            "let {q} = {ring}(data: [0; 6], first: 0, used: 0, seen: {twice})\nvar {sum} = 0\n\
             for i in 0..{n} {{\n    try {{\n        if i % {k} != 0 {{ {push}({q}, i) }} else {{ {sum} += {pop}({q}) }}\n    \
             }} catch why {{\n        {sum} ^= len(why)\n        {q}.used = 1\n    }}\n}}\nprint(\"ring\", {sum}, {q})"
        );
        Shape { items: vec![text], driver, cost: (n * 60) as u64 + 100 }
    }
}
