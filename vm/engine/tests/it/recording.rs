//! Observations that a controller makes of a run are a recording of it: another controller decides it alike.

use super::common::{captured, loaded, seen};
use holloway::{Config, TierChoice};
use holloway_aos::observation::decide_again;
use holloway_aos::session::{Keep, PolicyOfRun};
use holloway_aos::strategies::STRATEGIES;
use holloway_aos::{Action, Calibration, Controller, Observed, Session, Settings};

const PROGRAM: &str = "fn walk(n: int) -> int {
    var s = 0
    for i in 0..n { if i % 1000 == 999 { s ^= i } else { s += i & 7 } }
    return s
}
var t = 0
for k in 0..40 { t += walk(100000) }
print(t)
";

#[test]
fn a_run_is_decided_again_alike() {
    for settings in [Settings::synchronous(), Settings::on_two_cores()] {
        let controller = || Controller::new(settings, STRATEGIES[0], Calibration::embedded);
        let mut session = Session::new(PolicyOfRun::Controller(Box::new(controller())), Keep::Events);
        session.record();
        let mut engine =
            loaded(Config { adaptive: Some(holloway::Adaptive(session)), ..captured(TierChoice::Auto, &[]) }, PROGRAM);
        assert_eq!(seen(&mut engine).1, "status 0");
        let recording = engine.executor().adaptive().expect("it decided").recording();
        let told: Vec<Vec<Action>> = recording.iter().map(|observed: &Observed| observed.actions.clone()).collect();
        let installs = told.iter().flatten().filter(|action| matches!(action, Action::Install(_))).count();
        assert!(settings == Settings::on_two_cores() || installs > 0, "nothing was decided");
        assert_eq!(decide_again(&mut controller(), recording), told);
    }
}
