//! Finds a compiler for wasm32 on this machine.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::{BuildMode, MODULES, TARGET, ask};
use crate::setup::{self, Probe, Requirement};
use crate::step::{command, print_line};

/// Timeout for rustup to fetch the target, in seconds; if its server is unreachable it would retry
/// for minutes.
const RUSTUP_SECONDS: u64 = 20;

/// Debian's packages of Rust's compiler and sources, for machines without rustup.
const DEBIAN_RUST: &[Requirement] = &[
    debian("/usr/bin/rustc", "rustc-web"),
    debian("/usr/bin/cargo", "cargo-web"),
    debian("/usr/lib/rustlib/src/rust/library/std", "rust-web-src"),
];

/// The same version's Clippy.
const DEBIAN_CLIPPY: &[Requirement] = &[Requirement {
    probe: Probe::Path(DEBIAN_CLIPPY_DRIVER),
    package: "rust-web-clippy",
    why: "lints the rules for the browser",
}];

const DEBIAN_CLIPPY_DRIVER: &str = "/usr/bin/clippy-driver";

/// Debian's linker, for compilers without one.
const DEBIAN_LINKER: &[Requirement] = &[Requirement {
    probe: Probe::Program("wasm-ld"),
    package: "lld",
    why: "links the rules for the browser",
}];

const fn debian(path: &'static str, package: &'static str) -> Requirement {
    Requirement {
        probe: Probe::Path(path),
        package,
        why: "builds the rules for the browser",
    }
}

/// A compiler for wasm32.
enum Toolchain {
    /// The default toolchain, with the target's standard library installed.
    Everyday,
    /// Debian's, which builds the standard library from source.
    Debian,
}

/// Cargo with a compiler for wasm32.
pub struct Cargo {
    command: Command,
    toolchain: Toolchain,
}

/// Cargo with the compiler of this machine.
pub fn cargo(root: &Path) -> Result<Cargo> {
    let toolchain = find(root)?;
    let command = match toolchain {
        Toolchain::Everyday => clean(root, "cargo"),
        Toolchain::Debian => {
            let mut cargo = clean(root, "/usr/bin/cargo");
            cargo
                .env("RUSTC", "/usr/bin/rustc")
                // Building the standard library is an unstable feature, enabled here for a stable
                // compiler.
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker(root)?);
            cargo
        }
    };
    Ok(Cargo { command, toolchain })
}

impl Cargo {
    /// Makes Clippy the compiler of the workspace's crates, with warnings as errors. Returns false,
    /// with a message, if the default toolchain has no Clippy.
    pub fn lint(&mut self, root: &Path) -> Result<bool> {
        let driver = match self.toolchain {
            Toolchain::Everyday => {
                let sysroot = ask(clean(root, "rustc").args(["--print", "sysroot"]));
                sysroot.map(|sysroot| Path::new(&sysroot).join("bin/clippy-driver"))
            }
            Toolchain::Debian => {
                setup::ensure(&[DEBIAN_CLIPPY])?;
                Some(PathBuf::from(DEBIAN_CLIPPY_DRIVER))
            }
        };
        let Some(driver) = driver.filter(|driver| driver.is_file()) else {
            print_line(format!(
                "   {TARGET} is not linted: `rustup component add clippy` installs what is missing"
            ));
            return Ok(false);
        };
        self.command
            .env("RUSTC_WORKSPACE_WRAPPER", driver)
            .env("CLIPPY_ARGS", "-Dwarnings");
        Ok(true)
    }

    /// The command that does this with all modules, in this target folder: not the usual one, which
    /// may be locked by the build that runs this program.
    pub fn arguments(&mut self, verb: &str, way: BuildMode, folder: &Path) -> &mut Command {
        let cargo = &mut self.command;
        cargo.args([verb, "--profile", way.profile(), "--target", TARGET]);
        for module in &MODULES {
            cargo.args(["-p", module.package]);
        }
        if let Toolchain::Debian = self.toolchain {
            cargo.arg("-Zbuild-std=std,panic_abort");
        }
        cargo.arg("--target-dir").arg(folder)
    }
}

/// The first that works: the installed target, rustup's, Debian's sources.
fn find(root: &Path) -> Result<Toolchain> {
    if has_target(root) {
        return Ok(Toolchain::Everyday);
    }
    if setup::on_path("rustup") {
        print_line(format!(
            "   fetching {TARGET} with rustup, for at most {RUSTUP_SECONDS} s"
        ));
        if add_target(root)? && has_target(root) {
            return Ok(Toolchain::Everyday);
        }
        print_line("   rustup failed; using Debian's Rust sources instead");
    }
    setup::ensure(&[DEBIAN_RUST]).with_context(|| {
        format!("the standard library for {TARGET} is missing; `rustup target add {TARGET}` installs it, too")
    })?;
    Ok(Toolchain::Debian)
}

/// Whether the default compiler has the target's standard library.
fn has_target(root: &Path) -> bool {
    let arguments = ["--print", "target-libdir", "--target", TARGET];
    ask(clean(root, "rustc").args(arguments)).is_some_and(|folder| Path::new(&folder).is_dir())
}

/// Runs `rustup target add` within its timeout; returns whether it succeeded.
fn add_target(root: &Path) -> Result<bool> {
    let mut rustup = clean(root, "rustup")
        .args(["target", "add", TARGET])
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start rustup")?;
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(RUSTUP_SECONDS) {
        if let Some(status) = rustup.try_wait()? {
            return Ok(status.success());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    rustup.kill()?;
    rustup.wait()?;
    Ok(false)
}

/// The linker of rustup's toolchain, else Debian's.
fn linker(root: &Path) -> Result<PathBuf> {
    let host = ask(clean(root, "rustc").arg("-vV")).unwrap_or_default();
    let host = host.lines().find_map(|line| line.strip_prefix("host: "));
    let sysroot = ask(clean(root, "rustc").args(["--print", "sysroot"]));
    if let (Some(host), Some(sysroot)) = (host, sysroot) {
        let brought = Path::new(&sysroot)
            .join("lib/rustlib")
            .join(host)
            .join("bin/rust-lld");
        if brought.is_file() {
            return Ok(brought);
        }
    }
    setup::ensure(&[DEBIAN_LINKER])?;
    Ok(PathBuf::from("wasm-ld"))
}

/// A command without the variables that `cargo run` and rustup pass to their children, which would
/// force the compiler that built this program.
fn clean(root: &Path, program: &str) -> Command {
    let mut command = command(root, program);
    for name in [
        "CARGO",
        "CARGO_BUILD_TARGET",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_TARGET_DIR",
        "RUSTC",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTDOC",
        "RUSTFLAGS",
        "RUSTUP_TOOLCHAIN",
    ] {
        command.env_remove(name);
    }
    command
}
