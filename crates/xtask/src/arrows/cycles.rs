//! Dependency cycles of modules: siblings that depend on each other, directly or through their
//! descendants.
//!
//! A module may use its ancestors and descendants. An arrow between any two others counts as an
//! arrow between their ancestors that are siblings.

use std::collections::{BTreeMap, BTreeSet};

use super::names::Arrow;
use super::source::Module;

/// Arrows between siblings: from, to, and the code locations that cause them.
pub type SiblingArrows = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Modules under one parent that all depend on each other, directly or indirectly.
#[derive(Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Path of the parent, empty for the root.
    pub parent: String,
    pub members: BTreeSet<String>,
    /// One line for each arrow, with the files that cause it.
    pub arrows: Vec<String>,
}

/// Most code locations printed for each arrow.
const SHOWN_PLACES: usize = 4;

/// The arrows between siblings, by the path of their parent.
pub fn by_parent(modules: &[Module], arrows: &[Arrow]) -> BTreeMap<String, SiblingArrows> {
    let mut levels: BTreeMap<String, SiblingArrows> = BTreeMap::new();
    for arrow in arrows {
        let from = &modules[arrow.from];
        let to = &modules[arrow.to].path;
        let common = from
            .path
            .iter()
            .zip(to)
            .take_while(|(segment, other)| segment == other);
        let depth = common.count();
        // One path is a prefix of the other: one module is the other's ancestor.
        let (Some(sibling), Some(other)) = (from.path.get(depth), to.get(depth)) else {
            continue;
        };
        levels
            .entry(from.path[..depth].join("::"))
            .or_default()
            .entry(sibling.clone())
            .or_default()
            .entry(other.clone())
            .or_default()
            .insert(format!("{}:{}", from.file.display(), arrow.line));
    }
    levels
}

/// All cycles of a crate.
pub fn cycles(levels: &BTreeMap<String, SiblingArrows>) -> Vec<Cycle> {
    let mut cycles = Vec::new();
    for (parent, siblings) in levels {
        for members in components(siblings) {
            let mut arrows = Vec::new();
            for (from, to, places) in arrows_between(siblings, &members) {
                let shown: Vec<_> = places.iter().take(SHOWN_PLACES).cloned().collect();
                let more = places.len() - shown.len();
                let more = if more > 0 {
                    format!(" and {more} more")
                } else {
                    String::new()
                };
                arrows.push(format!("{from} -> {to}: {}{more}", shown.join(", ")));
            }
            cycles.push(Cycle {
                parent: parent.clone(),
                members,
                arrows,
            });
        }
    }
    cycles
}

fn arrows_between<'a>(
    siblings: &'a SiblingArrows,
    members: &'a BTreeSet<String>,
) -> impl Iterator<Item = (&'a String, &'a String, &'a BTreeSet<String>)> {
    let from = siblings.iter().filter(|(from, _)| members.contains(*from));
    from.flat_map(move |(from, all)| {
        let to = all.iter().filter(|(to, _)| members.contains(*to));
        to.map(move |(to, places)| (from, to, places))
    })
}

/// Strongly connected components of two or more siblings.
fn components(siblings: &SiblingArrows) -> BTreeSet<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = siblings
        .keys()
        .map(|from| (from, reachable(siblings, from)))
        .collect();
    let mut knots = BTreeSet::new();
    for (from, to) in &reached {
        let back = |other: &&&String| reached.get(**other).is_some_and(|all| all.contains(from));
        let members: BTreeSet<String> = to
            .iter()
            .filter(back)
            .map(|member| (*member).clone())
            .collect();
        if members.len() > 1 {
            knots.insert(members);
        }
    }
    knots
}

/// All siblings reachable from one.
pub fn reachable<'a>(siblings: &'a SiblingArrows, from: &'a String) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut left = vec![from];
    while let Some(current) = left.pop() {
        for to in siblings.get(current).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(to) {
                left.push(to);
            }
        }
    }
    reached
}

/// A crate and, for a module below its root, the module's path.
fn place(package: &str, parent: &str) -> String {
    if parent.is_empty() {
        package.to_owned()
    } else {
        format!("{package}, {parent}")
    }
}

/// A cycle with the arrows that form it.
pub fn describe(package: &str, cycle: &Cycle) -> String {
    let place = place(package, &cycle.parent);
    let members: Vec<_> = cycle.members.iter().map(String::as_str).collect();
    let arrows = cycle.arrows.join("\n    ");
    format!(
        "cycle of modules in {place}: {}\n    {arrows}",
        members.join(", ")
    )
}
