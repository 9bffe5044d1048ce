//! Builds the npm package `@slovo/rules` from the rules crate: compile for wasm32, generate the
//! bindings and types, shrink, measure, and put the result into `wasm-pkg/dist`.
//!
//! The bindings are the bundler's form; `wasm-pkg/node.mjs` loads the very same files in Node.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};
use wasm_bindgen_cli_support::Bindgen;

use crate::setup::{self, Need, Probe};
use crate::step::{command, execute, step};
use crate::web;

const TARGET: &str = "wasm32-unknown-unknown";
const CRATE: &str = "slovo-rules-wasm";
/// Name of the built files.
const NAME: &str = "slovo_rules";
/// Largest module that is let through, in bytes after gzip: it loads before the first form.
const MAX_GZIPPED: u64 = 120 * 1000;
/// How long rustup may take to fetch the target, in seconds; where its server cannot be reached
/// it would try for minutes.
const RUSTUP_SECONDS: u64 = 20;

/// Rust's sources and compiler as Debian packages them, for machines that rustup cannot serve.
const DEBIAN_RUST: &[Need] = &[
    debian("/usr/bin/rustc", "rustc-web"),
    debian("/usr/bin/cargo", "cargo-web"),
    debian("/usr/lib/rustlib/src/rust/library/std", "rust-web-src"),
];

/// Debian's linker, where the compiler brings none.
const DEBIAN_LINKER: &[Need] = &[Need {
    probe: Probe::Program("wasm-ld"),
    package: "lld",
    why: "links the rules for the browser",
}];

const fn debian(path: &'static str, package: &'static str) -> Need {
    Need {
        probe: Probe::Path(path),
        package,
        why: "builds the rules for the browser",
    }
}

/// What compiles for wasm32 on this machine.
enum Toolchain {
    /// The everyday one, with the target's standard library installed.
    Everyday,
    /// Debian's, which builds the standard library from its sources.
    Debian,
}

/// Builds `wasm-pkg/dist`, unless it was built from the very same inputs.
pub fn build(root: &Path) -> Result<()> {
    let package = root.join("wasm-pkg");
    let dist = package.join("dist");
    let stamp = dist.join(".slovo-inputs");
    let wanted = inputs(root)?;
    if fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
        println!("   rules package is up to date");
        return Ok(());
    }
    let module = step("compile the rules for the browser", "", || compile(root))?;
    let scratch = root.join("target/wasm/package");
    step("bind and shrink the rules", "", || {
        web::install(&package)?;
        bind(&module, &scratch)?;
        shrink(&package, &scratch.join(format!("{NAME}_bg.wasm")))
    })?;
    let gzipped = gzipped_size(&scratch.join(format!("{NAME}_bg.wasm")))?;
    println!("   rules module: {gzipped} bytes gzipped, limit {MAX_GZIPPED}");
    ensure!(
        gzipped <= MAX_GZIPPED,
        "the rules module has {gzipped} bytes gzipped and may have {MAX_GZIPPED}: \
         see what the last change pulled in (`cargo tree -p {CRATE}`)"
    );
    publish(&scratch, &dist)?;
    fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))
}

/// Digest of all that the package is made of: sources, build profile, this program, and the
/// locked versions of the crates and npm packages that take part.
fn inputs(root: &Path) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update(web::digest(&[
        root.join("crates/rules/src"),
        root.join("crates/rules/Cargo.toml"),
        root.join("crates/rules-wasm"),
        root.join("crates/xtask/src/wasm.rs"),
        root.join("wasm-pkg/package-lock.json"),
    ])?);
    let manifest = read(&root.join("Cargo.toml"))?;
    hash.update(section(&manifest, "[profile.wasm]"));
    hash.update(section(&manifest, "[profile.release]"));
    for (name, version) in locked_versions(&read(&root.join("Cargo.lock"))?, CRATE) {
        hash.update(format!("{name} {version}\n"));
    }
    Ok(hex::encode(hash.finalize()))
}

/// The text from a heading to the next one.
fn section<'a>(manifest: &'a str, heading: &str) -> &'a str {
    let Some(start) = manifest.find(heading) else {
        return "";
    };
    let body = &manifest[start..];
    body.find("\n[").map_or(body, |end| &body[..end])
}

/// Name and version of a package in Cargo.lock and of all that it depends on. Where a name is
/// locked in several versions all of them count: at worst something is built once too often.
fn locked_versions(lock: &str, package: &str) -> BTreeSet<(String, String)> {
    let mut locked: BTreeMap<&str, Vec<(&str, Vec<&str>)>> = BTreeMap::new();
    for entry in lock.split("[[package]]").skip(1) {
        let quoted = |key: &str| {
            let line = entry.lines().find_map(|line| line.strip_prefix(key))?;
            Some(line.trim_matches('"'))
        };
        let (Some(name), Some(version)) = (quoted("name = "), quoted("version = ")) else {
            continue;
        };
        let dependencies = entry
            .lines()
            .filter_map(|line| line.trim().strip_prefix('"')?.split(['"', ' ']).next());
        let dependencies = dependencies.collect();
        locked
            .entry(name)
            .or_default()
            .push((version, dependencies));
    }
    let mut found = BTreeSet::new();
    let mut open = vec![package];
    while let Some(name) = open.pop() {
        for (version, dependencies) in locked.get(name).into_iter().flatten() {
            if found.insert((name.to_owned(), (*version).to_owned())) {
                open.extend(dependencies);
            }
        }
    }
    found
}

fn compile(root: &Path) -> Result<PathBuf> {
    let folder = root.join("target/wasm");
    let mut cargo = match find_toolchain(root)? {
        Toolchain::Everyday => clean(root, "cargo"),
        Toolchain::Debian => {
            let mut cargo = clean(root, "/usr/bin/cargo");
            cargo
                .env("RUSTC", "/usr/bin/rustc")
                // Building the standard library is an unstable feature of a stable compiler.
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker(root)?);
            cargo
        }
    };
    cargo.args([
        "build",
        "--profile",
        "wasm",
        "--target",
        TARGET,
        "-p",
        CRATE,
    ]);
    if cargo.get_program() == "/usr/bin/cargo" {
        cargo.arg("-Zbuild-std=std,panic_abort");
    }
    // A folder of its own: the everyday one may be locked by the build that runs this program.
    cargo.arg("--target-dir").arg(&folder);
    execute(&mut cargo)?;
    Ok(folder
        .join(TARGET)
        .join("wasm")
        .join(format!("{}.wasm", CRATE.replace('-', "_"))))
}

/// The first that serves: the installed target, rustup's, Debian's sources.
fn find_toolchain(root: &Path) -> Result<Toolchain> {
    if has_target(root) {
        return Ok(Toolchain::Everyday);
    }
    if setup::on_path("rustup") {
        println!("   fetching {TARGET} with rustup, for at most {RUSTUP_SECONDS} s");
        if add_target(root)? && has_target(root) {
            return Ok(Toolchain::Everyday);
        }
        println!("   rustup could not; taking Debian's Rust sources instead");
    }
    setup::ensure(&[DEBIAN_RUST]).with_context(|| {
        format!("the standard library for {TARGET} is missing; `rustup target add {TARGET}` brings it, too")
    })?;
    Ok(Toolchain::Debian)
}

/// Whether the everyday compiler has the target's standard library.
fn has_target(root: &Path) -> bool {
    let arguments = ["--print", "target-libdir", "--target", TARGET];
    ask(clean(root, "rustc").args(arguments)).is_some_and(|folder| Path::new(&folder).is_dir())
}

/// `rustup target add` within its time limit; whether it succeeded.
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

/// The linker that comes with rustup's compiler, else Debian's.
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

/// What a program prints, trimmed, if it succeeds.
fn ask(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// A command without what `cargo run` and rustup leave to their children: with it every compiler
/// would be the one that built this program.
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

fn bind(module: &Path, folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Bindgen::new()
        .input_path(module)
        .out_name(NAME)
        .bundler(true)
        .context("bundler bindings")?
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
        .context("cannot generate the bindings")
}

/// Shrinks the module in place with Binaryen, which runs in Node.
fn shrink(package: &Path, module: &Path) -> Result<()> {
    let optimizer = package.join("node_modules/.bin/wasm-opt");
    let before = fs::metadata(module)?.len();
    let features = [
        "--enable-bulk-memory",
        "--enable-multivalue",
        "--enable-mutable-globals",
        "--enable-nontrapping-float-to-int",
        "--enable-reference-types",
        "--enable-sign-ext",
    ];
    execute(
        command(package, "node")
            .arg(optimizer)
            .arg("-Oz")
            .args(features)
            .arg(module)
            .arg("-o")
            .arg(module),
    )?;
    println!(
        "   module: {before} -> {} bytes",
        fs::metadata(module)?.len()
    );
    Ok(())
}

/// Size after gzip at its best level, in bytes; Node has the compressor.
fn gzipped_size(module: &Path) -> Result<u64> {
    let script = "const { gzipSync } = require('node:zlib'); \
                  const bytes = require('node:fs').readFileSync(process.argv[1]); \
                  console.log(gzipSync(bytes, { level: 9 }).length);";
    let printed = ask(Command::new("node").args(["-e", script]).arg(module));
    let printed = printed.context("cannot measure the module with node")?;
    printed
        .parse()
        .with_context(|| format!("node printed {printed:?}"))
}

/// Puts the finished files in place of the old ones.
fn publish(from: &Path, dist: &Path) -> Result<()> {
    if dist.exists() {
        fs::remove_dir_all(dist)?;
    }
    fs::create_dir_all(dist)?;
    for file in fs::read_dir(from)? {
        let file = file?;
        // These types are of the raw module, which nobody calls.
        if file.file_name().to_string_lossy().ends_with(".wasm.d.ts") {
            continue;
        }
        fs::copy(file.path(), dist.join(file.file_name()))?;
    }
    if !dist.join(format!("{NAME}.d.ts")).is_file() {
        bail!("the bindings have no types");
    }
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{locked_versions, section};

    const LOCK: &str = r#"version = 4

[[package]]
name = "app"
version = "0.1.0"
dependencies = [
 "left",
]

[[package]]
name = "left"
version = "1.2.3"
source = "registry"
dependencies = [
 "deep 2.0.0",
]

[[package]]
name = "deep"
version = "1.0.0"

[[package]]
name = "deep"
version = "2.0.0"

[[package]]
name = "unrelated"
version = "9.9.9"
"#;

    #[test]
    fn versions_are_those_of_the_package_and_its_dependencies() {
        let found: Vec<_> = locked_versions(LOCK, "app").into_iter().collect();
        let expected = [
            ("app", "0.1.0"),
            ("deep", "1.0.0"),
            ("deep", "2.0.0"),
            ("left", "1.2.3"),
        ];
        let expected = expected.map(|(name, version)| (name.to_owned(), version.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_section_ends_at_the_next_heading() {
        let manifest = "[a]\nx = 1\n\n[b]\ny = 2\n";
        assert_eq!(section(manifest, "[a]"), "[a]\nx = 1\n");
        assert_eq!(section(manifest, "[b]"), "[b]\ny = 2\n");
        assert_eq!(section(manifest, "[c]"), "");
    }
}
