//! The `holloway` binary.

fn main() -> std::process::ExitCode {
    holloway::command()
}
