//! The arrows as drawn in `docs/architecture.md`, between two markers.
//!
//! For eighty modules, a list with users above what they use is clearer than a graph: it reads from
//! top to bottom, and a change moves few lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::{Context, Result};

use super::cycles::{SiblingArrows, reachable};

const BEGIN: &str = "<!-- arrows -->";
const END: &str = "<!-- /arrows -->";

/// Width of the drawing in columns.
const WIDTH: usize = 110;

/// Draws all crates, and the top modules of each.
pub fn draw(crates: &SiblingArrows, modules: &BTreeMap<String, SiblingArrows>) -> String {
    let mut text = String::from("\n```\n");
    list(&mut text, crates);
    text.push_str("```\n");
    for package in in_order(crates) {
        let Some(siblings) = modules.get(package).filter(|all| !all.is_empty()) else {
            continue;
        };
        let _ = write!(text, "\n<details><summary>{package}</summary>\n\n```\n");
        list(&mut text, siblings);
        text.push_str("```\n\n</details>\n");
    }
    text.push('\n');
    text
}

/// Replaces the drawing between the document's markers.
///
/// # Errors
/// If the document has no markers.
pub fn replace_drawing(document: &str, drawing: &str) -> Result<String> {
    let (before, rest) = document
        .split_once(BEGIN)
        .with_context(|| format!("docs/architecture.md has no {BEGIN}"))?;
    let (_, after) = rest
        .split_once(END)
        .with_context(|| format!("docs/architecture.md has no {END}"))?;
    Ok(format!("{before}{BEGIN}\n{drawing}{END}{after}"))
}

/// One line for each module, wrapped if it is long.
fn list(text: &mut String, siblings: &SiblingArrows) {
    let order = in_order(siblings);
    let widest = order.iter().map(|name| name.len()).max().unwrap_or(0);
    for name in &order {
        let used = siblings.get(*name).into_iter().flat_map(BTreeMap::keys);
        let used: Vec<&str> = used.map(String::as_str).collect();
        if used.is_empty() {
            let _ = writeln!(text, "{name}");
            continue;
        }
        let mut line = format!("{name:widest$} ->");
        for (at, used_name) in used.iter().enumerate() {
            let comma = if at + 1 < used.len() { "," } else { "" };
            if line.len() + used_name.len() + comma.len() >= WIDTH {
                let _ = writeln!(text, "{line}");
                line = " ".repeat(widest + 3);
            }
            let _ = write!(line, " {used_name}{comma}");
        }
        let _ = writeln!(text, "{line}");
    }
}

/// Users above what they use, otherwise alphabetical; modules of one cycle are adjacent.
fn in_order(siblings: &SiblingArrows) -> Vec<&String> {
    let mut left: BTreeSet<&String> = siblings.keys().collect();
    left.extend(siblings.values().flat_map(BTreeMap::keys));
    let reached: BTreeMap<&String, BTreeSet<&String>> = left
        .iter()
        .map(|name| (*name, reachable(siblings, name)))
        .collect();
    let uses = |user: &String, used: &String| reached[user].contains(used);
    let mut order = Vec::new();
    while let Some(next) = left.iter().copied().find(|name| {
        let users = left.iter().filter(|other| uses(other, name));
        users.into_iter().all(|user| uses(name, user))
    }) {
        let cycle = |name: &&&String| **name == next || (uses(next, name) && uses(name, next));
        let placed: Vec<&String> = left.iter().filter(cycle).copied().collect();
        for name in placed {
            left.remove(name);
            order.push(name);
        }
    }
    order
}
