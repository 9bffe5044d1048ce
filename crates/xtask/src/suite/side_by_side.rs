//! The parts that leave two cores idle for a third of their time, three at a time.

use std::path::Path;
use std::thread;

use super::rust::Build;
use super::{Part, REQUESTS, SEED, SharedOutcomes, clients, requests, runner, subtitles};
use crate::cargo::target_folder;
use crate::step::{step, with_buffered_output};

/// Runs those that are wanted.
pub fn run(
    root: &Path,
    build: &Build,
    has_program: bool,
    wants: &impl Fn(Part) -> bool,
    tally: &SharedOutcomes,
) {
    let [clients, package, rust, subtitles] =
        [Part::Clients, Part::Wasm, Part::Rust, Part::Subtitles].map(wants);
    thread::scope(|scope| {
        if clients {
            scope.spawn(|| {
                with_buffered_output(|| tally.part("clients", clients::tests(root)));
            });
        }
        scope.spawn(|| {
            with_buffered_output(|| {
                if package {
                    // After the build, because it compares with a program made there.
                    let answers = target_folder(root).join("debug/examples/answers");
                    let built = has_program.then_some(("SLOVO_ANSWERS", answers));
                    let title = "Tests of the rules' package";
                    tally.part("wasm", runner(root, title, &root.join("wasm-pkg"), built));
                }
                if rust {
                    let title = "Examples in documentation";
                    tally.part("rust", step(title, "", || build.examples()));
                }
                if subtitles {
                    tally.part("subtitles", subtitles::tests(root, build));
                }
            });
        });
        if wants(Part::Requests) {
            let title = "Requests generated from the API's document";
            let cases = requests::tests(root, title, REQUESTS, Some(SEED));
            tally.part("requests", cases);
        }
    });
}
