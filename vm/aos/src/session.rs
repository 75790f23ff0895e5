//! The adaptive system of one run: who decides, and where events go. Invariant: an event is in the file before the
//! actions that follow from it are carried out. A file that cannot be written stops being written, and
//! [`Session::finish`] says so.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use std::io::{self, Write};

use holloway_ir::FuncRef;

use super::event::{RunEnd, Subject, Thread, What};
use super::event_file::EventWriter;
use super::strategies::STRATEGIES;
use crate::{
    Action, Calibration, Clock, Controller, Event, Micros, Observation, Observed, Parts, Policy, ReplayController,
    Settings, StressController, Stressed,
};

/// The policy of a run.
#[derive(Clone, Debug)]
pub enum PolicyOfRun {
    /// A strategy, whose decisions the controller carries out.
    Controller(Box<Controller>),
    Replay(Box<ReplayController>),
    Random(Box<StressController>),
}

/// Choice whether events are kept in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// For a story at the end.
    Events,
    /// They are only written.
    Nothing,
}

/// Takes events as they happen.
pub trait EventSink: Send {
    /// Takes an event. Once one cannot be taken, no more are given.
    fn take(&mut self, event: &Event) -> io::Result<()>;
    /// The run is over, at a time.
    fn finish(self: Box<Self>, at: Micros) -> io::Result<()>;
}

impl<W: Write + Send> EventSink for EventWriter<W> {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        self.write(event)
    }

    fn finish(self: Box<Self>, at: Micros) -> io::Result<()> {
        EventWriter::finish(*self, at)
    }
}

/// The adaptive system of one run.
pub struct Session {
    policy: PolicyOfRun,
    keep: Keep,
    events: Vec<Event>,
    sinks: Vec<Box<dyn EventSink>>,
    failed: Option<io::Error>,
    latest: Micros,
    /// The end of the last run so far.
    end: Option<Event>,
    recording: Option<Vec<Observed>>,
}

impl Session {
    /// A run that is decided by `policy`.
    pub fn new(policy: PolicyOfRun, keep: Keep) -> Self {
        Self {
            policy,
            keep,
            events: Vec::new(),
            sinks: Vec::new(),
            failed: None,
            latest: Micros(0),
            end: None,
            recording: None,
        }
    }

    /// A run that costs and benefits decide, with compilation on another thread, of which nothing is kept.
    pub fn in_background() -> Self {
        let controller = Controller::new(Settings::background(), STRATEGIES[0], Calibration::embedded);
        Self::new(PolicyOfRun::Controller(Box::new(controller)), Keep::Nothing)
    }

    /// The same, with its events kept.
    pub fn keeping_events(self) -> Self {
        Self { keep: Keep::Events, ..self }
    }

    /// Gives events to a sink, too, from now on.
    pub fn write_to(&mut self, sink: Box<dyn EventSink>) {
        self.sinks.push(sink);
    }

    /// A run that chance decides.
    pub fn by_chance(seed: u64) -> Self {
        Self::new(PolicyOfRun::Random(Box::new(StressController::new(seed))), Keep::Nothing)
    }

    /// Outcome so far, where chance decides.
    pub fn stressed(&self) -> Option<Stressed> {
        let PolicyOfRun::Random(stress) = &self.policy else { return None };
        Some(stress.stressed())
    }

    /// Number of polls that pass until the next tick, where chance decides.
    pub fn polls_to_tick(&mut self) -> Option<u64> {
        let PolicyOfRun::Random(stress) = &mut self.policy else { return None };
        Some(stress.polls_to_tick())
    }

    /// The follower of advice, where advice decides.
    pub fn replay(&self) -> Option<&ReplayController> {
        let PolicyOfRun::Replay(replay) = &self.policy else { return None };
        Some(replay)
    }

    pub fn replay_mut(&mut self) -> Option<&mut ReplayController> {
        let PolicyOfRun::Replay(replay) = &mut self.policy else { return None };
        Some(replay)
    }

    /// True iff time is a count of polls, so that two runs decide alike.
    pub fn counts_polls(&self) -> bool {
        self.controller().is_none_or(|controller| controller.settings().clock == Clock::Polls)
    }

    /// The controller, where it is what decides.
    pub fn controller(&self) -> Option<&Controller> {
        let PolicyOfRun::Controller(controller) = &self.policy else { return None };
        Some(controller)
    }

    /// The name of who decides: the strategy, `replay` or `stress`.
    pub fn policy_name(&self) -> &'static str {
        match &self.policy {
            PolicyOfRun::Controller(controller) => controller.strategy().name,
            PolicyOfRun::Replay(_) => "replay",
            PolicyOfRun::Random(_) => "stress",
        }
    }

    /// True iff who decides goes by the back edges that baseline code has counted.
    pub fn wants_back_edges(&self) -> bool {
        self.controller().is_some_and(|controller| controller.strategy().wants_back_edges)
    }

    /// Parts that the run does without.
    pub fn without(&self) -> Parts {
        self.controller().map_or(Parts::NONE, |controller| controller.settings().without)
    }

    /// The constants by which it decides; the usual ones if nothing is decided.
    pub(crate) fn settings(&self) -> Settings {
        self.controller().map_or_else(Settings::default, |controller| *controller.settings())
    }

    /// The events that were kept, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// True iff a function was declared.
    pub fn knows(&self, func: FuncRef) -> bool {
        match &self.policy {
            PolicyOfRun::Controller(controller) => controller.knows(func),
            PolicyOfRun::Replay(replay) => replay.knows(func),
            PolicyOfRun::Random(stress) => stress.knows(func),
        }
    }

    /// Takes an observation to who decides; gives what is to be done.
    pub fn observe(&mut self, now: Micros, observation: Observation) -> Vec<Action> {
        let noted = self.recording.is_some().then(|| observation.clone());
        let actions = self.policy_mut().observe(now, observation);
        if let (Some(recording), Some(observation)) = (&mut self.recording, noted) {
            recording.push(Observed { now, observation, actions: actions.clone() });
        }
        self.emit_events();
        actions
    }

    /// Records all observations from now on.
    pub fn record(&mut self) {
        self.recording.get_or_insert_default();
    }

    /// Observations that were recorded.
    pub fn recording(&self) -> &[Observed] {
        self.recording.as_deref().unwrap_or_default()
    }

    fn policy_mut(&mut self) -> &mut dyn Policy {
        match &mut self.policy {
            PolicyOfRun::Controller(controller) => &mut **controller,
            PolicyOfRun::Replay(replay) => &mut **replay,
            PolicyOfRun::Random(stress) => &mut **stress,
        }
    }

    /// A run stopped; if another one follows, its end tells of both.
    pub fn stopped(&mut self, now: Micros, end: RunEnd) {
        let (thread, subject) = (Thread::Program, Subject::default());
        self.end = Some(Event { time: now, thread, subject, what: What::RunEnd(end) });
    }

    /// The run is over: tells its end, and ends the files. The error is why events are missing from one.
    pub fn finish(&mut self) -> io::Result<()> {
        self.emit_events();
        if let Some(end) = self.end.take() {
            self.emit(end);
        }
        let ends = std::mem::take(&mut self.sinks).into_iter().map(|sink| sink.finish(self.latest));
        let ended = ends.fold(Ok(()), Result::and);
        self.failed.take().map_or(ended, Err)
    }

    fn emit_events(&mut self) {
        let events = self.policy_mut().take_events();
        events.into_iter().for_each(|event| self.emit(event));
    }

    fn emit(&mut self, event: Event) {
        self.latest = event.time;
        let failed = &mut self.failed;
        self.sinks.retain_mut(|sink| match sink.take(&event) {
            Ok(()) => true,
            Err(error) => {
                failed.get_or_insert(error);
                false
            }
        });
        if self.keep == Keep::Events {
            self.events.push(event);
        }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("policy", &self.policy)
            .field("events", &self.events.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::BodyHash;
    use crate::{FunctionInfo, Settings, Tick, event_file};
    use holloway_jit::{Tier, VersionId};
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn session(file: EventWriter<impl Write + Send + 'static>) -> Session {
        let controller = Controller::new(Settings::synchronous(), STRATEGIES[0], Calibration::embedded);
        let mut session = Session::new(PolicyOfRun::Controller(Box::new(controller)), Keep::Events);
        session.write_to(Box::new(file));
        session
    }

    fn tick(session: &mut Session, now: u64) -> Vec<Action> {
        let func = FuncRef::from_u32(0);
        let (name, file) = ("walk".to_owned(), "walk.hw".to_owned());
        let info =
            FunctionInfo { name, file, line: 3, size: 70, loops: Vec::new(), is_optimized: false, hash: BodyHash(1) };
        if !session.knows(func) {
            session.observe(Micros(now), Observation::Declared(func, info));
        }
        let (version, tier) = (VersionId(0), Tier::Baseline);
        let tick = Tick { func, version, tier, loop_header: None, inlined: None, caller: None, counted: None };
        session.observe(Micros(now), Observation::Tick(tick))
    }

    #[test]
    fn events_are_in_the_file_as_they_happen_and_kept() {
        let shared = Shared::default();
        let file = EventWriter::new(shared.clone(), "walk.hw").unwrap();
        let mut session = session(file);
        for now in 1..=5 {
            tick(&mut session, now * 1_000);
        }
        let text = || String::from_utf8(shared.0.lock().unwrap().clone()).unwrap();
        assert!(session.events().len() >= 2, "{:?}", session.events());
        assert_eq!(event_file::read(&text()).as_deref(), Ok(session.events()));
        session.finish().unwrap();
        assert!(text().ends_with("\n]\n"));
    }

    #[test]
    fn a_file_that_cannot_be_written_does_not_stop_the_program() {
        struct Full(usize);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
                Ok(bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let file = EventWriter::new(Full(400), "walk.hw").unwrap();
        let mut session = session(file);
        for now in 1..=5 {
            tick(&mut session, now * 1_000);
        }
        assert!(session.events().len() >= 2);
        assert_eq!(session.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
