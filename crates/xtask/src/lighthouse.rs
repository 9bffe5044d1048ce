//! `cargo xtask lighthouse`: measures the public pages in both languages with Lighthouse's default,
//! a simulated phone with a slow processor and a slow network.
//!
//! Lighthouse is a separate package below the target folder, installed only for this verb. 12.8.2
//! is the last version that runs on Node 20.

mod report;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::target_folder;
use crate::serve::{Program, Server, fresh_folder};
use crate::step::{command, execute, step};
use crate::{setup, web};
use report::{MeasuredPage, Report};

const PACKAGE: &str = include_str!("lighthouse/package.json");
const LOCK: &str = include_str!("lighthouse/package-lock.json");

/// The pages, and the query parameters for each language.
const PATHS: [&str; 5] = ["/", "/about", "/features", "/pricing", "/contact"];
const LANGUAGES: [(&str, &str); 2] = [("uk", ""), ("en", "?lang=en")];

/// Most runs of a page. Performance varies with the machine's load, so the median counts.
const TRIES: usize = 3;

/// Failed runs of a page that are tolerated: on a busy machine Chromium sometimes loses a trace.
const FAILURES: usize = 2;

/// Flags for Debian's Chromium, as in the browser tests. The launcher's defaults disable more.
const FLAGS: &str = "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync";

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Only these pages, in both languages: /about.
    #[arg(value_name = "PATH")]
    pages: Vec<String>,
    #[command(flatten)]
    program: Program,
}

/// Measures the pages and fails if one scores below 100.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    setup::require_node()?;
    let chromium = chromium()?;
    let program = options.program.path(root)?;
    let folder = step("Lighthouse", "check the network connection", || {
        installed(root)
    })?;
    let reports = fresh_folder(root, "lighthouse")?;
    let server = Server::slovo(root, &program)?;
    let asked: Vec<&str> = if options.pages.is_empty() {
        PATHS.to_vec()
    } else {
        options.pages.iter().map(String::as_str).collect()
    };
    let mut measured = Vec::new();
    for path in asked {
        for (language, query) in LANGUAGES {
            let page = format!("{path}{query}");
            expect_language(&server, &page, language)?;
            let runs = step(&page, "the reports so far are kept", || {
                runs_of(&page, |run| {
                    let name = format!("{}-{language}-{run}", path.trim_matches('/'));
                    let output = reports.join(name.trim_start_matches('-'));
                    let url = format!("http://{}{page}", server.address);
                    run_once(&folder, &chromium, &url, &output)
                })
            })?;
            measured.push(MeasuredPage { page, runs });
        }
    }
    let missed = report::print(&measured);
    println!("\nReports to look at: {}", reports.display());
    ensure!(missed == 0, "missed goals: {missed}");
    Ok(())
}

/// The path of Chromium, as in the browser tests.
fn chromium() -> Result<PathBuf> {
    if let Some(program) = std::env::var_os("SLOVO_CHROMIUM") {
        return Ok(PathBuf::from(program));
    }
    setup::ensure(&[&[setup::BROWSER]])?;
    Ok(PathBuf::from("/usr/bin/chromium"))
}

/// The folder with Lighthouse, installed as its lock file says.
fn installed(root: &Path) -> Result<PathBuf> {
    let folder = target_folder(root).join("lighthouse");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("package.json"), PACKAGE)?;
    fs::write(folder.join("package-lock.json"), LOCK)?;
    web::install(&folder)?;
    Ok(folder)
}

/// Checks the page's language: a wrong one would be measured twice, and the right one never.
fn expect_language(server: &Server, page: &str, language: &str) -> Result<()> {
    let html = server.get(page, false)?.body;
    let expected = format!("lang=\"{language}\"");
    let has_language = String::from_utf8_lossy(&html)
        .split('>')
        .any(|tag| tag.trim_start().starts_with("<html") && tag.contains(&expected));
    ensure!(has_language, "{page} is not in the language {language}");
    Ok(())
}

/// Runs until the median of performance is certain: two equal values are the median of any three.
fn runs_of(page: &str, mut run: impl FnMut(usize) -> Result<Report>) -> Result<Vec<Report>> {
    let mut runs: Vec<Report> = Vec::new();
    let mut may_fail = FAILURES;
    while runs.len() < TRIES {
        let report = match run(runs.len() + 1) {
            // Lighthouse has printed the reason.
            Err(_) if may_fail > 0 => {
                println!("   that run failed, retrying");
                may_fail -= 1;
                continue;
            }
            report => report.with_context(|| page.to_owned())?,
        };
        println!("   {}", report.scores_line());
        let is_stable = runs
            .iter()
            .any(|other| other.performance() == report.performance());
        runs.push(report);
        if is_stable {
            break;
        }
    }
    Ok(runs)
}

/// One run in a new browser; `output` is the base name of the HTML and JSON reports.
fn run_once(folder: &Path, chromium: &Path, url: &str, output: &Path) -> Result<Report> {
    let categories = report::CATEGORIES.map(|(id, _)| id).join(",");
    execute(
        command(folder, folder.join("node_modules/.bin/lighthouse"))
            .arg(url)
            .args(["--quiet", "--locale=en", "--no-enable-error-reporting"])
            .args(["--output=html", "--output=json"])
            .arg(format!("--output-path={}", output.display()))
            .arg(format!("--only-categories={categories}"))
            .arg(format!("--chrome-flags={FLAGS}"))
            .env("CHROME_PATH", chromium),
    )?;
    let json = output.with_extension("report.json");
    let text =
        fs::read_to_string(&json).with_context(|| format!("cannot read {}", json.display()))?;
    let report = Report::read(&text)?;
    if let Some(error) = report.error() {
        bail!("{url}: {error}");
    }
    Ok(report)
}
