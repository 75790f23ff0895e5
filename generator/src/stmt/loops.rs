//! Counting loops.

use crate::expr::{Ex, Level};
use crate::r#gen::{Gen, Loop};
use crate::scope::Assign;
use crate::ty::Ty;
use crate::weights;

const LABELS: &[&str] = &["outer", "rows", "scan", "again", "search"];
/// Ranges at the edges of `int`, and empty ones, with their trip counts.
const EDGE_RANGES: &[(&str, u64)] = &[
    ("9223372036854775804..=9223372036854775807", 4),
    ("9223372036854775800..=9223372036854775807 step 3", 3),
    ("-9223372036854775808..-9223372036854775805", 3),
    ("-9223372036854775806..=-9223372036854775808 step -1", 3),
    ("9223372036854775807..9223372036854775805 step -1", 2),
    ("-9223372036854775808..=9223372036854775807 step 4611686018427387904", 4),
    ("9223372036854775807..=-9223372036854775808 step -9223372036854775808", 2),
    ("5..5", 0),
    ("5..=5", 1),
    ("3..-3", 0),
    ("0..3 step -1", 0),
];

impl Gen {
    /// The trip count of a loop here: sometimes hundreds.
    pub(super) fn trips(&mut self) -> Option<i64> {
        let room = self.room() as i64;
        if room < 90 {
            return None;
        }
        if room > 4000 && self.rng.chance(weights::LONG_LOOP) {
            return Some(self.rng.range(100, (room / 25).clamp(160, 700)));
        }
        Some(self.rng.range(2, (room / 30).clamp(3, 24)))
    }

    /// Writes the head of a loop, its body through `body`, and its end.
    pub(crate) fn in_loop(&mut self, head: &str, trips: u64, body: impl FnOnce(&mut Self)) {
        let label = self.rng.chance(weights::LABEL).then(|| {
            let stem = *self.rng.pick(LABELS);
            self.fresh_named(stem)
        });
        let prefix = label.as_ref().map(|label| format!("{label}: ")).unwrap_or_default();
        self.out.open(&format!("{prefix}{head} {{"));
        let (times, mark) = (self.cx.times, self.scope.enter());
        self.cx.times = times.saturating_mul(trips.max(1));
        self.cx.loops.push(Loop { label });
        self.spend(6);
        body(self);
        self.cx.loops.pop();
        self.cx.times = times;
        self.scope.leave(mark);
        self.out.close();
    }

    /// `for i in a..b step s { }`
    pub(super) fn for_range(&mut self) -> bool {
        let Some(trips) = self.trips() else { return false };
        let (range, low, high) = match self.rng.below(10) {
            0..=3 => (format!("0..{trips}"), 0, trips - 1),
            4 => (format!("1..={trips}"), 1, trips),
            5 => (format!("{}..-1 step -1", trips - 1), 0, trips - 1),
            6 => {
                let step = self.rng.range(2, 5);
                let bound = *self.rng.pick(&["..", "..="]);
                (format!("0{bound}{} step {step}", trips * step), 0, trips * step)
            }
            7 => {
                let step = self.rng.range(2, 5);
                (format!("{}..=1 step -{step}", trips * step), 1, trips * step)
            }
            8 if trips >= 3 => {
                let mask = (1 << trips.ilog2()) - 1;
                let bound = self.small_int();
                let bound = self.binary(&bound, "&", &Ex::atom(mask.to_string()), Level::BitAnd);
                (format!("0..{}", bound.text), 0, mask)
            }
            _ => self.stepping_range(trips.min(9)),
        };
        let name = if self.rng.chance(5) { "_".to_owned() } else { self.fresh(&Ty::Int) };
        self.in_loop(&format!("for {name} in {range}"), trips as u64 + 1, |g| {
            if name != "_" {
                g.add_counter(&name, low, high);
            }
            g.body_in_scope(4);
        });
        true
    }

    /// A range whose step is computed: 0 is one of its values if failing is allowed.
    fn stepping_range(&mut self, trips: i64) -> (String, i64, i64) {
        let step = self.small_int();
        let step = if self.unguarded() {
            self.binary(&step, "%", &Ex::atom("3"), Level::Product)
        } else {
            self.binary(&step, "|", &Ex::atom("1"), Level::BitOr)
        };
        (format!("{}..{trips} step {}", -trips / 2, step.text), -trips / 2, trips)
    }

    pub(crate) fn add_counter(&mut self, name: &str, low: i64, high: i64) {
        self.add_local(name, Ty::Int, Assign::Never);
        if let Some(var) = self.scope.note(name) {
            var.range = Some((low, high));
        }
    }

    pub(super) fn for_edge(&mut self) -> bool {
        if self.room() < 200 {
            return false;
        }
        let (range, trips) = *self.rng.pick(EDGE_RANGES);
        let name = self.fresh(&Ty::Int);
        self.in_loop(&format!("for {name} in {range}"), trips, |g| {
            g.add_local(&name, Ty::Int, Assign::Never);
            g.body_in_scope(2);
        });
        true
    }

    /// `while i < n && c { i += 1 ... }`
    pub(super) fn while_loop(&mut self) -> bool {
        let Some(trips) = self.trips() else { return false };
        let name = self.fresh(&Ty::Int);
        let up = self.rng.chance(70);
        let (first, test, change) = if up {
            ("0".to_owned(), format!("{name} < {trips}"), format!("{name} += 1"))
        } else {
            (trips.to_string(), format!("{name} > 0"), format!("{name} -= 1"))
        };
        self.out.line(&format!("var {name} = {first}"));
        self.add_counter(&name, 0, trips);
        let head = match self.rng.below(3) {
            0 => {
                let cond = self.expr(&Ty::Bool, 1);
                let cond = self.operand(&cond, Level::Compare);
                if self.rng.chance(50) { format!("while {test} && {cond}") } else { format!("while {cond} && {test}") }
            }
            _ => format!("while {test}"),
        };
        self.in_loop(&head, trips as u64, |g| {
            g.out.line(&change);
            g.body_in_scope(4);
        });
        true
    }

    /// A loop over the bits or digits of a number.
    pub(super) fn halving(&mut self) -> bool {
        if self.room() < 64 * 30 {
            return false;
        }
        let (name, start) = (self.fresh(&Ty::Int), self.small_int());
        self.out.line(&format!("var {name} = {}", start.text));
        self.add_local(&name, Ty::Int, Assign::Never);
        let (change, trips) = *self.rng.pick(&[(">>>= 1", 64), ("/= 2", 63), ("/= 10", 19), ("&= #", 64)]);
        let change = change.replace('#', &format!("{name} - 1"));
        self.in_loop(&format!("while {name} != 0"), trips, |g| {
            g.out.line(&format!("{name} {change}"));
            g.body_in_scope(2);
        });
        true
    }

    /// `loop { if k > n { break } ... }`
    pub(super) fn endless_loop(&mut self) -> bool {
        let Some(trips) = self.trips() else { return false };
        let name = self.fresh(&Ty::Int);
        self.out.line(&format!("var {name} = 0"));
        self.add_counter(&name, 0, trips + 1);
        self.in_loop("loop", trips as u64 + 1, |g| {
            g.out.line(&format!("{name} += 1"));
            g.out.line(&format!("if {name} > {trips} {{ break }}"));
            g.body_in_scope(4);
        });
        true
    }
}
