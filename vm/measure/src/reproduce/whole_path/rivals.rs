//! The files of a run that are compared: the recording, the raw trace, the same after zstd, and Sequitur's grammar.
//!
//! In: a [`WholePath`]. Out: files, their sizes, and the grammar as it is read back.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use holloway_profiler::wpp::WholePath;
use holloway_profiler::wpp::sequitur::{Grammar, Sequitur};

use super::figures::RivalFigures;
use super::ids::Ids;

/// The level of zstd.
const LEVEL: i32 = 19;

/// Logarithm of the length of zstd's window in bytes.
pub(super) const WINDOW_LOG: u32 = 27;

/// The places of the files.
pub(super) struct Files<'a> {
    /// The folder.
    pub(super) folder: &'a Path,
}

impl Files<'_> {
    pub(super) fn recording(&self) -> PathBuf {
        self.folder.join("run.twpp")
    }

    pub(super) fn raw(&self) -> PathBuf {
        self.folder.join("run.raw")
    }

    pub(super) fn zstd(&self) -> PathBuf {
        self.folder.join("run.zst")
    }

    fn grammar(&self) -> PathBuf {
        self.folder.join("run.grammar")
    }
}

/// Writes the raw trace.
pub(super) fn write_raw(path: &WholePath, ids: &Ids, files: &Files<'_>) -> io::Result<()> {
    let mut raw = BufWriter::new(File::create(files.raw())?);
    ids.of_run(path, |id| raw.write_all(&id.to_le_bytes()))?;
    raw.flush()
}

/// Writes the ids after zstd, and Sequitur's grammar of them, which is read back.
pub(super) fn write_rivals(path: &WholePath, ids: &Ids, files: &Files<'_>) -> io::Result<(RivalFigures, Grammar)> {
    let mut zstd = zstd::stream::Encoder::new(BufWriter::new(File::create(files.zstd())?), LEVEL)?;
    zstd.window_log(WINDOW_LOG)?;
    zstd.long_distance_matching(true)?;
    let mut sequitur = Sequitur::default();
    ids.of_run(path, |id| {
        sequitur.push(id);
        zstd.write_all(&id.to_le_bytes())
    })?;
    zstd.finish()?.flush()?;
    fs::write(files.grammar(), sequitur.grammar().to_bytes())?;
    let sizes = (fs::metadata(files.zstd())?.len(), fs::metadata(files.grammar())?.len());
    let start = Instant::now();
    let grammar = Grammar::from_bytes(&fs::read(files.grammar())?).map_err(io::Error::other)?;
    let sequitur_read = start.elapsed().as_secs_f64();
    Ok((RivalFigures { zstd: sizes.0, sequitur: sizes.1, sequitur_read }, grammar))
}
