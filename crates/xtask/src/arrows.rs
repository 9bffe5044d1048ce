//! Checks that crates depend on one another only as `docs/architecture.md` allows, that the modules
//! of a crate have no dependency cycles, and that the document's drawing is current.

mod allowed;
pub mod condition;
mod cycles;
mod drawing;
mod names;
pub mod source;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Deserialize;

use crate::cargo::cargo;
use crate::step::{command, print_line};
use allowed::{ALLOWED, FOR_TESTS};
use cycles::{Cycle, SiblingArrows};

/// The document with the drawing.
const DOCUMENT: &str = "docs/architecture.md";

#[derive(Args)]
pub struct Options {
    /// Draw them in `docs/architecture.md`, too.
    #[arg(long)]
    write: bool,
    /// Fail like `cargo xtask lint` if an arrow or a cycle is forbidden or the drawing is outdated.
    #[arg(long)]
    check: bool,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
    path: Option<String>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
    src_path: PathBuf,
}

/// What was found in the sources of all crates.
struct Workspace {
    metadata: Metadata,
    /// Crates by their names without `slovo-`.
    crates: BTreeMap<String, Figures>,
    cycles: Vec<(String, Cycle)>,
    drawing: String,
}

struct Figures {
    modules: usize,
    cycles: usize,
    /// Lines of its library and its binary, without tests.
    lines: usize,
    /// Crates of the workspace that it depends on, except for tests.
    arrows: usize,
}

/// Fails on every forbidden arrow, every cycle, and an outdated drawing.
pub fn check(root: &Path) -> Result<()> {
    check_rules(root, &read(root)?)
}

fn check_rules(root: &Path, house: &Workspace) -> Result<()> {
    let mut found = violations(&house.metadata);
    let cycles = house.cycles.iter();
    found.extend(cycles.map(|(package, cycle)| cycles::describe(package, cycle)));
    if !is_drawn(root, &house.drawing)? {
        found.insert(format!(
            "{DOCUMENT} does not draw the current arrows: cargo xtask arrows --write"
        ));
    }
    if found.is_empty() {
        return Ok(());
    }
    bail!(
        "forbidden:\n  {}",
        found.into_iter().collect::<Vec<_>>().join("\n  ")
    );
}

/// `cargo xtask arrows`: prints the drawing, all cycles and the figures.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let house = read(root)?;
    print_line(house.drawing.trim());
    for (package, cycle) in &house.cycles {
        print_line(format!("\n{}", cycles::describe(package, cycle)));
    }
    print_line("\ncrate           modules   cycles    lines  arrows");
    for (name, figures) in &house.crates {
        let Figures {
            modules,
            cycles,
            lines,
            arrows,
        } = figures;
        print_line(format!(
            "{name:15} {modules:7} {cycles:8} {lines:8} {arrows:7}"
        ));
    }
    let sum = |of: fn(&Figures) -> usize| house.crates.values().map(of).sum::<usize>();
    let (modules, cycles) = (
        sum(|figures| figures.modules),
        sum(|figures| figures.cycles),
    );
    let (lines, arrows) = (sum(|figures| figures.lines), sum(|figures| figures.arrows));
    print_line(format!(
        "{:15} {modules:7} {cycles:8} {lines:8} {arrows:7}",
        ""
    ));
    if options.write {
        write_drawing(root, &house.drawing)?;
    }
    if options.check {
        check_rules(root, &house)
    } else {
        Ok(())
    }
}

/// Draws the arrows in the document.
pub fn write(root: &Path) -> Result<()> {
    write_drawing(root, &read(root)?.drawing)
}

fn write_drawing(root: &Path, drawing: &str) -> Result<()> {
    let file = root.join(DOCUMENT);
    let document = fs::read_to_string(&file).context(DOCUMENT)?;
    fs::write(&file, drawing::replace_drawing(&document, drawing)?).context(DOCUMENT)
}

fn is_drawn(root: &Path, drawing: &str) -> Result<bool> {
    let document = fs::read_to_string(root.join(DOCUMENT)).context(DOCUMENT)?;
    Ok(drawing::replace_drawing(&document, drawing)? == document)
}

/// Reads the sources of all crates.
fn read(root: &Path) -> Result<Workspace> {
    let output = command(root, cargo())
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .output()
        .context("cannot run cargo metadata")?;
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    let mut crates = BTreeMap::new();
    let mut between_crates = SiblingArrows::new();
    let mut tops = BTreeMap::new();
    let mut cycles = Vec::new();
    for package in &metadata.packages {
        let name = short(&package.name);
        let used = between_crates.entry(name.clone()).or_default();
        for dependency in package
            .dependencies
            .iter()
            .filter(|candidate| is_arrow(candidate))
        {
            used.insert(short(&dependency.name), BTreeSet::new());
        }
        let arrows = used.len();
        let mut figures = Figures {
            modules: 0,
            cycles: 0,
            lines: 0,
            arrows,
        };
        for target in package
            .targets
            .iter()
            .filter(|candidate| candidate.is_product())
        {
            let file = target
                .src_path
                .strip_prefix(root)
                .unwrap_or(&target.src_path);
            let modules = source::read(file, &|path| fs::read_to_string(root.join(path)).ok())?;
            let levels = cycles::by_parent(&modules, &names::arrows(&modules));
            let found = cycles::cycles(&levels);
            figures.modules += modules.len();
            figures.lines += modules.iter().map(|module| module.lines).sum::<usize>();
            figures.cycles += found.len();
            cycles.extend(found.into_iter().map(|cycle| (package.name.clone(), cycle)));
            tops.insert(name.clone(), top(&modules, &levels));
        }
        crates.insert(name, figures);
    }
    let drawing = drawing::draw(&between_crates, &tops);
    Ok(Workspace {
        metadata,
        crates,
        cycles,
        drawing,
    })
}

impl Target {
    /// Libraries and binaries, but no tests, examples or build scripts.
    fn is_product(&self) -> bool {
        let has_kind = |kind: &str| self.kind.iter().any(|own| own == kind);
        has_kind("lib") || has_kind("bin") || has_kind("cdylib") || has_kind("rlib")
    }
}

fn short(package: &str) -> String {
    package.strip_prefix("slovo-").unwrap_or(package).to_owned()
}

fn is_arrow(dependency: &Dependency) -> bool {
    dependency.path.is_some() && dependency.kind.is_none()
}

/// Arrows between top-level modules, including modules without arrows.
fn top(modules: &[source::Module], levels: &BTreeMap<String, SiblingArrows>) -> SiblingArrows {
    let mut top = levels.get("").cloned().unwrap_or_default();
    for module in modules.iter().filter(|module| module.path.len() == 1) {
        top.entry(module.path[0].clone()).or_default();
    }
    top
}

fn violations(metadata: &Metadata) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for package in &metadata.packages {
        let Some((_, inner, _)) = ALLOWED.iter().find(|(name, _, _)| *name == package.name) else {
            found.insert(format!(
                "{} is not in the list of crates in xtask's arrows/allowed.rs",
                package.name
            ));
            continue;
        };
        for dependency in &package.dependencies {
            let for_tests = dependency.kind.as_deref() == Some("dev");
            let name = dependency.name.as_str();
            let inside = dependency.path.is_some();
            let allowed_inside = inner.contains(&name) || (for_tests && FOR_TESTS.contains(&name));
            if inside && !allowed_inside && name != package.name {
                found.insert(format!("{} -> {name}", package.name));
            }
            let owners = ALLOWED
                .iter()
                .filter(|(_, _, libraries)| libraries.contains(&name));
            let owners: Vec<_> = owners.map(|(owner, _, _)| *owner).collect();
            if !owners.is_empty() && !owners.contains(&package.name.as_str()) && !for_tests {
                let owners = owners.join(", ");
                found.insert(format!(
                    "{} -> {name} (only {owners} may name it)",
                    package.name
                ));
            }
        }
    }
    found
}
