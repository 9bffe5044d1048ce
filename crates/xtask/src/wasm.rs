//! Builds the npm package `@slovo/rules` from the rules crate: compile its two modules for wasm32,
//! generate the bindings and types, shrink, measure, and put the result into `wasm-pkg/dist`.
//!
//! The bindings are for bundlers; `wasm-pkg/node.mjs` loads the same files in Node.

mod own;
mod toolchain;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};
use wasm_bindgen_cli_support::Bindgen;

use crate::step::{command, execute, say, step};
use crate::web;

const TARGET: &str = "wasm32-unknown-unknown";

/// A module that browsers load.
struct Module {
    /// The crate that it is compiled from.
    package: &'static str,
    /// Name of the built files.
    name: &'static str,
    /// Size limit in bytes, after gzip.
    max_gzipped: u64,
}

const MODULES: [Module; 2] = [
    // Loads before the first form.
    Module {
        package: "slovo-rules-wasm",
        name: "slovo_rules",
        max_gzipped: 120 * 1000,
    },
    // Loads with the first transcript.
    Module {
        package: "slovo-text-wasm",
        name: "slovo_text",
        max_gzipped: 136 * 1000,
    },
];

/// How the package is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As shipped: with link-time optimisation, shrunk, within the size limits.
    Shipped,
    /// For tests and development: the same functions, but larger. A package built as shipped is
    /// accepted, too.
    Quick,
}

impl Way {
    const fn profile(self) -> &'static str {
        match self {
            Self::Shipped => "wasm",
            Self::Quick => "wasm-quick",
        }
    }

    /// Whether a package with this stamp can be used for this mode.
    fn is_served_by(self, stamp: &str, inputs: &str) -> bool {
        let of = |way: Self| stamp == way.stamp(inputs);
        of(Self::Shipped) || (self == Self::Quick && of(Self::Quick))
    }

    /// The stamp written beside a built package. The package's tests read its first word.
    fn stamp(self, inputs: &str) -> String {
        format!("{} {inputs}", self.profile())
    }
}

/// Builds `wasm-pkg/dist`, unless it was built from the same inputs.
pub fn build(root: &Path, way: Way) -> Result<()> {
    let package = root.join("wasm-pkg");
    let dist = package.join("dist");
    let stamp = dist.join(".slovo-inputs");
    let inputs = inputs(root)?;
    if fs::read_to_string(&stamp).is_ok_and(|there| way.is_served_by(&there, &inputs)) {
        say("   rules package is up to date");
        return Ok(());
    }
    let compiled = step("compile the rules for the browser", "", || {
        compile(root, way)
    })?;
    let scratch = root.join("target/wasm/package");
    step("bind and shrink the rules", "", || {
        web::install(&package)?;
        if scratch.exists() {
            fs::remove_dir_all(&scratch)?;
        }
        for module in &MODULES {
            bind(module, &compiled, &scratch)?;
            own::write(&scratch, module.name)?;
            if way == Way::Shipped {
                shrink(&package, &module.built(&scratch))?;
                measure(module, &scratch)?;
            }
        }
        Ok(())
    })?;
    publish(&scratch, &dist)?;
    fs::write(&stamp, way.stamp(&inputs))
        .with_context(|| format!("cannot write {}", stamp.display()))
}

impl Module {
    /// The path of the built module in a folder.
    fn built(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}_bg.wasm", self.name))
    }
}

/// Fails if a module exceeds its size limit.
fn measure(module: &Module, folder: &Path) -> Result<()> {
    let Module {
        package,
        name,
        max_gzipped,
    } = module;
    let gzipped = gzipped_size(&module.built(folder))?;
    say(format!(
        "   {name}: {gzipped} bytes gzipped, limit {max_gzipped}"
    ));
    ensure!(
        gzipped <= *max_gzipped,
        "{name} has {gzipped} bytes gzipped and may have {max_gzipped}: \
         see what the last change pulled in (`cargo tree -p {package}`)"
    );
    Ok(())
}

/// Digest of all inputs of the package: sources, build profile, this program, and the locked
/// versions of the crates and npm packages involved.
fn inputs(root: &Path) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update(web::digest(&[
        root.join("crates/rules/src"),
        root.join("crates/rules/Cargo.toml"),
        root.join("crates/rules-wasm"),
        root.join("crates/text-wasm"),
        root.join("crates/xtask/src/wasm.rs"),
        root.join("crates/xtask/src/wasm"),
        root.join("wasm-pkg/package-lock.json"),
    ])?);
    let manifest = read(&root.join("Cargo.toml"))?;
    hash.update(section(&manifest, "[profile.wasm]"));
    hash.update(section(&manifest, "[profile.wasm-quick]"));
    hash.update(section(&manifest, "[profile.release]"));
    let packages = MODULES.map(|module| module.package);
    for (name, version) in locked_versions(&read(&root.join("Cargo.lock"))?, &packages) {
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

/// Name and version of packages in Cargo.lock and all their dependencies. If a name is locked in
/// several versions, all count: at worst this causes an unnecessary build.
fn locked_versions(lock: &str, packages: &[&str]) -> BTreeSet<(String, String)> {
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
    let mut open = packages.to_vec();
    while let Some(name) = open.pop() {
        for (version, dependencies) in locked.get(name).into_iter().flatten() {
            if found.insert((name.to_owned(), (*version).to_owned())) {
                open.extend(dependencies);
            }
        }
    }
    found
}

/// Compiles all modules together; returns their folder.
fn compile(root: &Path, way: Way) -> Result<PathBuf> {
    let folder = root.join("target/wasm");
    let mut cargo = toolchain::cargo(root)?;
    cargo.args(["build", "--profile", way.profile(), "--target", TARGET]);
    for module in &MODULES {
        cargo.args(["-p", module.package]);
    }
    if cargo.get_program() == "/usr/bin/cargo" {
        cargo.arg("-Zbuild-std=std,panic_abort");
    }
    // A separate folder: the usual one may be locked by the build that runs this program.
    cargo.arg("--target-dir").arg(&folder);
    execute(&mut cargo)?;
    Ok(folder.join(TARGET).join(way.profile()))
}

/// A program's trimmed output, if it succeeds.
fn ask(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn bind(module: &Module, compiled: &Path, folder: &Path) -> Result<()> {
    let file = format!("{}.wasm", module.package.replace('-', "_"));
    Bindgen::new()
        .input_path(compiled.join(file))
        .out_name(module.name)
        .bundler(true)
        .context("bundler bindings")?
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
        .context("cannot generate the bindings")
}

/// Optimises the module in place for size with Binaryen, which runs in Node.
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
    say(format!(
        "   module: {before} -> {} bytes",
        fs::metadata(module)?.len()
    ));
    Ok(())
}

/// Size after gzip at level 9, in bytes; Node does the compression.
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

/// Replaces the old files with the new ones.
fn publish(from: &Path, dist: &Path) -> Result<()> {
    if dist.exists() {
        fs::remove_dir_all(dist)?;
    }
    fs::create_dir_all(dist)?;
    for file in fs::read_dir(from)? {
        let file = file?;
        // These types describe the raw module, which is never called directly.
        if file.file_name().to_string_lossy().ends_with(".wasm.d.ts") {
            continue;
        }
        fs::copy(file.path(), dist.join(file.file_name()))?;
    }
    for Module { name, .. } in &MODULES {
        ensure!(
            dist.join(format!("{name}.d.ts")).is_file(),
            "the bindings of {name} have no types"
        );
    }
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{Way, locked_versions, section};

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
        let found: Vec<_> = locked_versions(LOCK, &["app"]).into_iter().collect();
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
    fn what_is_shipped_serves_tests_and_not_the_other_way_round() {
        for (wanted, built, serves) in [
            (Way::Quick, Way::Quick, true),
            (Way::Quick, Way::Shipped, true),
            (Way::Shipped, Way::Shipped, true),
            (Way::Shipped, Way::Quick, false),
        ] {
            let stamp = built.stamp("abc");
            assert_eq!(wanted.is_served_by(&stamp, "abc"), serves, "{stamp}");
            assert!(!wanted.is_served_by(&stamp, "abd"));
        }
    }

    #[test]
    fn a_section_ends_at_the_next_heading() {
        let manifest = "[a]\nx = 1\n\n[b]\ny = 2\n";
        assert_eq!(section(manifest, "[a]"), "[a]\nx = 1\n");
        assert_eq!(section(manifest, "[b]"), "[b]\ny = 2\n");
        assert_eq!(section(manifest, "[c]"), "");
    }
}
