//! The timer: a thread that raises the tick flag while a program runs, each millisecond, or less often where nothing follows from ticks.
//!
//! In: a handle to the program; whether a tick led to something. Out: ticks. Invariant: dropping it ends the thread; between runs it sleeps.

use crate::settings::{QUIET_PERIOD, QUIET_TICKS, TICK_PERIOD};
use holloway_runtime::{InterruptHandle, flag};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};

/// The timer.
pub(super) struct Ticker {
    request: Option<Sender<TimerRequest>>,
    /// Ticks in a row that led to nothing.
    vain: u32,
    is_quiet: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

enum TimerRequest {
    Run,
    Rest,
}

impl Ticker {
    /// A timer at rest. None if the system has no thread to give: then nothing is sampled.
    fn new(handle: InterruptHandle) -> Option<Ticker> {
        let (request, requests) = mpsc::channel::<TimerRequest>();
        let is_quiet = Arc::new(AtomicBool::new(false));
        let quiet = Arc::clone(&is_quiet);
        let tick = move || {
            while let Ok(request) = requests.recv() {
                let mut runs = matches!(request, TimerRequest::Run);
                while runs {
                    let period = if quiet.load(Ordering::Relaxed) { QUIET_PERIOD } else { TICK_PERIOD };
                    match requests.recv_timeout(period) {
                        Err(RecvTimeoutError::Timeout) => handle.raise(flag::TICK),
                        Ok(TimerRequest::Run) => {}
                        Ok(TimerRequest::Rest) => runs = false,
                        Err(RecvTimeoutError::Disconnected) => return,
                    }
                }
            }
        };
        let thread = thread::Builder::new().name("ticker".to_owned()).spawn(tick).ok()?;
        Some(Ticker { request: Some(request), vain: 0, is_quiet, thread: Some(thread) })
    }

    /// Lets a timer run, which is made if there is none yet.
    pub(super) fn run_in(timer: &mut Option<Ticker>, handle: impl FnOnce() -> InterruptHandle) {
        if timer.is_none() {
            *timer = Ticker::new(handle());
        }
        if let Some(timer) = timer {
            timer.run();
        }
    }

    /// Takes note whether something followed from a tick, or from the end of a compilation.
    pub(super) fn note(&mut self, led_to_something: bool) {
        self.vain = if led_to_something { 0 } else { self.vain.saturating_add(1) };
        self.is_quiet.store(self.vain >= QUIET_TICKS, Ordering::Relaxed);
    }

    pub(super) fn run(&mut self) {
        self.note(true);
        self.send(TimerRequest::Run);
    }

    pub(super) fn rest(&self) {
        self.send(TimerRequest::Rest);
    }

    fn send(&self, request: TimerRequest) {
        self.request.as_ref().expect("it is there until the end").send(request).expect("the timer waits for requests");
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.request.take();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the timer does not panic");
        }
    }
}
