//! `cargo xtask test`: the whole suite, from a fresh clone.
//!
//! Every part runs even when an earlier one failed, so that one run shows everything that needs
//! fixing; failures are printed at once and again at the end. The last line before the table counts
//! tests over all parts.
//!
//! Work that needs the network or one core only (packages, the browser's rules, the page and its
//! own tests) runs beside the compiler.

mod browser;
mod clients;
mod manifests;
mod release;
mod requests;
mod results;
mod rust;
mod side_by_side;
mod subtitles;
mod temporal;
mod times;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::cargo::target_folder;
use crate::step::{
    command, finished_steps, limit_commands, print_line, step, succeeds, with_buffered_output,
};
use crate::{lint, models, setup, wasm, web};
use results::{Case, Outcome};
use rust::Build;

/// Random requests by Schemathesis for each action, in the run for each change.
const REQUESTS: u32 = 2;
/// Seed of these requests; `cargo xtask test fuzz` makes new ones each time.
const SEED: u32 = 1;

/// The longest that a command of these parts may run: more than the longest one takes on a slow
/// machine.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// What to run; without parts, what belongs to every change.
#[derive(Args)]
pub struct Options {
    /// Only these parts.
    #[arg(value_enum)]
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Formatting, lints, arrows, types, locales.
    Lint,
    /// All Rust tests; those of the server on one of the two databases each.
    Rust,
    /// The npm package of the rules, in Node.
    Wasm,
    /// The web app's own tests.
    Web,
    /// Subtitles of the tests' texts, read by other programs.
    Subtitles,
    /// Requests generated from the API's document, against the real server.
    Requests,
    /// Clients of other speech services, against the real server.
    Clients,
    /// The built page in a real browser, against mocked responses.
    Pages,
    /// The built page in a real browser, against the real server.
    E2e,
    /// Release: the tests of the server on both databases.
    Databases,
    /// Release: hundreds of kills; the tests for every change have only six per loop.
    Kills,
    /// Release: many more requests generated from the API's document.
    Fuzz,
    /// Release: how long each frame takes in a text of 100,000 words.
    Frames,
    /// Release: every screen in every language, theme and size.
    Pictures,
    /// Release: a real chat endpoint.
    Endpoint,
    /// Release: the real NocoDB.
    Nocodb,
    /// Release: kills with Temporal as the driver of the work.
    Temporal,
    /// Release: the Debian package, installed in a fresh system.
    Debian,
    /// Release: the browser's rules as shipped, with their size limits.
    Package,
    /// Everything above.
    All,
}

impl Part {
    /// The parts that run for every change.
    const CHANGE: [Self; 9] = [
        Self::Lint,
        Self::Wasm,
        Self::Web,
        Self::Rust,
        Self::Subtitles,
        Self::Requests,
        Self::Clients,
        Self::Pages,
        Self::E2e,
    ];
    /// The additional parts for a release.
    const RELEASE: [Self; 10] = [
        Self::Package,
        Self::Databases,
        Self::Kills,
        Self::Fuzz,
        Self::Frames,
        Self::Pictures,
        Self::Endpoint,
        Self::Nocodb,
        Self::Temporal,
        Self::Debian,
    ];

    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// The result of a run.
#[derive(Default)]
struct Outcomes {
    cases: Vec<(&'static str, Case)>,
    /// Parts that failed, each with the reason unless its tests give it.
    broken: Vec<(&'static str, String)>,
}

/// The results, shared by all threads of a run.
#[derive(Default)]
struct SharedOutcomes(Mutex<Outcomes>);

/// Runs the requested parts and fails if any test failed.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let started = Instant::now();
    let parts = requested(&options.parts);
    if parts.iter().all(|part| Part::CHANGE.contains(part)) {
        limit_commands(LIMIT);
    }
    let wants = |part: Part| parts.contains(&part);
    let tally = SharedOutcomes::default();
    step(
        "System requirements of the compilers",
        "install the packages named above, then run this again",
        || {
            setup::require_node()?;
            setup::ensure(&[setup::BUILD, setup::MODELS])?;
            rust::ensure_nextest(root)
        },
    )?;
    print_wider_runs(root);
    let build = Build::find(root);
    if wants(Part::Lint) {
        tally.record("lint", lint::quick(root));
    }
    let has_program = thread::scope(|scope| -> Result<bool> {
        let aside =
            scope.spawn(|| with_buffered_output(|| run_beside_compiler(root, &wants, &tally)));
        let has_program = programs(root, scope, &build, &parts, &tally);
        match aside.join() {
            Ok(fetched) => fetched.map(|()| has_program),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })?;
    if wants(Part::Rust) {
        tally.part("rust", step("Rust tests", "", || build.tests()));
    }
    side_by_side::run(root, &build, has_program, &wants, &tally);
    for part in [Part::Pages, Part::E2e] {
        if wants(part) {
            if part == Part::E2e && !has_program {
                tally.broken("e2e", "the program was not built".to_owned());
                continue;
            }
            tally.part(browser::label(part), browser::tests(root, part));
        }
    }
    for part in Part::RELEASE {
        if wants(part) {
            release::run(root, &build, part, &tally);
        }
    }
    let names = parts.iter().map(|part| part.name()).collect();
    tally.conclude(root, names, started)
}

/// The parts in the order of the summary.
fn requested(selected: &[Part]) -> Vec<Part> {
    let all = Part::CHANGE.into_iter().chain(Part::RELEASE);
    if selected.is_empty() {
        return Part::CHANGE.to_vec();
    }
    all.filter(|part| selected.contains(part) || selected.contains(&Part::All))
        .collect()
}

/// Prints whether this run includes the wider set of recordings.
fn print_wider_runs(root: &Path) {
    let shared = root.join("../shared/audio/manifest.jsonl");
    if shared.is_file() {
        print_line("   wider runs: shared/audio exists, its files are tested, too");
    } else {
        print_line("   wider runs: shared/audio does not exist, only the default runs are made");
    }
}

/// Installs something below the root.
type Install = fn(&Path) -> Result<()>;

/// Work beside the compiler: fetches packages, builds and checks the page and its rules. Fails only
/// if the machine lacks something.
fn run_beside_compiler(
    root: &Path,
    wants: &impl Fn(Part) -> bool,
    tally: &SharedOutcomes,
) -> Result<()> {
    step(
        "Packages of the machine",
        "install the packages named above, then run this again",
        || setup::ensure(&[setup::RUN, setup::TEST]),
    )?;
    let (web, package) = (root.join("web"), root.join("wasm-pkg"));
    step("Packages of npm", "check the network connection", || {
        web::install(&web)?;
        web::install(&package)
    })?;
    let programs: [(_, _, _, Install); 6] = [
        (
            wants(Part::Requests) || wants(Part::Fuzz),
            "requests",
            "Schemathesis",
            requests::install,
        ),
        (
            wants(Part::Clients),
            "clients",
            "Clients of other services",
            clients::install,
        ),
        (
            wants(Part::Subtitles),
            "subtitles",
            "ttconv",
            subtitles::install,
        ),
        (
            wants(Part::Rust),
            "rust",
            "SeaweedFS",
            rust::install_object_store,
        ),
        (
            wants(Part::Temporal),
            "temporal",
            "Temporal",
            temporal::install,
        ),
        (
            wants(Part::Lint),
            "lint",
            "Schemas of manifests",
            manifests::install,
        ),
    ];
    for (_, part, name, install) in programs.into_iter().filter(|(wanted, ..)| *wanted) {
        let installed = step(name, "check the network connection", || install(root));
        tally.record(part, installed);
    }
    if let Err(error) = step("Rules for the browser (WASM)", "", || {
        rules(root, wants(Part::Lint), tally)
    }) {
        // The page and its tests depend on it: each would report the same error.
        tally.broken("wasm", format!("{error:#}"));
        return Ok(());
    }
    if wants(Part::Lint) {
        tally.record("lint", manifests::check(root));
        tally.record("lint", lint::web(root));
    }
    if wants(Part::Web) {
        tally.part("web", runner(root, "Tests of the web app", &web, None));
    }
    if [Part::Pages, Part::E2e, Part::Frames, Part::Pictures]
        .into_iter()
        .any(wants)
    {
        tally.record("web", step("Web app", "", || web::build(root)));
    }
    Ok(())
}

/// Builds the rules for the browser, with lints if they are wanted. If these fail it is built
/// without them, so that the tests can still run.
fn rules(root: &Path, lints: bool, tally: &SharedOutcomes) -> Result<()> {
    if lints {
        let Err(error) = wasm::build(root, wasm::BuildMode::Quick, wasm::Lints::Denied) else {
            return Ok(());
        };
        tally.broken("lint", format!("wasm32: {error:#}"));
    }
    wasm::build(root, wasm::BuildMode::Quick, wasm::Lints::Skipped)
}

/// Builds the program and the tests with lints, and fetches the models as soon as the programs for
/// that are built. Returns whether the program was built.
fn programs<'scope>(
    root: &'scope Path,
    scope: &'scope thread::Scope<'scope, '_>,
    build: &Build,
    parts: &[Part],
    tally: &'scope SharedOutcomes,
) -> bool {
    let needs_no_program = |part: &Part| {
        matches!(
            part,
            Part::Wasm | Part::Web | Part::Pages | Part::Package | Part::Nocodb
        )
    };
    if parts.iter().all(needs_no_program) {
        return false;
    }
    let mut has_program = false;
    let (conversion, made_conversion) = mpsc::channel();
    let (slovo, made_slovo) = mpsc::channel();
    let bring = move || {
        // If something does not compile, the program may never be built.
        let conversion: PathBuf = made_conversion.recv().ok()?;
        let converted = models::make_models_missing_from_hub(root, &conversion);
        let slovo: PathBuf = made_slovo.recv().ok()?;
        let pulled = converted.and_then(|()| models::pull(root, &conversion, &slovo));
        tally.record("models", pulled);
        Some(())
    };
    scope.spawn(|| with_buffered_output(bring));
    let built = step("Building the program and its tests", "", || {
        build.all(|name, file| {
            // The receiver may have failed; its error is already reported.
            if name == "slovo" {
                has_program = true;
                slovo.send(file.to_path_buf()).ok();
            } else if name == models::CONVERSION {
                conversion.send(file.to_path_buf()).ok();
            }
        })
    });
    match built {
        Err(error) => tally.broken("build", format!("{error:#}")),
        Ok(built) => {
            if !built.compiles {
                tally.broken("build", "it does not compile; see above".to_owned());
            }
            if parts.contains(&Part::Lint) && !built.warnings.is_empty() {
                let count = built.warnings.len();
                tally.broken(
                    "lint",
                    format!("{count} warnings of rustc and Clippy; see above"),
                );
            }
            if parts.contains(&Part::Lint) && !build.lints() {
                tally.record("lint", lint::clippy(root));
            }
        }
    }
    has_program
}

/// Runs the tests of an npm package with its own runner and one more environment variable.
fn runner(
    root: &Path,
    title: &str,
    folder: &Path,
    variable: Option<(&str, PathBuf)>,
) -> Result<Vec<Case>> {
    step(title, "", || {
        let name = folder.file_name().unwrap_or_default();
        let report = report(root, &format!("{}.xml", name.to_string_lossy()))?;
        let passed = succeeds(
            command(folder, "npm")
                .args(["run", "--silent", "test"])
                .envs(variable)
                .env("NO_COLOR", "1")
                .env("SLOVO_JUNIT", &report),
        )?;
        finished_cases(passed, &report)
    })
}

/// Path for a runner's report; an old report is deleted.
fn report(root: &Path, name: &str) -> Result<PathBuf> {
    let folder = target_folder(root).join("suite");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    let file = folder.join(name);
    std::fs::remove_file(&file).ok();
    Ok(file)
}

/// The test cases of a finished runner. A runner that failed without a failed test is an error.
fn finished_cases(passed: bool, report: &Path) -> Result<Vec<Case>> {
    let cases = results::read(report)?;
    if !passed && !cases.iter().any(Case::failed) {
        bail!("the runner failed, although none of its tests did: see above");
    }
    Ok(cases)
}

impl SharedOutcomes {
    fn with(&self, change: impl FnOnce(&mut Outcomes)) {
        let mut outcomes = match self.0.lock() {
            Ok(outcomes) => outcomes,
            Err(poisoned) => poisoned.into_inner(),
        };
        change(&mut outcomes);
    }

    /// Records and prints that a part failed.
    fn broken(&self, part: &'static str, reason: String) {
        print_line(format!("\n!! {part} FAILED: {reason}"));
        self.with(|outcomes| outcomes.broken.push((part, reason)));
    }

    fn record(&self, part: &'static str, outcome: Result<()>) {
        if let Err(error) = outcome {
            self.broken(part, format!("{error:#}"));
        }
    }

    fn part(&self, part: &'static str, outcome: Result<Vec<Case>>) {
        match outcome {
            Err(error) => self.broken(part, format!("{error:#}")),
            Ok(cases) => {
                let failed = cases.iter().filter(|case| case.failed()).count();
                if cases.iter().all(|case| case.outcome == Outcome::Skipped) {
                    self.broken(part, "no test was run".to_owned());
                } else if failed > 0 {
                    self.broken(part, format!("{failed} of {} tests", cases.len()));
                }
                let cases = cases.into_iter().map(|case| (part, case));
                self.with(|outcomes| outcomes.cases.extend(cases));
            }
        }
    }

    /// Prints the table of times, what failed, and the counts.
    fn conclude(self, root: &Path, parts: Vec<String>, started: Instant) -> Result<()> {
        let outcomes = match self.0.into_inner() {
            Ok(outcomes) => outcomes,
            Err(poisoned) => poisoned.into_inner(),
        };
        #[expect(
            clippy::disallowed_methods,
            reason = "the moment names the table; nothing is decided by it"
        )]
        let ended_at = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        let total = started.elapsed();
        let table = times::Table::of(ended_at, parts, total, &finished_steps(), &outcomes.cases);
        times::conclude(&target_folder(root).join("suite/times"), &table)?;
        let count = |matches: fn(&Outcome) -> bool| {
            let cases = outcomes.cases.iter();
            cases.filter(|(_, case)| matches(&case.outcome)).count()
        };
        let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
        if failed > 0 {
            print_line("\n── What failed");
        }
        for (part, case) in &outcomes.cases {
            if let Outcome::Failed(message) = &case.outcome {
                let message = message.replace('\n', "\n      ");
                print_line(format!("   {part}: {}\n      {message}", case.name));
            }
        }
        for (part, problem) in &outcomes.broken {
            print_line(format!("   {part}: {problem}"));
        }
        let skipped = count(|outcome| *outcome == Outcome::Skipped);
        if skipped > 0 {
            print_line(format!(
                "\n   {skipped} skipped; each test prints its reason"
            ));
        }
        let passed = count(|outcome| *outcome == Outcome::Passed);
        print_line(format!("\n{passed} passed, {failed} failed"));
        if !outcomes.broken.is_empty() {
            let mut parts: Vec<&str> = outcomes.broken.iter().map(|(part, _)| *part).collect();
            parts.dedup();
            bail!("failed: {}", parts.join(", "));
        }
        Ok(())
    }
}
