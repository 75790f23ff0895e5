//! The timer: a thread that raises the tick flag each millisecond while a program runs.
//!
//! In: a handle to the program. Out: ticks. Invariant: dropping it ends the thread; between runs it sleeps.

use super::settings::TICK_PERIOD;
use crate::runtime::{InterruptHandle, flag};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};

/// The timer.
pub(super) struct Ticker {
    wish: Option<Sender<Wish>>,
    thread: Option<JoinHandle<()>>,
}

enum Wish {
    Run,
    Rest,
}

impl Ticker {
    /// A timer at rest. None if the system has no thread to give: then nothing is sampled.
    pub(super) fn new(handle: InterruptHandle) -> Option<Ticker> {
        let (wish, wishes) = mpsc::channel::<Wish>();
        let tick = move || {
            while let Ok(wish) = wishes.recv() {
                let mut runs = matches!(wish, Wish::Run);
                while runs {
                    match wishes.recv_timeout(TICK_PERIOD) {
                        Err(RecvTimeoutError::Timeout) => handle.raise(flag::TICK),
                        Ok(Wish::Run) => {}
                        Ok(Wish::Rest) => runs = false,
                        Err(RecvTimeoutError::Disconnected) => return,
                    }
                }
            }
        };
        let thread = thread::Builder::new().name("ticker".to_owned()).spawn(tick).ok()?;
        Some(Ticker { wish: Some(wish), thread: Some(thread) })
    }

    pub(super) fn run(&self) {
        self.send(Wish::Run);
    }

    pub(super) fn rest(&self) {
        self.send(Wish::Rest);
    }

    fn send(&self, wish: Wish) {
        self.wish.as_ref().expect("it is there until the end").send(wish).expect("the timer waits for wishes");
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.wish.take();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the timer does not panic");
        }
    }
}
