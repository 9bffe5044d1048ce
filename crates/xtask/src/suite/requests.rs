//! Schemathesis generates valid and invalid requests from the API document and sends them to the
//! real server: every response must match the document, and none may be an internal server error.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::results::Case;
use super::{finished_cases, report};
use crate::cargo::target_folder;
use crate::serve::{Server, free_port, fresh_folder};
use crate::step::{command, execute, fetch, step, succeeds};

/// Its version is pinned; its dependencies are the newest of the index.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";

/// Its folder, in the target folder.
const PACKAGES: &str = "schemathesis";

/// Schemathesis hooks that sign in, and its configuration.
const HOOKS: &str = include_str!("tester.py");
/// Signs up; for other Python tests, too.
pub(super) const ACCOUNT: &str = include_str!("account.py");
const CONFIG: &str = include_str!("requests.toml");

/// Runs it with at most this many random requests per action; requests derived from the document
/// (limits, wrong types, missing parts) are added.
///
/// The same seed gives the same requests as long as the document stays the same, so that a change
/// does not fail for what it did not touch; without one they are new ones each time.
pub fn tests(root: &Path, title: &str, examples: u32, seed: Option<u32>) -> Result<Vec<Case>> {
    let program = target_folder(root).join("debug/slovo");
    let packages = target_folder(root).join(PACKAGES);
    step(title, "", || {
        let server = start(root, &program)?;
        let api = format!("http://{}/api/v1", server.address);
        let folder = fresh_folder(root, "requests")?;
        fs::write(folder.join("tester.py"), HOOKS)?;
        fs::write(folder.join("account.py"), ACCOUNT)?;
        fs::write(folder.join("schemathesis.toml"), CONFIG)?;
        // The account for the requests.
        execute(
            command(&folder, "python3")
                .arg("tester.py")
                .arg(server.folder().join("outbox"))
                .env("PYTHONPATH", &packages)
                .env("SLOVO_TEST_API", &api),
        )?;
        let report = report(root, "requests.xml")?;
        let path = std::env::join_paths([&packages, &folder])?;
        let passed = succeeds(
            command(&folder, "python3")
                .args(["-m", "schemathesis.cli", "run"])
                .arg(format!("http://{}/api/openapi.json", server.address))
                // These would delete the account.
                .args(["--exclude-operation-id", "delete_account"])
                .args(["--checks", "all", "--continue-on-failure", "--no-color"])
                .args(["--workers", "2", "--max-examples", &examples.to_string()])
                .args(["--warnings", "off", "--report", "junit"])
                .args(seed.map(|seed| format!("--seed={seed}")))
                .arg("--report-junit-path")
                .arg(&report)
                .env("SCHEMATHESIS_HOOKS", "tester")
                .env("PYTHONPATH", path)
                .env("SLOVO_TEST_API", &api),
        )?;
        finished_cases(passed, &report)
    })
}

/// Installs Schemathesis.
pub fn install(root: &Path) -> Result<()> {
    install_packages(root, PACKAGES, &[SCHEMATHESIS])
}

/// Installs these versions of Python packages with their dependencies into a separate folder.
pub fn install_packages(root: &Path, folder: &str, names: &[&str]) -> Result<()> {
    let listed = names.join(" ");
    let packages = target_folder(root).join(folder);
    let stamp = packages.join("complete");
    if fs::read_to_string(&stamp).is_ok_and(|stamp| stamp == listed) {
        return Ok(());
    }
    if packages.exists() {
        fs::remove_dir_all(&packages)?;
    }
    // A second try must replace what the first one left.
    fetch(
        command(root, "python3")
            .args([
                "-m",
                "pip",
                "install",
                "--disable-pip-version-check",
                "--quiet",
                "--upgrade",
            ])
            .args([
                "--root-user-action",
                "ignore",
                "--only-binary",
                ":all:",
                "--target",
            ])
            .arg(&packages)
            .args(names),
    )?;
    Ok(fs::write(&stamp, listed)?)
}

/// A server with a sign-in limit high enough for the requests, and without limits of a plan.
pub(super) fn start(root: &Path, program: &Path) -> Result<Server> {
    let port = free_port()?;
    let folder = fresh_folder(root, &format!("requests-{port}"))?;
    let mut serve = command(root, program);
    serve
        .args(["serve", "--port", &port.to_string(), "--data"])
        .arg(&folder)
        // No plan limits: the test is about requests, not plans.
        .env("SLOVO_EDITION", "organisation")
        // The receivers of the tests.
        .env("SLOVO_USER_WEBHOOK_ALLOW", "127.0.0.1")
        .env_remove("DATABASE_URL");
    for limit in [
        "signups-per-hour",
        "logins-per-minute",
        "logins-per-account",
        "mails-per-hour",
    ] {
        serve.args([&format!("--{limit}"), "1000000"]);
    }
    Server::start(&mut serve, port, folder, "Slovo is at ")
}
