//! The stamp beside a built package: what it was built from, and whether it was linted.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::{BuildMode, MODULES};
use crate::web;

/// Digests of what a package is built from. A stamp is `<profile> <sources>`, followed by
/// ` linted <lints>` if it was linted. The package's tests read its first word.
pub struct Inputs {
    /// Of what is compiled.
    sources: String,
    /// Of the lints' settings.
    lints: String,
}

impl Inputs {
    /// The inputs as they are now.
    pub fn read(root: &Path) -> Result<Self> {
        Ok(Self {
            sources: sources(root)?,
            lints: lints(root)?,
        })
    }

    /// The stamp of a package that is built from them.
    pub fn built(&self, way: BuildMode) -> String {
        format!("{} {}", way.profile(), self.sources)
    }

    /// The stamp of this package once it is linted.
    pub fn linted(&self, stamp: &str) -> String {
        format!("{} linted {}", without_lints(stamp), self.lints)
    }

    /// Whether a package with this stamp can be used for this mode.
    pub fn serve(&self, stamp: &str, way: BuildMode) -> bool {
        let of = |way: BuildMode| without_lints(stamp) == self.built(way);
        of(BuildMode::Shipped) || (way == BuildMode::Quick && of(BuildMode::Quick))
    }

    /// Whether a package with this stamp passed the lints as they are now.
    pub fn are_linted(&self, stamp: &str) -> bool {
        stamp == self.linted(stamp)
    }
}

/// The stamp without its end about lints.
fn without_lints(stamp: &str) -> &str {
    stamp
        .split_once(" linted")
        .map_or(stamp, |(built, _)| built)
}

/// Digest of all that is compiled: sources, build profile, this program, and the locked
/// versions of the crates and npm packages involved.
fn sources(root: &Path) -> Result<String> {
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

/// Digest of the lints' settings, and of the compiler's version.
fn lints(root: &Path) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update(web::digest(&[
        root.join("clippy.toml"),
        root.join("rust-toolchain.toml"),
    ])?);
    let manifest = read(&root.join("Cargo.toml"))?;
    hash.update(section(&manifest, "[workspace.lints.rust]"));
    hash.update(section(&manifest, "[workspace.lints.clippy]"));
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

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{BuildMode, Inputs, locked_versions, section};

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
    fn locked_versions_include_the_package_and_its_dependencies() {
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

    fn inputs(sources: &str, lints: &str) -> Inputs {
        Inputs {
            sources: sources.to_owned(),
            lints: lints.to_owned(),
        }
    }

    #[test]
    fn a_shipped_build_serves_tests_but_a_quick_build_is_not_shipped() {
        let (now, changed) = (inputs("abc", "x"), inputs("abd", "x"));
        for (requested, built, serves) in [
            (BuildMode::Quick, BuildMode::Quick, true),
            (BuildMode::Quick, BuildMode::Shipped, true),
            (BuildMode::Shipped, BuildMode::Shipped, true),
            (BuildMode::Shipped, BuildMode::Quick, false),
        ] {
            let built = now.built(built);
            for stamp in [now.linted(&built), built] {
                assert_eq!(now.serve(&stamp, requested), serves, "{stamp}");
                assert!(!changed.serve(&stamp, requested));
            }
        }
    }

    #[test]
    fn a_package_is_linted_again_when_the_lints_change() {
        let (now, stricter) = (inputs("abc", "x"), inputs("abc", "y"));
        let built = now.built(BuildMode::Quick);
        assert!(!now.are_linted(&built));
        let linted = now.linted(&built);
        assert!(now.are_linted(&linted));
        assert!(!stricter.are_linted(&linted));
        assert!(stricter.serve(&linted, BuildMode::Quick));
        assert!(stricter.are_linted(&stricter.linted(&linted)));
    }

    #[test]
    fn a_section_ends_at_the_next_heading() {
        let manifest = "[a]\nx = 1\n\n[b]\ny = 2\n";
        assert_eq!(section(manifest, "[a]"), "[a]\nx = 1\n");
        assert_eq!(section(manifest, "[b]"), "[b]\ny = 2\n");
        assert_eq!(section(manifest, "[c]"), "");
    }
}
