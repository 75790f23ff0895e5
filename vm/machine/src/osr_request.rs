//! Requests for on-stack replacement: which frame's loop headers call the runtime, and when.
//!
//! In: the frames, at ticks and after installations. Out: the word of the context that back edges look at
//! ([`Context::leaving`](holloway_abi::Context::leaving)).
//!
//! A frame waits when another version of its function takes its activations over at some loop header. The word holds headers,
//! not frames: code of any frame that comes by such a header calls the runtime. So it is set only for the frame that runs. For
//! the innermost of the frames further out that wait, the call at which it stands gets a return barrier, which sets the word
//! when the call ends:
//!
//! ```text
//!   tick --> running frame waits ---------------------------> word set --> loop header --> OSR
//!       \--> caller waits -> barrier --return or handler--/        \--> other frame: word cleared, barrier
//! ```
//!
//! Invariant: while the word is set and a frame that does not wait runs, that frame calls the runtime at one header at most.

use super::Machine;
use super::depth::FrameAt;
use super::settings::{LONGEST_PAUSE, MOST_MISDIRECTED, OSR_FRAMES, OSR_POLLS};
use holloway_abi::{ANY_HEADER, header_number};
use holloway_jit::{Leaving, Version};

impl Machine {
    /// A tick: requests on-stack replacement of the innermost frame that waits.
    pub fn request_osr_at_tick(&mut self) {
        self.osr_request.misdirected = 0;
        let was_requested = self.runtime.context().osr_request().is_some();
        if !was_requested || self.running_frame_waits() {
            self.osr_request.pause = self.osr_request.pause.saturating_sub(1);
        } else {
            self.osr_request.unmet = (self.osr_request.unmet + 1).min(LONGEST_PAUSE);
            self.osr_request.pause = (1 << self.osr_request.unmet) - 1;
        }
        self.request_osr();
    }

    /// Requests on-stack replacement of the innermost frame that waits.
    pub fn request_osr(&mut self) {
        self.withdraw_osr_request();
        let Some((waiting, callee)) = self.innermost_waiting() else { return };
        match callee {
            None => self.set_osr_request(waiting),
            Some(callee) if self.osr_request.pause == 0 => self.depth.await_return(callee),
            Some(_) => {}
        }
    }

    /// No frame is asked any more.
    #[inline]
    pub fn withdraw_osr_request(&mut self) {
        self.osr_request.polls = 0;
        self.runtime.context().request_osr(None);
    }

    /// The request was met.
    pub(super) fn osr_request_met(&mut self) {
        self.withdraw_osr_request();
        self.osr_request.unmet = 0;
        self.osr_request.pause = 0;
    }

    /// A frame runs again that waited when its callee was entered; its call returns to `pc`.
    pub(super) fn request_of_caller(&mut self, pc: usize) {
        let wanted = self.code.map.find(pc).and_then(|version| self.awaited_header(version));
        if let Some(wanted) = wanted {
            self.set_osr_request(wanted);
        }
    }

    /// The exit frame came by a header that is asked for, and is not replaced there.
    pub(super) fn osr_misdirected(&mut self) {
        let Some(wanted) = self.runtime.context().osr_request() else { return };
        let (running, here) = self.polled_header();
        match running {
            Some(ANY_HEADER) if self.osr_request.polls > 1 => {
                self.osr_request.polls -= 1;
                return;
            }
            // A flag made this header poll, and the request is for another one of the frame's.
            Some(running) if running == wanted && Some(wanted) != here && wanted != ANY_HEADER => return,
            Some(_) | None => {}
        }
        self.withdraw_osr_request();
        if self.osr_request.misdirected < MOST_MISDIRECTED {
            self.osr_request.misdirected += 1;
            if let Some((_, Some(callee))) = self.innermost_waiting() {
                self.depth.await_return(callee);
            }
        }
    }

    fn set_osr_request(&mut self, wanted: u32) {
        self.osr_request.polls = if wanted == ANY_HEADER { OSR_POLLS } else { 0 };
        self.runtime.context().request_osr(Some(wanted));
    }

    /// The header that the exit frame waits at, and the one at which it polls.
    fn polled_header(&self) -> (Option<u32>, Option<u32>) {
        let Some((_, version, call)) = self.walk(self.exit_frame()).next() else { return (None, None) };
        let here = version.sites.get(call.site as usize).map(|site| header_number(site.block));
        (self.awaited_header(version), here)
    }

    fn running_frame_waits(&self) -> bool {
        let running = self.walk(self.exit_frame()).next();
        running.is_some_and(|(_, version, _)| self.awaited_header(version).is_some())
    }

    /// The header that the innermost waiting frame waits at, and the frame that it called.
    fn innermost_waiting(&self) -> Option<(u32, Option<FrameAt>)> {
        let mut callee = None;
        for (at, version, _) in self.walk(self.exit_frame()).take(OSR_FRAMES) {
            if let Some(wanted) = self.awaited_header(version) {
                return Some((wanted, callee));
            }
            callee = Some(at);
        }
        None
    }

    /// The header at which frames of a version are replaced, as the context has it.
    fn awaited_header(&self, version: &Version) -> Option<u32> {
        let mut headers = self.code.awaited(version).filter(|_| version.frame.leaving != Leaving::Never);
        let first = headers.next()?;
        Some(if headers.next().is_some() { ANY_HEADER } else { header_number(first) })
    }
}
