//! Parts that run for a release rather than for each change: they take long, or need special
//! machines. Each runs by its name; `cargo xtask test all` runs all.

use std::path::Path;

use super::rust::{Build, ON_BOTH_DATABASES};
use super::{Part, SharedOutcomes, browser, requests, runner, temporal};
use crate::step::step;
use crate::{llm, nocodb, package, wasm};

/// Kills per loop; each change is tested with six.
const KILLS: &str = "220";

/// Random requests by Schemathesis for each action: some 5,000 in total.
const FUZZ: u32 = 31;

/// Runs one part.
pub fn run(root: &Path, build: &Build, part: Part, tally: &SharedOutcomes) {
    match part {
        Part::Package => {
            let shipped = step("The rules' package as shipped", "", || {
                wasm::build(root, wasm::BuildMode::Shipped, wasm::Lints::Skipped)
            });
            tally.record("package", shipped);
            let package = root.join("wasm-pkg");
            let title = "Tests of the rules' package as shipped";
            tally.part("package", runner(root, title, &package, None));
        }
        Part::Databases => {
            let cases = step("Tests of the server on both databases", "", || {
                build.some_tests(ON_BOTH_DATABASES, &[])
            });
            tally.part("databases", cases);
        }
        Part::Kills => {
            let cases = step("Kill loops", "", || {
                build.some_tests("binary(killed)", &[("SLOVO_TEST_KILLS", KILLS)])
            });
            tally.part("kills", cases);
        }
        Part::Fuzz => {
            let title = "Many requests generated from the API's document";
            tally.part("fuzz", requests::tests(root, title, FUZZ, None));
        }
        Part::Frames => {
            let speed = [("SLOVO_SPEED", "1")];
            let cases = browser::playwright(root, "Frames", &["transcript-speed"], &speed);
            tally.part("frames", cases);
        }
        Part::Pictures => {
            let all = [("SLOVO_PICTURES", "1")];
            let cases = browser::playwright(root, "Every state in every look", &[], &all);
            tally.part("pictures", cases);
            let every = [("SLOVO_PICTURES", "1"), ("SCREENS", "all")];
            let config = ["--config", "e2e/screens.config.ts"];
            let cases = browser::playwright(root, "Every screen in every look", &config, &every);
            tally.part("pictures", cases);
        }
        Part::Endpoint => tally.record("endpoint", llm::test(root)),
        Part::Nocodb => {
            // Both record into the same base.
            let cases = nocodb::with_server(root, |variables| {
                build.ignored_tests("test(/^tests::nocodb::recorded/)", variables)
            });
            tally.part("nocodb", cases);
        }
        Part::Debian => tally.record("debian", package::test(root)),
        Part::Temporal => {
            let cases = step("Kills with Temporal", "", || temporal::tests(root, build));
            tally.part("temporal", cases);
        }
        _ => {}
    }
}
