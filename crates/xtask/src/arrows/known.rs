//! The remaining dependency cycles of modules. The list may only shrink: a module that is no longer
//! in a cycle must be removed from it.

use std::collections::BTreeSet;

use super::circles::Circle;

/// A tolerated cycle.
pub struct Known {
    pub package: &'static str,
    /// Path of its modules' parent, empty for the crate's root.
    pub parent: &'static str,
    /// The modules that may be part of it.
    pub modules: &'static [&'static str],
}

/// The cycles that remain to be broken.
pub const KNOWN_CIRCLES: &[Known] = &[
    Known {
        package: "slovo-server",
        parent: "",
        modules: &[
            "completion_mails",
            "file_removals",
            "http",
            "jobs",
            "minutes",
            "state",
        ],
    },
    Known {
        package: "slovo-server",
        parent: "models",
        modules: &["hub", "leftovers", "pull"],
    },
];

/// Cycles that are not listed, and listed ones that no longer exist. `found` has each with its
/// crate.
pub fn violations(found: &[(String, Circle)], known: &[Known]) -> BTreeSet<String> {
    let mut violations = BTreeSet::new();
    for (package, circle) in found {
        let is_known = known.iter().any(|one| {
            let covers = |name: &String| one.modules.contains(&name.as_str());
            is_of(one, package, circle) && circle.members.iter().all(covers)
        });
        if !is_known {
            violations.insert(shown(package, circle));
        }
    }
    for one in known {
        let left: BTreeSet<&str> = found
            .iter()
            .filter(|(package, circle)| is_of(one, package, circle))
            .flat_map(|(_, circle)| circle.members.iter().map(String::as_str))
            .collect();
        for module in one.modules.iter().filter(|name| !left.contains(**name)) {
            let place = place(one.package, one.parent);
            violations.insert(format!(
                "{place}: {module} is in no circle any more: remove it from KNOWN_CIRCLES"
            ));
        }
    }
    violations
}

fn is_of(known: &Known, package: &str, circle: &Circle) -> bool {
    known.package == package && known.parent == circle.parent
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
pub fn shown(package: &str, circle: &Circle) -> String {
    let place = place(package, &circle.parent);
    let members: Vec<_> = circle.members.iter().map(String::as_str).collect();
    let arrows = circle.arrows.join("\n    ");
    format!(
        "circle of modules in {place}: {}\n    {arrows}",
        members.join(", ")
    )
}
