//! From the running thread to the consumer: buffers that are filled here and read there.
//!
//! In: a buffer's addresses for compiled code, and how much of it was written. Out: the [`Consumer`], when all was read.
//!
//! ```text
//!   running thread   buffer 1 | swap | buffer 2 | swap | buffer 3 ...
//!                         \ full              ^ empty
//!   consumer thread        `-- consume --------'
//! ```
//!
//! With a single core, or on request, the running thread consumes at each swap instead.
//! Invariant: words and attachments reach the consumer in the order in which they were made; memory is bounded by [`BUFFERS`], since a
//! running thread that is faster than the consumer waits for an empty buffer.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::thread::{JoinHandle, available_parallelism};

use holloway_abi::EVENT_ROOM;
use holloway_ir::FuncRef;
use holloway_profiler::scheme::FunctionPlan;

use super::consumer::Consumer;
use super::settings::BUFFERS;
use crate::collector::Space;

/// The thread that consumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// A thread of its own, if there is a second core.
    Auto,
    /// A thread of its own.
    Thread,
    /// The running thread, when a buffer is full.
    Inline,
}

/// The running thread's end.
pub struct Channel {
    /// A word of 0, and those that are written: code looks at the word before the next one.
    buffer: Vec<u64>,
    /// Words of it that are to be written; behind them is room for one more report.
    words: usize,
    to: Destination,
}

enum Destination {
    Inline(Box<Consumer>),
    Thread(Worker),
}

struct Worker {
    work: SyncSender<Work>,
    empty: Receiver<Vec<u64>>,
    /// Number of buffers that were made.
    made: usize,
    thread: JoinHandle<Consumer>,
}

/// Requests to the consumer's thread.
enum Work {
    Attach(FuncRef, Arc<FunctionPlan>),
    Detach(FuncRef),
    /// So many words of the buffer.
    Consume(Vec<u64>, usize),
    Answer(Box<dyn FnOnce(&mut Consumer) + Send>),
}

impl Channel {
    /// A channel with an empty buffer of so many words.
    pub fn new(placement: Placement, buffer_words: usize) -> Channel {
        let consumer = Consumer::default();
        let threaded = match placement {
            Placement::Auto => available_parallelism().is_ok_and(|cores| cores.get() > 1),
            Placement::Thread => true,
            Placement::Inline => false,
        };
        let worker = if threaded { Worker::start(consumer) } else { Err(consumer) };
        let to = match worker {
            Ok(worker) => Destination::Thread(worker),
            Err(consumer) => Destination::Inline(Box::new(consumer)),
        };
        Channel { buffer: buffer_of(buffer_words), words: buffer_words, to }
    }

    /// Space for words. The addresses hold until the next call of any method but this one.
    pub fn space(&mut self) -> Space {
        let start = self.buffer.as_mut_ptr().expose_provenance() + size_of::<u64>();
        Space { start, limit: start + size_of::<u64>() * self.words }
    }

    /// Hands over what was written up to the address `end`; where to go on.
    pub fn swap(&mut self, end: usize) -> Space {
        let written = self.written(end);
        match &mut self.to {
            Destination::Inline(consumer) => consume(consumer, &self.buffer[1..=written]),
            Destination::Thread(worker) => {
                let next = worker.empty_buffer(self.words);
                let full = std::mem::replace(&mut self.buffer, next);
                worker.send(Work::Consume(full, written));
            }
        }
        self.space()
    }

    /// Appends words from here, as the unwinder does: `end` is how far compiled code wrote. Where to go on.
    pub fn append(&mut self, end: usize, words: &[u64]) -> Space {
        let mut at = self.written(end);
        for &word in words {
            if at >= self.words {
                let end = self.address(at);
                self.swap(end);
                at = 0;
            }
            at += 1;
            self.buffer[at] = word;
        }
        Space { start: self.address(at), limit: self.address(self.words) }
    }

    /// Collects from a function from here on.
    pub fn attach(&mut self, func: FuncRef, plan: &Arc<FunctionPlan>) {
        match &mut self.to {
            Destination::Inline(consumer) => consumer.attach(func, plan),
            Destination::Thread(worker) => worker.send(Work::Attach(func, Arc::clone(plan))),
        }
    }

    /// Forgets a function; hand over what was written before.
    pub fn detach(&mut self, func: FuncRef) {
        match &mut self.to {
            Destination::Inline(consumer) => drop(consumer.detach(func)),
            Destination::Thread(worker) => worker.send(Work::Detach(func)),
        }
    }

    /// Has whole events read that code did not write; hand over what it wrote before.
    pub fn read(&mut self, words: Vec<u64>) {
        if !words.is_empty() {
            self.ask(move |consumer| consume(consumer, &words));
        }
    }

    /// Asks the consumer, when it has read all that was handed over, and waits for the answer.
    pub fn ask<R: Send + 'static>(&mut self, question: impl FnOnce(&mut Consumer) -> R + Send + 'static) -> R {
        match &mut self.to {
            Destination::Inline(consumer) => question(consumer),
            Destination::Thread(worker) => {
                let (answer, answered) = channel();
                worker.send(Work::Answer(Box::new(move |consumer| {
                    // Whoever asked waits.
                    let _ = answer.send(question(consumer));
                })));
                answered.recv().unwrap_or_else(|_| worker_is_gone())
            }
        }
    }

    /// The consumer, when it has read everything up to the address `end`.
    pub fn finish(mut self, end: usize) -> Consumer {
        self.swap(end);
        match self.to {
            Destination::Inline(consumer) => *consumer,
            Destination::Thread(Worker { work, thread, .. }) => {
                drop(work);
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }
        }
    }

    fn address(&mut self, words: usize) -> usize {
        self.space().start + size_of::<u64>() * words
    }

    fn written(&mut self, end: usize) -> usize {
        let start = self.space().start;
        let limit = start + size_of::<u64>() * (self.buffer.len() - 1);
        assert!((start..=limit).contains(&end) && (end - start).is_multiple_of(8), "events end in the buffer");
        (end - start) / size_of::<u64>()
    }
}

impl Worker {
    /// Starts a thread; the consumer itself where the system has none to give.
    fn start(consumer: Consumer) -> Result<Worker, Consumer> {
        let (work, jobs) = sync_channel::<Work>(2 * BUFFERS);
        let (done, empty): (Sender<Vec<u64>>, Receiver<Vec<u64>>) = channel();
        let fallback = consumer.clone();
        let run = move || serve(consumer, &jobs, &done);
        match std::thread::Builder::new().name("profile".to_owned()).spawn(run) {
            Ok(thread) => Ok(Worker { work, empty, made: 1, thread }),
            Err(_) => Err(fallback),
        }
    }

    /// An empty buffer. One is made where none has been read yet, up to [`BUFFERS`]; then the running thread waits for the consumer.
    fn empty_buffer(&mut self, words: usize) -> Vec<u64> {
        match self.empty.try_recv() {
            Ok(buffer) => buffer,
            Err(TryRecvError::Empty) if self.made < BUFFERS => {
                self.made += 1;
                buffer_of(words)
            }
            Err(_) => self.empty.recv().unwrap_or_else(|_| worker_is_gone()),
        }
    }

    fn send(&self, work: Work) {
        if self.work.send(work).is_err() {
            worker_is_gone();
        }
    }
}

fn serve(mut consumer: Consumer, jobs: &Receiver<Work>, done: &Sender<Vec<u64>>) -> Consumer {
    while let Ok(work) = jobs.recv() {
        match work {
            Work::Attach(func, plan) => consumer.attach(func, &plan),
            Work::Detach(func) => drop(consumer.detach(func)),
            Work::Consume(buffer, written) => {
                consume(&mut consumer, &buffer[1..=written]);
                // The running thread is past needing it when it has finished.
                let _ = done.send(buffer);
            }
            Work::Answer(answer) => answer(&mut consumer),
        }
    }
    consumer
}

fn buffer_of(words: usize) -> Vec<u64> {
    vec![0; 1 + words + EVENT_ROOM]
}

fn consume(consumer: &mut Consumer, words: &[u64]) {
    // Compiled code wrote them behind the compiler's back.
    let words = std::hint::black_box(words);
    if let Err(error) = consumer.consume(words) {
        panic!("a probe went wrong: {error}");
    }
}

fn worker_is_gone() -> ! {
    panic!("the profile's consumer has panicked")
}

#[cfg(test)]
#[path = "channel_tests.rs"]
mod tests;
