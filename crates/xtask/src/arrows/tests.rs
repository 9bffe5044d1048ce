//! Forbidden arrows between crates; the submodules test modules and the drawing.

mod drawing;
mod modules;

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
            targets: Vec::new(),
        }],
    }
}

#[test]
fn a_documented_dependency_is_allowed() {
    assert!(violations(&package("slovo-server", "slovo-db", None, true)).is_empty());
    assert!(violations(&package("slovo-db", "sqlx", None, false)).is_empty());
}

#[test]
fn an_undocumented_dependency_is_reported() {
    let found = violations(&package("slovo-rules", "slovo-engine", None, true));
    assert_eq!(
        found.first().map(String::as_str),
        Some("slovo-rules -> slovo-engine")
    );
}

#[test]
fn a_library_with_one_owner_is_refused_in_other_crates() {
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
fn an_unknown_crate_is_reported() {
    assert_eq!(
        violations(&package("surprise", "serde", None, false)).len(),
        1
    );
}
