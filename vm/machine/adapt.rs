//! Where the adaptive system meets the machine: at polls.
//!
//! In: a pilot. Out: it is asked at each poll that some flag caused, and told of transfers; it compiles, activates and
//! deactivates versions through the machine.
//! Invariant: while the pilot is asked, the machine has none, so that it is not asked again.

use super::Machine;
use super::transfer::Transfer;
use hashbrown::HashSet;
use holloway_jit::{CallSite, Version, VersionId};
use holloway_lang::ir::FuncRef;
use std::sync::Arc;

/// Decides which versions there are.
pub trait Pilot: Send {
    /// A run starts.
    fn start(&mut self, machine: &mut Machine);
    /// Compiled code polls, because some flag is raised.
    fn poll(&mut self, machine: &mut Machine);
    /// An activation moved.
    fn transferred(&mut self, machine: &mut Machine, transfer: &Transfer);
    /// The run ended.
    fn stop(&mut self, machine: &mut Machine);
    /// The functions' bodies may be others now.
    fn replaced(&mut self, funcs: &[FuncRef]);
    /// For those who know what pilot it is.
    fn as_any(&mut self) -> &mut dyn std::any::Any;
    /// The same, to look at.
    fn as_any_ref(&self) -> &dyn std::any::Any;
}

/// The versions that frames are in.
#[derive(Clone, Debug, Default)]
pub struct UsedVersions {
    /// The versions.
    pub versions: HashSet<VersionId>,
    /// How many frames there are.
    pub frames: usize,
}

impl Machine {
    /// Puts a pilot in charge.
    pub fn set_pilot(&mut self, pilot: Box<dyn Pilot>) {
        self.pilot = Some(pilot);
    }

    /// Takes the pilot away: versions stay as they are.
    pub fn take_pilot(&mut self) -> Option<Box<dyn Pilot>> {
        self.pilot.take()
    }

    /// The pilot, to look at.
    pub fn pilot_ref(&self) -> Option<&dyn Pilot> {
        self.pilot.as_deref()
    }

    /// The pilot.
    pub fn pilot(&mut self) -> Option<&mut Box<dyn Pilot>> {
        self.pilot.as_mut()
    }

    /// Whether versions are replaced while the program runs.
    pub(super) fn is_adaptive(&self) -> bool {
        self.pilot.is_some()
    }

    pub(super) fn start_pilot(&mut self) {
        self.ask(|pilot, machine| pilot.start(machine));
    }

    pub(super) fn stop_pilot(&mut self) {
        self.ask(|pilot, machine| pilot.stop(machine));
        self.code.free_retired(|_| false);
    }

    pub(super) fn adapt(&mut self) {
        self.ask(|pilot, machine| pilot.poll(machine));
    }

    /// The exit frame polls at a loop header: moves it if another version waits for it.
    pub(super) fn continue_elsewhere(&mut self) {
        let Some(transfer) = self.transfer() else { return self.osr_misdirected() };
        self.osr_request_met();
        // What counts edges sees the activation end here.
        let func = transfer.from.func.expect("versions of functions are left");
        self.profiles.aborted(func, transfer.header);
        self.leave_path(&transfer.from);
        self.ask(|pilot, machine| pilot.transferred(machine, &transfer));
    }

    fn ask(&mut self, what: impl FnOnce(&mut dyn Pilot, &mut Machine)) {
        if let Some(mut pilot) = self.pilot.take() {
            what(&mut *pilot, self);
            self.pilot = Some(pilot);
        }
    }

    /// The compiled frames, from the one that polls outwards.
    pub fn frames(&self) -> impl Iterator<Item = (&Arc<Version>, &CallSite)> {
        self.walk(self.exit_frame()).map(|(_, version, call)| (version, call))
    }

    /// New code was made while the program polls: its frames may be larger, or stand for more calls, than all before.
    pub fn limit_stack_for_new_code(&mut self) {
        self.has_room_for_new_code();
    }

    /// Frees the versions that nothing leads to and that no frame is in.
    pub fn free_retired(&mut self) -> UsedVersions {
        let mut used = UsedVersions::default();
        for (_, version, _) in self.walk(self.exit_frame()) {
            used.frames += 1;
            used.versions.insert(version.id);
        }
        self.walked_frames += used.frames as u64;
        self.code.free_retired(|version| used.versions.contains(&version.id));
        used
    }
}
