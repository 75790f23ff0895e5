//! The checksum of a file's parts.
//!
//! In: bytes. Out: their CRC-32, as `docs/twpp-format.md` has it.

pub(super) const CHECKSUM: crc::Crc<u32, crc::Table<16>> = crc::Crc::<u32, crc::Table<16>>::new(&crc::CRC_32_ISO_HDLC);

pub(super) fn checksum(bytes: &[u8]) -> u32 {
    CHECKSUM.checksum(bytes)
}
