//! Loop nests over numbers.

use super::contribution::Shape;
use crate::r#gen::Gen;
use crate::ty::Ty;

impl Gen {
    pub(super) fn matrix_product(&mut self) -> Shape {
        let (name, n) = (self.fresh_named("product"), self.rounds(4, 16));
        let float = self.rng.chance(50);
        let (zero, ty) = if float { ("0.0", Ty::Float) } else { ("0", Ty::Int) };
        let vars = [("i", Ty::Int), ("j", Ty::Int)];
        let (a, b) = (self.hole(&ty, &vars, 2), self.hole(&ty, &vars, 2));
        let result = if float { "float" } else { "int" };
        let text = Self::fill(
            "
fn $name$(n: int) -> $result$ {
    let a = [[$zero$; n]; n]
    let b = [[$zero$; n]; n]
    let c = [[$zero$; n]; n]
    for i in 0..n {
        for j in 0..n {
            a[i][j] = $a$
            b[i][j] = $b$
        }
    }
    for i in 0..n {
        let row = a[i]
        for j in 0..n {
            var s = $zero$
            for k in 0..n { s += row[k] * b[k][j] }
            c[i][j] = s
        }
    }
    var trace = $zero$
    for i in 0..n { trace += c[i][i] - c[n - 1 - i][i] }
    return trace
}
",
            &[("name", name.clone()), ("zero", zero.into()), ("a", a), ("b", b), ("result", result.into())],
        );
        let n = n as u64;
        Shape { items: vec![text], driver: format!("print(\"product\", {name}({n}))"), cost: n * n * (n * 8 + 60) }
    }

    pub(super) fn stencil(&mut self) -> Shape {
        let (name, n, sweeps) = (self.fresh_named("relax"), self.rounds(5, 18), self.rounds(2, 6));
        let vars = [("up", Ty::Float), ("down", Ty::Float), ("here", Ty::Float), ("w", Ty::Float)];
        let blend = self.hole(&Ty::Float, &vars, 2);
        let test = self.test_hole(&[("i", Ty::Int), ("j", Ty::Int), ("r", Ty::Int)], 2);
        let text = Self::fill(
            "
fn $name$(n: int, sweeps: int, w: float) -> float {
    let g: [[float]] = [[0.5; n]; n]
    for i in 0..n { g[i][i] = float(i) - 1.5 }
    for r in 0..sweeps {
        for i in 1..n - 1 {
            let above = g[i - 1]
            let below = g[i + 1]
            for j in 1..n - 1 {
                let up = above[j]
                let down = below[j]
                let here = g[i][j]
                if $test$ { continue }
                g[i][j] = (up + down + g[i][j - 1] + g[i][j + 1]) * 0.25 * w + here * (1.0 - w) + min(abs($blend$), 0.001)
            }
        }
    }
    var sum = 0.0
    for row in g { for x in row { sum += x } }
    return sum
}
",
            &[("name", name.clone()), ("test", test), ("blend", blend)],
        );
        let cost = (n * n * (sweeps * 60 + 20)) as u64;
        Shape { items: vec![text], driver: format!("print(\"relax\", {name}({n}, {sweeps}, 1.25))"), cost }
    }

    pub(super) fn sieve(&mut self) -> Shape {
        let (name, n) = (self.fresh_named("sieve"), self.rounds(30, 900));
        let elem = *self.rng.pick(&["byte", "bool", "int"]);
        let (no, yes, is_no) = match elem {
            "bool" => ("false", "true", "!gone[i]"),
            _ => ("0", "1", "gone[i] == 0"),
        };
        let text = Self::fill(
            "
/// Number of primes below `n`, and their sum.
fn $name$(n: int) -> int {
    let gone: [$elem$] = [$no$; n]
    var count = 0
    var sum = 0
    for i in 2..n {
        if $is_no$ {
            count += 1
            sum += i
            for j in i * i..n step i { gone[j] = $yes$ }
        }
    }
    return sum * 1000 + count
}
",
            &[
                ("name", name.clone()),
                ("elem", elem.into()),
                ("no", no.into()),
                ("yes", yes.into()),
                ("is_no", is_no.into()),
            ],
        );
        Shape { items: vec![text], driver: format!("print(\"sieve\", {name}({n}))"), cost: (n * 18) as u64 }
    }

    /// Follows x -> f(x) until a bound or a limit of steps.
    pub(super) fn trajectory(&mut self) -> Shape {
        let (name, n) = (self.fresh_named("orbit"), self.rounds(4, 60));
        let vars = [("x", Ty::Int), ("steps", Ty::Int)];
        let (odd, test) = (self.hole(&Ty::Int, &vars, 2), self.test_hole(&vars, 2));
        let (factor, limit) = (self.number(3, 5), self.rng.range(20, 90));
        let text = Self::fill(
            "
fn $name$(start: int) -> int {
    var x = start
    var steps = 0
    while x != 1 {
        steps += 1
        if steps > $limit$ { return -steps }
        if x % 2 == 0 {
            x /= 2
        } else if $test$ {
            x = (x * $factor$ + 1) & 0xffff_ffff
        } else {
            x = ($odd$ ^ x) & 0xffff
        }
    }
    return steps
}
",
            &[("name", name.clone()), ("limit", limit.to_string()), ("test", test), ("factor", factor), ("odd", odd)],
        );
        let total = self.fresh_named("orbits");
        let driver =
            format!("var {total} = 0\nfor i in 1..={n} {{ {total} += {name}(i) }}\nprint(\"orbits\", {total})");
        Shape { items: vec![text], driver, cost: (n * limit * 20) as u64 }
    }

    /// A generator of numbers whose bits steer branches.
    pub(super) fn mixer(&mut self) -> Shape {
        let (name, n) = (self.fresh_named("mixer"), self.rounds(60, 900));
        let vars = [("x", Ty::Int), ("acc", Ty::Int), ("i", Ty::Int)];
        let parts: Vec<String> = (0..3).map(|_| self.hole(&Ty::Int, &vars, 2)).collect();
        let (test, period) = (self.test_hole(&vars, 2), self.rng.range(3, 50));
        let text = Self::fill(
            "
fn $name$(n: int, seed: int) -> int {
    var x = seed
    var acc = 0
    for i in 0..n {
        x = (x * 1103515245 + 12345) & 0x7fffffff
        if i % $period$ != 0 {
            acc += $first$
        } else if $test$ {
            acc ^= $second$
        } else {
            acc = acc * 3 - $third$
        }
        if x & 1024 != 0 { acc += 1 } else { acc -= x & 7 }
    }
    return acc
}
",
            &[
                ("name", name.clone()),
                ("period", period.to_string()),
                ("test", test),
                ("first", parts[0].clone()),
                ("second", parts[1].clone()),
                ("third", parts[2].clone()),
            ],
        );
        let driver = format!("print(\"mixer\", {name}({n}, {}))", self.rng.range(0, 99));
        Shape { items: vec![text], driver, cost: (n * 45) as u64 }
    }

    pub(super) fn escape_time(&mut self) -> Shape {
        let (name, n) = (self.fresh_named("escape"), self.rounds(4, 14));
        let limit = self.rng.range(6, 30);
        let vars = [("x", Ty::Float), ("y", Ty::Float), ("cx", Ty::Float)];
        let bend = self.hole(&Ty::Float, &vars, 1);
        let text = Self::fill(
            "
fn $name$(n: int) -> int {
    var total = 0
    for py in 0..n {
        for px in 0..n {
            let cx = float(px) / float(n) * 3.0 - 2.0
            let cy = float(py) / float(n) * 2.0 - 1.0
            var x = 0.0
            var y = 0.0
            var k = 0
            while k < $limit$ && x * x + y * y <= 4.0 {
                let t = x * x - y * y + cx
                y = 2.0 * x * y + cy
                x = t
                if k == 5 { x += max(min($bend$, 0.01), -0.01) }
                k += 1
            }
            total = total * 31 + k
        }
    }
    return total
}
",
            &[("name", name.clone()), ("limit", limit.to_string()), ("bend", bend)],
        );
        let cost = (n * n * (limit * 20 + 20)) as u64;
        Shape { items: vec![text], driver: format!("print(\"escape\", {name}({n}))"), cost }
    }

    pub(super) fn filter(&mut self) -> Shape {
        let (name, n, taps) = (self.fresh_named("filter"), self.rounds(12, 120), self.rng.range(2, 9));
        let fill = self.hole(&Ty::Int, &[("i", Ty::Int)], 2);
        let text = Self::fill(
            "
fn $name$(n: int, taps: int) -> [int] {
    let x = [0; n + taps]
    let c = [0; taps]
    let out = [0; n]
    for i in 0..n + taps { x[i] = $fill$ & 255 }
    for i in 0..taps { c[i] = i * i - 3 }
    for i in 0..n {
        var s = 0
        for j in 0..taps { s += x[i + j] * c[j] }
        out[i] = s >> 2
    }
    return out
}
",
            &[("name", name.clone()), ("fill", fill)],
        );
        let cost = (n * (taps * 10 + 60)) as u64;
        Shape { items: vec![text], driver: format!("print(\"filter\", {name}({n}, {taps}))"), cost }
    }
}
