//! Numbers with units on the command line.
//!
//! In: an option's text. Out: the number, or the reason for which it is none, which clap shows after the option's name.

use std::num::NonZeroU64;
use std::time::Duration;

use holloway_profiler::scheme::{Gap, Sampling};

/// `4096`, `64K`, `2G`: bytes, with K, M and G in 1024s.
pub(super) fn bytes(text: &str) -> Result<NonZeroU64, String> {
    const EXPECTED: &str = "write a number of bytes such as 4096, 512K, 64M or 2G";
    let (digits, shift) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 10),
        Some((at, 'm' | 'M')) => (&text[..at], 20),
        Some((at, 'g' | 'G')) => (&text[..at], 30),
        _ => (text, 0),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(EXPECTED.to_owned());
    }
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    let number = number.ok_or_else(|| "the number does not fit in 64 bits".to_owned())?;
    NonZeroU64::new(number).ok_or_else(|| "the limit must be greater than 0".to_owned())
}

/// `10`, `0.5`: seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "write a number of seconds such as 10 or 0.5".to_owned())?;
    if seconds.is_nan() || seconds <= 0.0 {
        return Err("the limit must be greater than 0".to_owned());
    }
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        Ok(_) => Err("the limit must be at least a nanosecond".to_owned()),
        Err(_) => Err("the number is too large; leave the option out for no limit".to_owned()),
    }
}

/// `5%`, `0.5%`: a part of 1.
pub(super) fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>();
    let part = number.ok().filter(|number| number.is_finite() && *number >= 0.0).map(|number| number / 100.0);
    part.ok_or_else(|| "write a percentage such as 5% or 0.5%".to_owned())
}

/// `1000000`: a number of steps.
pub(super) fn count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "write a whole number such as 1000000".to_owned())
}

/// `1000/9000`: lengths of bursts and gaps; `1000`: of bursts that ticks begin.
pub(crate) fn sampling(text: &str) -> Result<Sampling, String> {
    let length = |text: &str| text.parse().ok().and_then(NonZeroU64::new).filter(|length| length.get() < 1 << 62);
    let (burst, gap) = match text.split_once('/') {
        Some((burst, gap)) => (length(burst), length(gap).map(Gap::Ids)),
        None => (length(text), Some(Gap::Ticks)),
    };
    let sampling = burst.zip(gap).map(|(burst, gap)| Sampling { burst, gap });
    sampling.ok_or_else(|| {
        "write the paths of a burst, such as 1000, of a burst and of a gap, such as 1000/9000, or nothing behind --sample at the end"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_take_suffixes() {
        let value = |text| bytes(text).unwrap().get();
        assert_eq!(
            [value("1"), value("3K"), value("3k"), value("64M"), value("2g")],
            [1, 3072, 3072, 64 << 20, 2 << 30]
        );
        assert_eq!(value("18446744073709551615"), u64::MAX);
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in ["", "K", "-1", "+1", "1.5G", "1 K", "64MB", "0x10", "1é"] {
            assert!(bytes(text).unwrap_err().starts_with("write a number of bytes"), "{text}");
        }
        assert_eq!(bytes("0G").unwrap_err(), "the limit must be greater than 0");
        assert_eq!(bytes("18446744073709551616").unwrap_err(), "the number does not fit in 64 bits");
        assert_eq!(bytes("17179869184G").unwrap_err(), "the number does not fit in 64 bits");
    }

    #[test]
    fn seconds_take_fractions() {
        assert_eq!(seconds("0.5").unwrap(), Duration::from_millis(500));
        for text in ["0", "-1", "nan", "inf", "1e-12", "1e300", "ten", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
