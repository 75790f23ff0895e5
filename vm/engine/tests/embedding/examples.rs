//! The examples for hosts, run as their readers run them.

#[path = "../../examples/game.rs"]
#[allow(dead_code, reason = "tests call what `main` calls")]
mod game;
#[path = "../../examples/log_filter.rs"]
#[allow(dead_code, reason = "tests call what `main` calls")]
mod log_filter;
#[path = "../../examples/rules.rs"]
#[allow(dead_code, reason = "tests call what `main` calls")]
mod rules;

#[test]
fn a_program_filters_a_log() {
    let expected = "ERROR shop 12 payment refused
INFO mail 450 newsletter sent
? WARN mail 13 strange delay: division by zero
WARN disk 20 almost full
INFO shop 210 checkout
ERROR shop 12 payment refused
INFO mail 450 newsletter sent
? WARN mail 13 strange delay: division by zero
WARN disk 20 almost full
shop: 6, mail: 4, disk: 2
";
    assert_eq!(log_filter::run().unwrap(), expected);
}

#[test]
fn rules_reach_values_of_the_host() {
    let expected = "Ada: large orders
Ada: loyal customers
Ada: too generous failed: a discount of 105% is too much
Ada pays 10200 [\"loyal\"]
Bob: large orders
Bob: too generous failed: a discount of 100% is too much
Bob pays 13500 []
Grace: loyal customers
Grace: too generous failed: a discount of 95% is too much
Grace pays 475 [\"loyal\"]
";
    assert_eq!(rules::run().unwrap(), expected);
}

#[test]
fn a_game_goes_on_when_its_program_is_reloaded() {
    let expected = "0: 1 [4.0, 8.0]
1: 2 [2.0, 4.0]
2: 3 [1.0, 2.0]
3: 5 [0.5, 1.0]
4: 1 [0.25, 0.5]
5: -3 [0.125, 0.25]
not reloaded: the global `frames` cannot keep its value: it was `var frames: int` and would be `var frames: float`
6: -7 [512.0, 0.125]
7: -11 [256.0, 0.0625]
8: -15 [128.0, 0.03125]
9 frames
";
    assert_eq!(game::run().unwrap(), expected);
}
