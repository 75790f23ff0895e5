//! Stored bytes of a section, in parts.
//!
//! In: bytes as they come. Out: the same, their length and checksum.
//! Invariant: no part moves when more bytes come, so that a long frame takes its own length in memory. In one growing vector the 1.3 MB of
//! montecarlo touched 3.9 MB, as it lay in memory twice each time that it grew.

use std::io::{self, Write};

use super::checksum::CHECKSUM;
use crate::settings::wpp::{FIRST_PART, PART};

/// Bytes in parts.
#[derive(Clone, Debug, Default)]
pub(super) struct StoredBytes {
    parts: Vec<Vec<u8>>,
    /// Bytes at the beginning that are left out.
    skipped: usize,
}

impl From<Vec<u8>> for StoredBytes {
    fn from(bytes: Vec<u8>) -> StoredBytes {
        StoredBytes { parts: vec![bytes], skipped: 0 }
    }
}

impl StoredBytes {
    /// The bytes behind the first `count`, which are all in the first part.
    pub(super) fn behind(self, count: usize) -> StoredBytes {
        debug_assert!(self.parts.first().is_some_and(|part| part.len() >= count));
        StoredBytes { skipped: count, ..self }
    }

    /// Number of bytes.
    pub(super) fn len(&self) -> usize {
        self.parts.iter().map(Vec::len).sum::<usize>() - self.skipped
    }

    fn parts(&self) -> impl Iterator<Item = &[u8]> {
        self.parts.iter().enumerate().map(|(nth, part)| if nth == 0 { &part[self.skipped..] } else { part })
    }

    /// The checksum of all.
    pub(super) fn checksum(&self) -> u32 {
        let mut digest = CHECKSUM.digest();
        self.parts().for_each(|part| digest.update(part));
        digest.finalize()
    }

    /// All in one.
    pub(super) fn concat(&self) -> Vec<u8> {
        self.parts().collect::<Vec<_>>().concat()
    }

    /// Writes all.
    pub(super) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        self.parts().try_for_each(|part| to.write_all(part))
    }
}

impl Write for StoredBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.parts.last().is_none_or(|last| last.len() == last.capacity()) {
            // Most frames are short.
            let room = (self.parts.iter().map(Vec::len).sum::<usize>()).clamp(FIRST_PART, PART);
            self.parts.push(Vec::with_capacity(room));
        }
        let last = self.parts.last_mut().expect("there is a part");
        let count = bytes.len().min(last.capacity() - last.len());
        last.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::checksum::checksum;
    use super::*;

    #[test]
    fn bytes_come_back_without_those_that_are_skipped() {
        for len in [10, FIRST_PART, 3 * FIRST_PART, PART - 1, PART, PART + 1, 3 * PART + 7] {
            let bytes: Vec<u8> = (0..len).map(|at| (at % 251) as u8).collect();
            let mut stored = StoredBytes::default();
            bytes.chunks(1_000).for_each(|chunk| stored.write_all(chunk).unwrap());
            let mut written = Vec::new();
            let stored = stored.behind(4);
            stored.write(&mut written).unwrap();
            assert_eq!((stored.len(), stored.checksum()), (len - 4, checksum(&bytes[4..])));
            assert!(written == bytes[4..] && stored.concat() == written);
        }
    }
}
