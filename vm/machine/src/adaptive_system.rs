//! The adaptive system as the machine sees it: asked at polls.
//!
//! In: an adaptive system. Out: it is asked at each poll that some flag caused, and told of OSR transitions; it compiles, activates and
//! deactivates versions through the machine.
//! Invariant: while the adaptive system is asked, the machine has none, so that it is not asked again.

use super::{AdaptiveSystem, Machine};
use hashbrown::HashSet;
use holloway_jit::{CallSite, Version, VersionId};
use std::any::Any;
use std::sync::Arc;

/// The versions that frames are in.
#[derive(Clone, Debug, Default)]
pub struct UsedVersions {
    /// The versions.
    pub versions: HashSet<VersionId>,
    /// The number of frames.
    pub frames: usize,
}

impl Machine {
    /// Installs an adaptive system.
    pub fn set_adaptive_system(&mut self, system: Box<dyn AdaptiveSystem>) {
        self.adaptive_system = Some(system);
    }

    /// Removes the adaptive system; versions stay as they are.
    pub fn take_adaptive_system(&mut self) -> Option<Box<dyn AdaptiveSystem>> {
        self.adaptive_system.take()
    }

    /// The adaptive system, if it is one of this type.
    pub fn adaptive_system<S: AdaptiveSystem>(&self) -> Option<&S> {
        let system: &dyn Any = self.adaptive_system.as_deref()?;
        system.downcast_ref()
    }

    /// The same, to change.
    pub fn adaptive_system_mut<S: AdaptiveSystem>(&mut self) -> Option<&mut S> {
        let system: &mut dyn Any = self.adaptive_system.as_deref_mut()?;
        system.downcast_mut()
    }

    /// True iff versions are replaced while the program runs.
    pub(super) fn is_adaptive(&self) -> bool {
        self.adaptive_system.is_some()
    }

    #[inline]
    pub(super) fn start_adaptive_system(&mut self) {
        self.ask(|system, machine| system.start(machine));
    }

    #[inline]
    pub(super) fn stop_adaptive_system(&mut self) {
        self.ask(|system, machine| system.stop(machine));
        if self.code.has_retired() {
            self.code.free_retired(|_| false);
        }
    }

    /// Has the adaptive system measure the calls so far, of which it tells the end.
    pub fn measure_run(&mut self) {
        self.ask(|system, machine| system.measure(machine));
    }

    pub(super) fn adapt(&mut self) {
        self.ask(|system, machine| system.poll(machine));
    }

    /// The exit frame polls at a loop header: OSR, if another version is requested there.
    pub(super) fn replace_if_requested(&mut self) {
        let Some(transfer) = self.take_osr() else { return self.osr_misdirected() };
        self.osr_request_met();
        // What counts edges sees the activation end here.
        let func = transfer.from.func;
        self.profiles.aborted(func, transfer.header);
        self.leave_path(&transfer.from);
        self.ask(|system, machine| system.osr_taken(machine, &transfer));
    }

    #[inline]
    fn ask(&mut self, what: impl FnOnce(&mut dyn AdaptiveSystem, &mut Machine)) {
        if let Some(mut system) = self.adaptive_system.take() {
            what(&mut *system, self);
            self.adaptive_system = Some(system);
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
        for (_, version, _) in self.walk_all(self.exit_frame()) {
            used.frames += 1;
            used.versions.insert(version.id);
        }
        self.walked_frames += used.frames as u64;
        self.code.free_retired(|version| used.versions.contains(&version.id));
        used
    }
}
