//! The program `slovo`: a server and a command line over the same engine.

use std::process::ExitCode;

fn main() -> ExitCode {
    slovo_server::cli::run()
}
