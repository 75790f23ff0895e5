//! The memory that functions read.
//!
//! In: a function by its name, the memory before a call, and its operands. Out: ranges of the memory that the function looks at. Invariants: they follow from
//! the call alone, whatever the world answers; they are in order, and apart from each other.

use crate::functions::MODULE;
use crate::guest::Guest;
use std::ops::Range;

/// Bytes of an entry of a list of buffers, and of a subscription.
const BUFFER: u64 = 8;
const SUBSCRIPTION: u64 = 48;

/// The bytes that a call reads, as it is named in programs: the module, a dot, and the name. None of other functions, nor of what lies outside.
pub fn reads(name: &str, memory: &[u8], words: &[u64]) -> Vec<Range<usize>> {
    let Some(name) = name.strip_prefix(MODULE).and_then(|name| name.strip_prefix('.')) else { return Vec::new() };
    let range = |start: u64, len: u64| start..start.saturating_add(len);
    let text = |at: usize| range(words[at], words[at + 1]);
    let list = || range(words[1], words[2].saturating_mul(BUFFER));
    let found = match name {
        "fd_read" | "fd_pread" => vec![list()],
        "fd_write" | "fd_pwrite" => {
            let buffers = Guest(memory).buffers(words[1] as u32, words[2] as u32).unwrap_or_default();
            let buffers = buffers.into_iter().map(|buffer| range(buffer.start.into(), buffer.len.into()));
            buffers.chain([list()]).collect()
        }
        "path_create_directory" | "path_remove_directory" | "path_unlink_file" | "path_readlink" => vec![text(1)],
        "path_filestat_get" | "path_filestat_set_times" | "path_open" => vec![text(2)],
        "path_link" => vec![text(2), text(5)],
        "path_rename" => vec![text(1), text(4)],
        "path_symlink" => vec![text(0), text(3)],
        "poll_oneoff" => vec![range(words[0], words[2].saturating_mul(SUBSCRIPTION))],
        _ => Vec::new(),
    };
    let is_inside = |range: &Range<u64>| range.start < range.end && range.end <= memory.len() as u64;
    joined(found.into_iter().filter(is_inside).map(|range| range.start as usize..range.end as usize).collect())
}

/// The same bytes in order, each once: buffers may overlap.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::FUNCTIONS;

    fn of(name: &str, words: &[u64]) -> Vec<Range<usize>> {
        let mut memory = [0; 128];
        // Two buffers at 8, which overlap: 40 to 50 and 45 to 60.
        memory[8..24].copy_from_slice(&[40, 0, 0, 0, 10, 0, 0, 0, 45, 0, 0, 0, 15, 0, 0, 0]);
        reads(&format!("wasi_snapshot_preview1.{name}"), &memory, words)
    }

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "a function reads a list of ranges")]
    fn buffers_and_texts_are_read() {
        assert_eq!(of("fd_write", &[1, 8, 2, 0]), [8..24, 40..60]);
        assert_eq!(of("fd_read", &[0, 8, 2, 0]), [8..24]);
        assert_eq!(of("path_rename", &[3, 100, 4, 3, 90, 5]), [90..95, 100..104]);
        assert_eq!(of("poll_oneoff", &[16, 64, 1, 0]), [16..64]);
        assert_eq!(of("clock_time_get", &[0, 0, 8]), []);
        assert_eq!(reads("other.fd_write", &[0; 64], &[1, 8, 2, 0]), []);
    }

    #[test]
    fn nothing_outside_is_read() {
        assert_eq!(of("fd_write", &[1, 120, 2, 0]), []);
        assert_eq!(of("path_open", &[3, 0, u64::from(u32::MAX), u64::from(u32::MAX), 0, 0, 0, 0, 0]), []);
        for row in FUNCTIONS {
            assert_eq!(of(row.name, &vec![u64::from(u32::MAX); row.params.len()]), []);
        }
    }
}
