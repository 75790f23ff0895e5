//! Recursion, backtracking and dynamic programming.

use super::contribution::Shape;
use crate::r#gen::Gen;
use crate::ty::Ty;

impl Gen {
    pub(super) fn queens(&mut self) -> Shape {
        let (name, n) = (self.fresh_named("queens"), self.rounds(4, 6));
        let text = Self::fill(
            "
fn $name$(n: int, row: int, cols: [bool], up: [bool], down: [bool]) -> int {
    if row == n { return 1 }
    var ways = 0
    for c in 0..n {
        if cols[c] || up[row + c] || down[row - c + n] { continue }
        cols[c] = true
        up[row + c] = true
        down[row - c + n] = true
        ways += $name$(n, row + 1, cols, up, down)
        cols[c] = false
        up[row + c] = false
        down[row - c + n] = false
    }
    return ways
}
",
            &[("name", name.clone())],
        );
        let driver =
            format!("print(\"queens\", {name}({n}, 0, [false; {n}], [false; {}], [false; {}]))", 2 * n, 2 * n + 1);
        Shape { items: vec![text], driver, cost: if n > 5 { 9000 } else { 3000 } }
    }

    /// Two functions that call each other.
    pub(super) fn parity(&mut self) -> Shape {
        let (even, odd, n) = (self.fresh_named("even"), self.fresh_named("odd"), self.rounds(10, 400));
        let mix = self.hole(&Ty::Int, &[("n", Ty::Int), ("acc", Ty::Int)], 2);
        let text = Self::fill(
            "
fn $even$(n: int, acc: int) -> int {
    if n == 0 { return acc }
    return $odd$(n - 1, acc + 1)
}

fn $odd$(n: int, acc: int) -> int {
    return if n == 0 { -acc } else { $even$(n - 1, acc ^ $mix$) }
}
",
            &[("even", even.clone()), ("odd", odd), ("mix", mix)],
        );
        Shape { items: vec![text], driver: format!("print(\"parity\", {even}({n}, 0))"), cost: (n * 25) as u64 }
    }

    pub(super) fn common_subsequence(&mut self) -> Shape {
        let (name, n) = (self.fresh_named("common"), self.rounds(5, 24));
        let text = Self::fill(
            "
/// The length of the longest common subsequence.
fn $name$(a: str, b: str) -> int {
    let best = [[0; len(b) + 1]; len(a) + 1]
    for i in 0..len(a) {
        for j in 0..len(b) {
            best[i + 1][j + 1] = if a[i] == b[j] {
                best[i][j] + 1
            } else {
                max(best[i][j + 1], best[i + 1][j])
            }
        }
    }
    return best[len(a)][len(b)]
}
",
            &[("name", name.clone())],
        );
        let letters = |g: &mut Self| {
            let text: String = (0..n).map(|_| *g.rng.pick(&['a', 'b', 'c', 'd'])).collect();
            text
        };
        let (a, b) = (letters(self), letters(self));
        let cost = (n * n * 30 + 100) as u64;
        Shape { items: vec![text], driver: format!("print(\"common\", {name}(\"{a}\", \"{b}\"))"), cost }
    }

    pub(super) fn permutations(&mut self) -> Shape {
        let (name, counter) = (self.fresh_named("permute"), self.fresh_named("permuted"));
        let n = self.rounds(3, 5);
        let score = self.hole(&Ty::Int, &[("x", Ty::Int), ("k", Ty::Int)], 2);
        let text = Self::fill(
            "
fn $name$(a: [int], k: int, sum: [int]) {
    if k == len(a) {
        var s = 0
        for x in a { s = s * 7 + $score$ }
        sum[0] ^= s
        sum[1] += 1
        return
    }
    for i in k..len(a) {
        let t = a[k]
        a[k] = a[i]
        a[i] = t
        $name$(a, k + 1, sum)
        a[i] = a[k]
        a[k] = t
    }
}
",
            &[("name", name.clone()), ("score", score)],
        );
        let items: Vec<_> = (1..=n).map(|k| k.to_string()).collect();
        let driver = format!(
            "let {counter} = [0, 0]\n{name}([{}], 0, {counter})\nprint(\"permuted\", {counter})",
            items.join(", ")
        );
        Shape { items: vec![text], driver, cost: if n > 4 { 16_000 } else { 3500 } }
    }

    pub(super) fn binary_search(&mut self) -> Shape {
        let (name, n) = (self.fresh_named("lookup"), self.rounds(16, 200));
        let (step, probe) = (self.number(2, 9), self.hole(&Ty::Int, &[("i", Ty::Int)], 1));
        let text = Self::fill(
            "
fn $name$(a: [int], key: int) -> int {
    var low = 0
    var high = len(a)
    while low < high {
        let mid = (low + high) >>> 1
        if a[mid] == key { return mid }
        if a[mid] < key { low = mid + 1 } else { high = mid }
    }
    return ~low
}
",
            &[("name", name.clone())],
        );
        let (sorted, sum) = (self.fresh_named("sorted"), self.fresh_named("looked"));
        let driver = format!(
            "let {sorted} = [0; {n}]\nfor i in 0..{n} {{ {sorted}[i] = i * {step} % 97 }}\nsort({sorted})\nvar {sum} = 0\n\
             for i in 0..{n} {{ {sum} = {sum} * 5 + {name}({sorted}, {probe} % 100) }}\nprint(\"lookup\", {sum})"
        );
        Shape { items: vec![text], driver, cost: (n * 150) as u64 }
    }
}
