//! The checksum that POSIX's `cksum` prints.
//!
//! In: bytes. Out: their CRC, followed by that of their number. It ties a trace to the build that wrote it; no C program needs a library to have it.

/// The checksum of a text.
pub(super) fn cksum(bytes: &[u8]) -> u32 {
    let length = bytes.len();
    let octets = (0..usize::BITS / 8).map(|octet| length >> (8 * octet)).take_while(|rest| *rest > 0);
    let octets: Vec<u8> = octets.map(|rest| (rest & 0xff) as u8).collect();
    let table: Vec<u32> = (0..=255_u32).map(|octet| (0..8).fold(octet << 24, |crc, _| shifted(crc))).collect();
    let next = |crc: u32, byte: &u8| crc << 8 ^ table[(crc >> 24 ^ u32::from(*byte)) as usize];
    !bytes.iter().chain(&octets).fold(0, next)
}

/// One division step by the polynomial of POSIX.
fn shifted(crc: u32) -> u32 {
    crc << 1 ^ if crc >> 31 == 1 { 0x04c1_1db7 } else { 0 }
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
