//! Checks that crates depend on one another only as `docs/architecture.md` allows.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::step::command;
use crate::up::cargo;

/// Crate, what it may depend on inside the workspace, outside crates that only it may name.
const ALLOWED: &[(&str, &[&str], &[&str])] = &[
    ("slovo-rules", &[], &["serde-wasm-bindgen"]),
    ("slovo-rules-wasm", &["slovo-rules"], &[]),
    ("slovo-text-wasm", &["slovo-rules"], &[]),
    (
        "slovo-engine",
        &["slovo-rules"],
        &["whisper-rs", "symphonia", "rubato"],
    ),
    ("slovo-analysis", &["slovo-rules"], &[]),
    (
        "slovo-export",
        &["slovo-rules"],
        &["fontique", "krilla", "parley"],
    ),
    (
        "slovo-stems",
        &["slovo-rules"],
        &["fst", "snowball_stemmers_rs"],
    ),
    ("slovo-db", &["slovo-rules", "slovo-stems"], &["sqlx"]),
    ("slovo-site", &["slovo-rules"], &[]),
    ("slovo-platform", &[], &[]),
    (
        "slovo-nocodb",
        &["slovo-rules", "slovo-export", "slovo-platform", "slovo-db"],
        &[],
    ),
    (
        "slovo-server",
        &[
            "slovo-rules",
            "slovo-engine",
            "slovo-analysis",
            "slovo-export",
            "slovo-nocodb",
            "slovo-platform",
            "slovo-db",
            "slovo-site",
            "slovo-stems",
        ],
        &["axum", "leptos_axum"],
    ),
    ("slovo-test-media", &[], &[]),
    ("slovo-test-postgres", &[], &[]),
    ("xtask", &["slovo-test-postgres"], &[]),
];

/// Crates that tests of any other crate may use.
const FOR_TESTS: &[&str] = &["slovo-test-media", "slovo-test-postgres"];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
    path: Option<String>,
}

/// Fails with every forbidden arrow it finds.
pub fn check(root: &Path) -> Result<()> {
    let output = command(root, cargo())
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .output()
        .context("cannot run cargo metadata")?;
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    let found = violations(&metadata);
    if found.is_empty() {
        return Ok(());
    }
    bail!(
        "forbidden:\n  {}",
        found.into_iter().collect::<Vec<_>>().join("\n  ")
    );
}

fn violations(metadata: &Metadata) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for package in &metadata.packages {
        let Some((_, inner, _)) = ALLOWED.iter().find(|(name, _, _)| *name == package.name) else {
            found.insert(format!(
                "{} is not in the list of crates in xtask's arrows.rs",
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
            let owner = ALLOWED.iter().find(|(_, _, own)| own.contains(&name));
            if let Some((owner, _, _)) = owner
                && *owner != package.name
                && !for_tests
            {
                found.insert(format!(
                    "{} -> {name} (only {owner} may name it)",
                    package.name
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, dependency: &str, kind: Option<&str>, inside: bool) -> Metadata {
        Metadata {
            packages: vec![Package {
                name: name.to_owned(),
                dependencies: vec![Dependency {
                    name: dependency.to_owned(),
                    kind: kind.map(str::to_owned),
                    path: inside.then(|| "/somewhere".to_owned()),
                }],
            }],
        }
    }

    #[test]
    fn an_arrow_that_is_drawn_passes() {
        assert!(violations(&package("slovo-server", "slovo-db", None, true)).is_empty());
        assert!(violations(&package("slovo-db", "sqlx", None, false)).is_empty());
    }

    #[test]
    fn an_arrow_that_is_not_drawn_is_named() {
        let found = violations(&package("slovo-rules", "slovo-engine", None, true));
        assert_eq!(
            found.first().map(String::as_str),
            Some("slovo-rules -> slovo-engine")
        );
    }

    #[test]
    fn a_library_with_one_owner_is_refused_elsewhere() {
        let found = violations(&package("slovo-server", "sqlx", None, false));
        assert!(
            found
                .iter()
                .any(|line| line.contains("only slovo-db may name it"))
        );
    }

    #[test]
    fn test_support_is_for_tests_only() {
        let used_in_tests = package("slovo-engine", "slovo-test-media", Some("dev"), true);
        assert!(violations(&used_in_tests).is_empty());
        assert!(!violations(&package("slovo-engine", "slovo-test-media", None, true)).is_empty());
    }

    #[test]
    fn an_unknown_crate_is_named() {
        assert_eq!(
            violations(&package("surprise", "serde", None, false)).len(),
            1
        );
    }
}
