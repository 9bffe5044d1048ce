//! From the paths that code names to the modules that they lead to.
//!
//! A path is followed through imports, `pub use` and globs to the module that defines its item, and
//! every module on that way counts. Not seen are methods and fields of values whose type is not
//! named, macros that are in scope by their place in the text, and code that other macros make.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Module;

/// Module `from` names something of module `to`, first at this line of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub from: usize,
    pub to: usize,
    pub line: usize,
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Found {
    Module(usize),
    /// An item, by the module that defines it.
    Item(usize),
}

/// All arrows between modules of a crate, also those between parents and children.
pub fn arrows(modules: &[Module]) -> Vec<Arrow> {
    let mut first = BTreeMap::new();
    for (from, module) in modules.iter().enumerate() {
        for named in &module.named {
            let mut way = Way::new(modules);
            let found = way.follow(from, &named.path);
            let is_module = |one: &Found| matches!(one, Found::Module(_));
            // A lone name in code may be a variable that is called as a module is.
            let is_lone = named.path.len() == 1 && !named.is_import;
            if is_lone && found.iter().all(is_module) {
                continue;
            }
            for to in way.passed {
                let line = first.entry((from, to)).or_insert(named.line);
                *line = named.line.min(*line);
            }
        }
    }
    first
        .into_iter()
        .filter(|((from, to), _)| from != to)
        .map(|((from, to), line)| Arrow { from, to, line })
        .collect()
}

/// One path on its way to what it names.
struct Way<'a> {
    modules: &'a [Module],
    /// Modules that it leads through and to.
    passed: BTreeSet<usize>,
    /// Names that are being looked up, so that imports of one another end.
    asked: BTreeSet<(usize, String)>,
}

impl<'a> Way<'a> {
    fn new(modules: &'a [Module]) -> Self {
        Self {
            modules,
            passed: BTreeSet::new(),
            asked: BTreeSet::new(),
        }
    }

    /// What `path` stands for in module `from`; empty for other crates and what is not seen.
    fn follow(&mut self, from: usize, path: &[String]) -> BTreeSet<Found> {
        let mut found = BTreeSet::new();
        for (at, name) in path.iter().enumerate() {
            found = match (at, name.as_str()) {
                (0, "crate") => BTreeSet::from([Found::Module(0)]),
                (0, "self") => BTreeSet::from([Found::Module(from)]),
                (0, "super") => self.parents(&BTreeSet::from([Found::Module(from)])),
                (0, _) => self.look_up(from, name),
                (_, "super") => self.parents(&found),
                (_, "self") => found,
                _ => self.step(&found, name),
            };
            let modules = found.iter().map(|one| match one {
                Found::Module(module) | Found::Item(module) => *module,
            });
            self.passed.extend(modules);
        }
        found
    }

    fn parents(&self, found: &BTreeSet<Found>) -> BTreeSet<Found> {
        let parent = |one: &Found| match one {
            Found::Module(module) => self.modules[*module].parent.map(Found::Module),
            Found::Item(_) => None,
        };
        found.iter().filter_map(parent).collect()
    }

    /// `name` in what was found: in a module, or of an item, as an enum's variant is.
    fn step(&mut self, found: &BTreeSet<Found>, name: &str) -> BTreeSet<Found> {
        let modules = found.iter().filter(|one| matches!(one, Found::Module(_)));
        let mut next = BTreeSet::new();
        for one in modules {
            if let Found::Module(module) = one {
                next.extend(self.look_up(*module, name));
            }
        }
        if next.is_empty() {
            next.extend(found.iter().filter(|one| matches!(one, Found::Item(_))));
        }
        next
    }

    /// What a module calls `name`: its child, its item, what it imports; else what its globs bring.
    fn look_up(&mut self, module: usize, name: &str) -> BTreeSet<Found> {
        let mut found = BTreeSet::new();
        if !self.asked.insert((module, name.to_owned())) {
            return found;
        }
        let own = &self.modules[module];
        found.extend(own.children.get(name).map(|child| Found::Module(*child)));
        if own.items.contains(name) {
            found.insert(Found::Item(module));
        }
        for import in &own.imports {
            if import.name.as_deref() == Some(name) {
                found.extend(self.follow(module, &import.path));
            }
        }
        if found.is_empty() {
            for import in own.imports.iter().filter(|import| import.name.is_none()) {
                let passed = self.passed.clone();
                let all = self.follow(module, &import.path);
                let brought = self.step(&all, name);
                // Variants of an enum are not listed: a glob of one brings what is not found.
                let brought: Vec<_> = brought.difference(&all).copied().collect();
                if brought.is_empty() {
                    self.passed = passed;
                }
                found.extend(brought);
            }
        }
        self.asked.remove(&(module, name.to_owned()));
        found
    }
}
