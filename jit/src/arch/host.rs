//! The host: the machine and the system that this process runs on.
//!
//! In: the target triple it was built for. Out: its name, and a refusal where code for it cannot run.
//! Invariant: which hosts are supported is decided here, and by the folders of [`super`].

use std::fmt;
use target_lexicon::{Architecture, Environment, HOST, OperatingSystem, Triple};

/// A host that no folder of this module is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedHost(String);

impl fmt::Display for UnsupportedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Holloway compiles for Linux on x86-64 with 64-bit addresses, not for {}", self.0)
    }
}

impl std::error::Error for UnsupportedHost {}

/// The host's target triple, such as `x86_64-unknown-linux-gnu`.
pub fn host() -> String {
    HOST.to_string()
}

/// Refuses a host that code cannot run on.
pub fn check_host() -> Result<(), UnsupportedHost> {
    check(&HOST)
}

fn check(triple: &Triple) -> Result<(), UnsupportedHost> {
    // x32 has the registers and the calls of x86-64, but addresses of 32 bits.
    let is_x32 = matches!(triple.environment, Environment::Gnux32);
    match (triple.architecture, triple.operating_system) {
        (Architecture::X86_64, OperatingSystem::Linux) if !is_x32 => Ok(()),
        _ => Err(UnsupportedHost(triple.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linux_on_x86_64_is_supported() {
        let refusal = |triple: &str| check(&triple.parse().unwrap()).err().map(|error| error.to_string());
        assert_eq!(check_host(), Ok(()));
        assert_eq!(refusal("x86_64-unknown-linux-gnu"), None);
        assert_eq!(refusal("x86_64-unknown-linux-musl"), None);
        for other in ["x86_64-unknown-linux-gnux32", "aarch64-unknown-linux-gnu", "x86_64-pc-windows-msvc"] {
            let says = format!("Holloway compiles for Linux on x86-64 with 64-bit addresses, not for {other}");
            assert_eq!(refusal(other), Some(says));
        }
    }
}
