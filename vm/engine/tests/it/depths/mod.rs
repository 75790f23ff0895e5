//! Programs of the greatest call depth.
//!
//! In: nothing. Out: sources; the output of each shows the depth at which a call failed.

/// Programs whose calls reach the depth limit. If the failure is caught, the output holds the number of calls before
/// it.
pub(crate) const DEPTHS: [&str; 8] = [
    // A function that calls itself.
    "var depth = 0
     fn down(n: int) -> int { depth += 1
         return down(n + 1) + 1 }
     fn main() { try { print(down(0)) } catch message { print(message, depth) } }",
    // Two functions that call each other, one of them twice.
    "var depth = 0
     fn even(n: int) -> int { depth += 1
         return odd(n + 1) + odd(n + 2) }
     fn odd(n: int) -> int { depth += 1
         return even(n + 1) + 1 }
     fn main() { try { print(even(0)) } catch message { print(message, depth) } }",
    // Small functions that are called at every depth, the last too.
    "var depth = 0
     fn note(n: int) -> int { depth += 1
         return n + 1 }
     fn twice(n: int) -> int { return note(note(n)) }
     fn down(n: int) -> int { return down(twice(n)) + 1 }
     fn main() { try { print(down(0)) } catch message { print(message, depth) } }",
    // Calls that return early: only the last ones have no frame left.
    "fn down(n: int) -> int { if n == 0 { return 0 }
         return down(n - 1) + 1 }
     fn main() {
         for n in 99_990..100_010 {
             try { print(down(n)) } catch message { print(n, message) }
         }
     }",
    // Large frames first, then small ones in their place, then both in turn, with and without a failure that is caught
    // on the way.
    "var depth = 0
     fn wide(n: int, a: int, b: int, c: int, d: int, e: int) -> int {
         if n == 0 { return a }
         let f = a * b + n
         let g = b * c + f
         let h = c * d + g
         let i = d * e + h
         let j = e * a + i
         let below = wide(n - 1, b, c, d, e, f)
         return below + a + b + c + d + e + f + g + h + i + j
     }
     fn narrow(n: int) -> int { depth += 1
         return narrow(n + 1) + 1 }
     fn steps(n: int) -> int {
         if n == 0 { return 0 }
         let a = wide(n % 7, n, 2, 3, 4, 5)
         return steps(n - 1) + a
     }
     fn mixed(n: int, to: int) -> int {
         depth += 1
         if n == to { return wide(1_000, n, 2, 3, 4, 5) + narrow(n) }
         if n % 1_000 == 0 { return mixed(n + 1, to) + wide(99_000 - n, n, 2, 3, 4, 5) }
         return mixed(n + 1, to) + 1
     }
     fn measure() {
         depth = 0
         try { print(narrow(0)) } catch message { print(message, depth) }
     }
     fn main() {
         measure()
         print(wide(99_000, 1, 2, 3, 4, 5))
         measure()
         print(steps(99_990))
         measure()
         for to in [0, 5_000, 50_000, 98_000] {
             depth = 0
             try { print(mixed(0, to)) } catch message { print(message, depth) }
         }
         for n in 99_985..100_005 {
             try { print(wide(n, 1, 2, 3, 4, 5)) } catch message { print(n, message) }
         }
         measure()
     }",
    // A small function called repeatedly close to the limit, from frames of both sizes.
    "fn leaf(n: int) -> int { return n + 1 }
     fn two(n: int) -> int { return leaf(n) + leaf(n + 1) }
     fn down(n: int, repeat: int) -> int {
         if n == 0 {
             var sum = 0
             for i in 0..repeat { sum += two(i) }
             return sum
         }
         return down(n - 1, repeat) + 1
     }
     fn main() {
         for n in [20_000, 33_333, 50_000, 66_666, 99_990, 99_995, 99_996, 99_997, 99_998, 99_999] {
             try { print(n, down(n, 2_000)) } catch message { print(n, message) }
         }
     }",
    // Float arguments cross the depth barrier.
    "fn down(n: int, x: float) -> float { if n == 0 { return x }
         return down(n - 1, x + 0.5) * 1.0000001 }
     fn main() { print(down(99_000, 0.25), down(50_000, 0.25), down(99_990, 0.25)) }",
    // The failure is not caught.
    "fn down(n: int) -> int { return down(n + 1) + 1 }
     fn main() { print(down(0)) }",
];
