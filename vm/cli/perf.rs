//! Files for Linux perf about compiled code: `/tmp/perf-PID.map` and `jit-PID.dump`.
//!
//! In: every version as it is installed. Out: the files perf reads.
#![expect(unsafe_code, reason = "perf notices the dump by an executable mapping of it")]

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::ptr;

use holloway_jit::Version;

use holloway_lang::source::SourceMap;

use super::exit::{Exit, refuse};
use crate::config::PerfConfig;
use holloway::Engine;
use holloway::internals::Executor;
use holloway_measure::jitdump::{self, Line};

/// Makes the engine, with its program, write the configured files, for every version compiled from now on.
pub(super) fn listen(engine: &mut Engine, config: PerfConfig) -> Result<(), Exit> {
    if !config.map && !config.jitdump {
        return Ok(());
    }
    let sources = engine.sources().clone();
    let Executor::Compiled(machine) = engine.executor_mut() else {
        return Err(refuse(&"--perf-map and --jitdump need compiled code, not --tier interp", Exit::Usage));
    };
    let open = || -> io::Result<(Option<File>, Option<JitDump>)> {
        let map = config.map.then(|| File::create(format!("/tmp/perf-{}.map", std::process::id()))).transpose()?;
        let dump = config.jitdump.then(JitDump::create).transpose()?;
        Ok((map, dump))
    };
    let (mut map, mut dump) =
        open().map_err(|error| refuse(&format_args!("cannot write for perf: {error}"), Exit::Failure))?;
    // The map has no times, so an address must mean one version.
    machine.code.keep_origins();
    machine.code.listeners.push(Box::new(move |version, code, name| {
        // A full disk costs the profile, not the program.
        if let Some(file) = &mut map {
            let _ = writeln!(file, "{:x} {:x} {}", version.range.start, code.len(), symbol(version, name));
        }
        if let Some(dump) = &mut dump {
            let _ = dump.load(version, code, name, &sources);
        }
    }));
    Ok(())
}

fn symbol(version: &Version, name: &str) -> String {
    format!("holloway:{name}:{}:v{}", version.kind(), version.id.0)
}

struct JitDump {
    file: File,
    records: u64,
}

impl JitDump {
    fn create() -> io::Result<JitDump> {
        let path = format!("jit-{}.dump", std::process::id());
        let mut file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
        file.write_all(&jitdump::header(std::process::id(), now()))?;
        let protection = libc::PROT_READ | libc::PROT_EXEC;
        // SAFETY: a fresh private mapping of a file that stays open; nothing reads or runs it here.
        let mapped = unsafe { libc::mmap(ptr::null_mut(), 4096, protection, libc::MAP_PRIVATE, file.as_raw_fd(), 0) };
        if mapped == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(JitDump { file, records: 0 })
    }

    fn load(&mut self, version: &Version, code: &[u8], name: &str, sources: &SourceMap) -> io::Result<()> {
        let (name, start) = (symbol(version, name), version.range.start as u64);
        let record = jitdump::load((&name, start, code), self.records, (std::process::id(), now()));
        self.records += 1;
        self.file.write_all(&jitdump::lines(start, &lines(version, sources), now()))?;
        self.file.write_all(&record)
    }
}

/// The lines of code, each from the first instruction on that comes from it.
fn lines(version: &Version, sources: &SourceMap) -> Vec<Line> {
    // What was loaded later is not known here.
    let known = sources.files().count();
    let of_site = |site: u32| {
        let span = version.sites.get(site as usize)?.span;
        ((span.file.as_u32() as usize) < known)
            .then(|| (sources.line_col(span).0, sources.file(span.file).name.as_str()))
    };
    let mut lines: Vec<Line> = Vec::new();
    for origin in &version.origins {
        let Some((line, file)) = of_site(origin.site) else { continue };
        if lines.last().is_none_or(|last| (last.line, last.file.as_str()) != (line, file)) {
            let address = version.range.start as u64 + u64::from(origin.range.start);
            lines.push(Line { address, line, file: file.to_owned() });
        }
    }
    lines
}

/// Nanoseconds of the clock that perf uses with `-k mono`.
fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one `timespec`.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
