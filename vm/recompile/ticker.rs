//! The timer: a thread that raises the tick flag each millisecond while a program runs.
//!
//! In: a handle to the program. Out: ticks. Invariant: dropping it ends the thread; between runs it sleeps.

use super::settings::TICK_PERIOD;
use crate::runtime::{InterruptHandle, flag};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};

/// The timer.
pub(super) struct Ticker {
    request: Option<Sender<TimerRequest>>,
    thread: Option<JoinHandle<()>>,
}

enum TimerRequest {
    Run,
    Rest,
}

impl Ticker {
    /// A timer at rest. None if the system has no thread to give: then nothing is sampled.
    pub(super) fn new(handle: InterruptHandle) -> Option<Ticker> {
        let (request, requests) = mpsc::channel::<TimerRequest>();
        let tick = move || {
            while let Ok(request) = requests.recv() {
                let mut runs = matches!(request, TimerRequest::Run);
                while runs {
                    match requests.recv_timeout(TICK_PERIOD) {
                        Err(RecvTimeoutError::Timeout) => handle.raise(flag::TICK),
                        Ok(TimerRequest::Run) => {}
                        Ok(TimerRequest::Rest) => runs = false,
                        Err(RecvTimeoutError::Disconnected) => return,
                    }
                }
            }
        };
        let thread = thread::Builder::new().name("ticker".to_owned()).spawn(tick).ok()?;
        Some(Ticker { request: Some(request), thread: Some(thread) })
    }

    pub(super) fn run(&self) {
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
