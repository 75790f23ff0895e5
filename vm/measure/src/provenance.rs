//! The machine, the day and the version that figures are of.
//!
//! In: the machine. Out: words that stand above or below figures. Invariant: figures that are told to people name all three.

use std::time::{SystemTime, UNIX_EPOCH};

/// Version, processor and date, in a line.
pub fn told() -> String {
    format!("holloway {}, {}, {}", env!("CARGO_PKG_VERSION"), machine(), date())
}

/// The processor's name and the number of its threads.
pub(crate) fn machine() -> String {
    machine_of(&std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
}

/// The date as YYYY-MM-DD.
pub(crate) fn date() -> String {
    date_of(SystemTime::now())
}

fn machine_of(cpuinfo: &str) -> String {
    let names = || cpuinfo.lines().filter(|line| line.starts_with("model name"));
    let name = names().next().and_then(|line| line.split_once(':')).map(|(_, name)| name.trim());
    match name {
        Some(name) => format!("{name}, {} threads", names().count()),
        None => std::env::consts::ARCH.to_owned(),
    }
}

/// By the civil calendar (H. Hinnant's `civil_from_days`).
fn date_of(time: SystemTime) -> String {
    let days = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn days_have_their_names() {
        let day = |days: u64| date_of(UNIX_EPOCH + Duration::from_secs(days * 86_400));
        assert_eq!(
            [day(0), day(59), day(11_016), day(20_778)],
            ["1970-01-01", "1970-03-01", "2000-02-29", "2026-11-21"]
        );
    }

    #[test]
    fn processors_have_names() {
        assert_eq!(machine_of("model name\t: Fast CPU\nx\nmodel name\t: Fast CPU\n"), "Fast CPU, 2 threads");
        assert_eq!(machine_of(""), std::env::consts::ARCH);
    }
}
