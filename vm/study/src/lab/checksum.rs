//! The checksum that POSIX's `cksum` prints.
//!
//! In: bytes. Out: their CRC, followed by that of their number. It ties a trace to the build that wrote it; no C program needs a library to have it.

use crc::{CRC_32_CKSUM, Crc};

/// The checksum of a text.
pub(super) fn cksum(bytes: &[u8]) -> u32 {
    let length = bytes.len().to_le_bytes();
    let octets = length.iter().rposition(|octet| *octet > 0).map_or(0, |last| last + 1);
    let crc = Crc::<u32>::new(&CRC_32_CKSUM);
    let mut digest = crc.digest();
    digest.update(bytes);
    digest.update(&length[..octets]);
    digest.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_cksum() {
        assert_eq!(cksum(b""), 4_294_967_295);
        assert_eq!(cksum(b"123456789"), 930_766_865);
        assert_eq!(cksum(&[b'a'; 1000]), 145_108_180);
    }
}
