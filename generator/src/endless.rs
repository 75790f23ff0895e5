//! Random loops that do not end by themselves, and pass a piece of output on once, for tests that stop programs there.
//!
//! In: a seed. Out: statements of a function with an `int` variable `i` and a text `big` to print, beside a global `g`. The same seed always gives
//! the same ones.
//! Invariants: they call nothing but `print`, and behind it another iteration of the loop follows, so the first poll is one of the same back edge in every
//! tier, also where code tests before it polls. Inner loops are bounded and have several iterations; the outermost one is hardly ever left.

use crate::lines::Lines;
use crate::rng::Rng;

/// Returns the statements of that seed.
pub fn endless(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let stop = rng.range(1, 60);
    let catches = rng.chance(15);
    let mut writer = Writer { rng, out: Lines::default(), stop, catches, loops: 0, goes_on: Vec::new() };
    writer.outermost();
    writer.out.take()
}

/// Conditions that hold now and then.
const SOMETIMES: [&str; 8] = [
    "i & 1 == 0",
    "i % 3 == 1",
    "j & 3 != 2",
    "i < j",
    "g & 7 == 5",
    "i % 5 < 3 && j & 1 == 0",
    "j % 7 == 0",
    "i > 20",
];
/// Conditions that hold hardly ever.
const RARELY: [&str; 4] = ["i == 1234567", "j == -7654321", "g == 99999999 || i == 88888888", "i ^ 5 == 765432"];
/// Statements that go straight on.
const STRAIGHT: [&str; 8] =
    ["i += 1", "j += i & 3", "g += 1", "g ^= j", "j = i * 3 - j", "i += j & 1", "j ^= i >> 2", "g += i % 4"];

struct Writer {
    rng: Rng,
    out: Lines,
    /// The output is passed on at that many places that control comes to.
    stop: i64,
    /// True if failures are raised and caught.
    catches: bool,
    /// Inner loops so far.
    loops: u32,
    /// For each inner loop around, that another iteration of it follows.
    goes_on: Vec<String>,
}

/// The loop around a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    None,
    Outermost,
    Inner,
}

impl Writer {
    fn outermost(&mut self) {
        self.out.line("var j = 1\nvar t = 0");
        if self.rng.chance(30) {
            self.statements(2, Around::None);
        }
        let head = *self.rng.pick(&["loop {", "while true {", "while j | 1 != 0 {"]);
        self.out.open(head);
        if self.rng.chance(50) {
            self.out.line("i += 1");
        }
        // Nothing may go back before control comes to a place.
        for _ in 0..self.rng.below(3) {
            let (rare, leave) = (*self.rng.pick(&RARELY), *self.rng.pick(&["break", "return i"]));
            self.out.line(&format!("if {rare} {{ {leave} }}"));
        }
        self.place();
        self.statements(3, Around::Outermost);
        self.out.close();
    }

    /// Writes where output is passed on, if that is due, and another iteration of each loop around follows.
    fn place(&mut self) {
        let goes_on: String = self.goes_on.iter().map(|cond| format!(" && {cond}")).collect();
        self.out.line("t += 1");
        self.out.open(&format!("if t >= {}{goes_on} {{", self.stop));
        self.out.line("print(big)\nt = -1000000000");
        self.out.close();
    }

    fn statements(&mut self, depth: u32, around: Around) {
        for _ in 0..self.rng.range(1, 4) {
            self.statement(depth, around);
        }
    }

    fn statement(&mut self, depth: u32, around: Around) {
        match self.rng.below(100) {
            35..60 if depth > 0 => self.branch(depth - 1, around),
            60..78 if depth > 0 && self.loops < 4 => self.inner_loop(depth - 1),
            78..90 => self.exit(around),
            90..95 if around == Around::Outermost => self.place(),
            95.. if depth > 0 && self.catches => self.guarded(depth - 1, around),
            _ => {
                let straight = *self.rng.pick(&STRAIGHT);
                self.out.line(straight);
            }
        }
    }

    fn branch(&mut self, depth: u32, around: Around) {
        let cond = *self.rng.pick(&SOMETIMES);
        self.out.open(&format!("if {cond} {{"));
        self.statements(depth, around);
        if self.rng.chance(40) {
            self.out.next("} else {");
            self.statements(depth, around);
        }
        self.out.close();
    }

    fn inner_loop(&mut self, depth: u32) {
        self.loops += 1;
        let name = format!("k{}", self.loops);
        let times = *self.rng.pick(&[2, 3, 5, 9]);
        let goes_on = if self.rng.chance(50) {
            self.out.open(&format!("for {name} in 0..{times} {{"));
            format!("{name} < {}", times - 1)
        } else {
            self.out.line(&format!("var {name} = {times}"));
            self.out.open(&format!("while {name} > 0 {{"));
            self.out.line(&format!("{name} -= 1"));
            format!("{name} > 0")
        };
        self.goes_on.push(goes_on);
        self.place();
        self.statements(depth, Around::Inner);
        self.goes_on.pop();
        self.out.close();
    }

    fn exit(&mut self, around: Around) {
        let rare = *self.rng.pick(&RARELY);
        let often = *self.rng.pick(&SOMETIMES);
        let line = match (around, self.rng.below(4)) {
            (Around::None, _) | (_, 0) => format!("if {rare} {{ return i }}"),
            (Around::Outermost, 1) => format!("if {rare} {{ break }}"),
            (Around::Inner, 1 | 2) => format!("if {often} {{ break }}"),
            (Around::Outermost | Around::Inner, _) => format!("if {often} {{ continue }}"),
        };
        self.out.line(&line);
    }

    fn guarded(&mut self, depth: u32, around: Around) {
        let cond = *self.rng.pick(&SOMETIMES);
        self.out.open("try {");
        self.out.line(&format!("if {cond} {{ fail \"it holds\" }}"));
        self.statements(depth, around);
        self.out.next("} catch e {");
        self.out.line("i += len(e) & 3");
        self.out.close();
    }
}
