//! Builds the npm package `@slovo/rules` from the rules crate: compile its two modules for wasm32,
//! generate the bindings and types, shrink, measure, and put the result into `wasm-pkg/dist`.
//!
//! The bindings are for bundlers; `wasm-pkg/node.mjs` loads the same files in Node.

mod own;
mod stamp;
mod toolchain;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;

use crate::step::{command, execute, print_line, step};
use crate::web;
use stamp::Inputs;

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
        max_gzipped: 126 * 1000,
    },
    // Loads with the first transcript.
    Module {
        package: "slovo-text-wasm",
        name: "slovo_text",
        max_gzipped: 137 * 1000,
    },
];

/// How the package is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildMode {
    /// As shipped: with link-time optimisation, shrunk, within the size limits.
    Shipped,
    /// For tests and development: the same functions, but larger. A package built as shipped is
    /// accepted, too.
    Quick,
}

impl BuildMode {
    const fn profile(self) -> &'static str {
        match self {
            Self::Shipped => "wasm",
            Self::Quick => "wasm-quick",
        }
    }
}

/// What happens with warnings of rustc and Clippy for wasm32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lints {
    /// They are errors.
    Denied,
    /// Clippy does not run.
    Skipped,
}

/// Builds `wasm-pkg/dist`, unless it was built from the same inputs, and linted if requested.
pub fn build(root: &Path, way: BuildMode, lints: Lints) -> Result<()> {
    let package = root.join("wasm-pkg");
    let dist = package.join("dist");
    let stamp = dist.join(".slovo-inputs");
    let inputs = Inputs::read(root)?;
    let stored_stamp = fs::read_to_string(&stamp).unwrap_or_default();
    let write = |text: String| {
        fs::write(&stamp, text).with_context(|| format!("cannot write {}", stamp.display()))
    };
    if inputs.serve(&stored_stamp, way) {
        if lints == Lints::Skipped || inputs.are_linted(&stored_stamp) {
            print_line("   rules package is up to date");
        } else if step("lint the rules for the browser", "", || lint(root, way))? {
            write(inputs.linted(&stored_stamp))?;
        }
        return Ok(());
    }
    let compiled = step("compile the rules for the browser", "", || {
        compile(root, way, lints)
    })?;
    let scratch = root.join("target/wasm/package");
    step("bind and shrink the rules", "", || {
        web::install(&package)?;
        if scratch.exists() {
            fs::remove_dir_all(&scratch)?;
        }
        for module in &MODULES {
            bind(module, &compiled.folder, &scratch)?;
            own::write(&scratch, module.name)?;
            if way == BuildMode::Shipped {
                shrink(&package, &module.built(&scratch))?;
                measure(module, &scratch)?;
            }
        }
        Ok(())
    })?;
    publish(&scratch, &dist)?;
    let built = inputs.built(way);
    write(if compiled.linted {
        inputs.linted(&built)
    } else {
        built
    })
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
    print_line(format!(
        "   {name}: {gzipped} bytes gzipped, limit {max_gzipped}"
    ));
    ensure!(
        gzipped <= *max_gzipped,
        "{name} has {gzipped} bytes gzipped and may have {max_gzipped}: \
         see what the last change pulled in (`cargo tree -p {package}`)"
    );
    Ok(())
}

/// The compiled modules.
struct CompiledModules {
    folder: PathBuf,
    linted: bool,
}

/// Compiles all modules together.
fn compile(root: &Path, way: BuildMode, lints: Lints) -> Result<CompiledModules> {
    let mut cargo = toolchain::cargo(root)?;
    let mut linted = false;
    if lints == Lints::Denied {
        linted = match way {
            // Clippy's compiler makes nearly the same code as rustc, so that no second pass is
            // needed, but it leaves out optimisations: what is shipped is made by rustc.
            BuildMode::Quick => cargo.lint(root)?,
            BuildMode::Shipped => lint(root, way)?,
        };
    }
    let folder = root.join("target/wasm");
    execute(cargo.arguments("build", way, &folder))?;
    Ok(CompiledModules {
        folder: folder.join(TARGET).join(way.profile()),
        linted,
    })
}

/// Lints the modules without building them; returns whether Clippy is installed.
fn lint(root: &Path, way: BuildMode) -> Result<bool> {
    let mut cargo = toolchain::cargo(root)?;
    let linted = cargo.lint(root)?;
    if linted {
        execute(cargo.arguments("check", way, &root.join("target/wasm")))?;
    }
    Ok(linted)
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
    print_line(format!(
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
