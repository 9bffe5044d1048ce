//! The drawing in the document.

use std::collections::{BTreeMap, BTreeSet};

use crate::arrows::cycles::SiblingArrows;
use crate::arrows::drawing::{draw, replace_drawing};

fn siblings(arrows: &[(&str, &[&str])]) -> SiblingArrows {
    let to = |name: &&str| ((*name).to_owned(), BTreeSet::new());
    arrows
        .iter()
        .map(|(from, all)| ((*from).to_owned(), all.iter().map(to).collect()))
        .collect()
}

#[test]
fn crates_are_listed_above_their_dependencies() {
    let crates = siblings(&[
        ("alone", &[]),
        ("rules", &[]),
        ("engine", &["rules"]),
        ("server", &["engine", "rules"]),
    ]);
    assert_eq!(
        draw(&crates, &BTreeMap::new()),
        "\n```\nalone\nserver -> engine, rules\nengine -> rules\nrules\n```\n\n"
    );
}

#[test]
fn cycles_are_listed_together_and_long_lines_are_folded() {
    let name = "x".repeat(60);
    let modules = siblings(&[("b", &["a", "c"]), ("a", &["b", &name, "y"])]);
    let crates = siblings(&[("db", &[])]);
    let drawn = draw(&crates, &BTreeMap::from([("db".to_owned(), modules)]));
    let lines: Vec<_> = drawn.lines().filter(|line| line.contains("->")).collect();
    assert!(lines[0].starts_with("a "), "{drawn}");
    assert!(lines[1].starts_with("b "), "{drawn}");
    assert!(drawn.lines().any(|line| line.trim() == "y"), "{drawn}");
    assert!(drawn.contains("<summary>db</summary>"));
}

#[test]
fn only_text_between_the_markers_changes() {
    let before = "One\n<!-- arrows -->\nold\n<!-- /arrows -->\nTwo\n";
    let after = replace_drawing(before, "new\n").unwrap();
    assert_eq!(after, "One\n<!-- arrows -->\nnew\n<!-- /arrows -->\nTwo\n");
    assert_eq!(replace_drawing(&after, "new\n").unwrap(), after);
    assert!(replace_drawing("no markers", "new").is_err());
}
