//! Arrows and cycles of modules, in small crates made for these tests.

use std::path::Path;

use crate::arrows::cycles::{Cycle, by_parent, cycles, describe};
use crate::arrows::{names, source};

/// The modules of a crate with these files; the root is `src/lib.rs`.
fn modules(files: &[(&str, &str)]) -> Vec<source::Module> {
    let text = |path: &Path| {
        let found = files.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| (*text).to_owned())
    };
    source::read(Path::new("src/lib.rs"), &text).unwrap()
}

/// `a::b -> c` for each arrow except those between parents and children.
fn arrows(files: &[(&str, &str)]) -> Vec<String> {
    let modules = modules(files);
    let path = |at: usize| modules[at].path.join("::");
    names::arrows(&modules)
        .iter()
        .map(|arrow| (path(arrow.from), path(arrow.to)))
        .filter(|(from, to)| !from.starts_with(to) && !to.starts_with(from))
        .map(|(from, to)| format!("{from} -> {to}"))
        .collect()
}

fn cycles_of(files: &[(&str, &str)]) -> Vec<Cycle> {
    let modules = modules(files);
    cycles(&by_parent(&modules, &names::arrows(&modules)))
}

const ROOT: (&str, &str) = ("src/lib.rs", "mod a; mod b; mod c;");
const EMPTY: (&str, &str) = ("src/c.rs", "pub struct C;");

/// The arrows of a module `a` with this text, beside a `b` that defines `B` and an empty `c`.
fn arrows_of_a(text: &str) -> Vec<String> {
    arrows(&[
        ROOT,
        ("src/a.rs", text),
        (
            "src/b.rs",
            "pub struct B; pub enum Kind { One } pub fn b() {}",
        ),
        EMPTY,
    ])
}

#[test]
fn every_path_to_another_module_is_a_dependency() {
    for text in [
        "use crate::b::B;",
        "use super::b;",
        "use crate::{b::{self as other}};",
        "use crate::b::*;",
        "pub(crate) use crate::b::Kind as Sort;",
        "fn f() -> crate::b::B { todo!() }",
        "fn f() { use super::b::Kind::*; }",
        "fn f() { println!(\"{}\", 1 + crate::b::b()); }",
        "macro_rules! m { () => { $crate::b::b() } }",
        "#[serde(with = \"crate::b\")] struct A;",
        "impl crate::b::B {}",
        "mod inner { fn f(_: crate::b::B) {} }",
    ] {
        let found = arrows_of_a(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].ends_with(" -> b"), "{text}: {found:?}");
    }
}

#[test]
fn other_names_and_test_code_are_no_dependencies() {
    for text in [
        "use std::fmt; use b::B;",
        "use super::*; fn f(b: u8, one: Line) -> u8 { one.b.max(b) }",
        "use super::*; fn f() { println!(\"{}\", one.b()); }",
        "fn f() -> ::b::B { todo!() }",
        "#[cfg(test)] mod tests { use crate::b::B; }",
        "#[cfg(any(test, feature = \"testing\"))] use crate::b::B;",
        "#[cfg(test)] impl A { fn f(_: crate::b::B) {} }",
        "struct A; impl A { #[cfg(all(test, unix))] fn f(_: crate::b::B) {} }",
        "/// Like [`crate::b::B`].\nstruct A;",
    ] {
        assert_eq!(arrows_of_a(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn code_compiled_outside_tests_is_read() {
    for text in [
        "#[cfg(not(test))] use crate::b::B;",
        "#[cfg(unix)] use crate::b::B;",
        "#[cfg(any(test, unix))] use crate::b::B;",
        "#[cfg(not(feature = \"small\"))] use crate::b::B;",
    ] {
        assert_eq!(arrows_of_a(text), ["a -> b"], "{text}");
    }
}

#[test]
fn re_exported_items_are_resolved_to_their_defining_module() {
    let files = [
        ("src/lib.rs", "mod media; mod user; pub use media::Stream;"),
        (
            "src/media/mod.rs",
            "mod open; mod pcm; pub use open::Stream; use self::pcm::*;",
        ),
        (
            "src/media/open.rs",
            "use super::Samples; pub struct Stream;",
        ),
        ("src/media/pcm.rs", "use crate::Stream; pub struct Samples;"),
        ("src/user.rs", "fn f(_: crate::Stream) {}"),
    ];
    assert_eq!(
        arrows(&files),
        [
            "media::open -> media::pcm",
            "media::pcm -> media::open",
            "user -> media",
            "user -> media::open"
        ]
    );
    let found = cycles_of(&files);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].parent, "media");
    assert_eq!(
        found[0].arrows,
        [
            "open -> pcm: src/media/open.rs:1",
            "pcm -> open: src/media/pcm.rs:1"
        ]
    );
}

#[test]
fn circular_re_exports_are_resolved_without_looping() {
    let files = [
        ROOT,
        ("src/a.rs", "pub use crate::b::*; pub use crate::b::X;"),
        (
            "src/b.rs",
            "pub use crate::a::*; pub use crate::a::X; fn f(_: X, _: Y) {}",
        ),
        EMPTY,
    ];
    assert_eq!(cycles_of(&files).len(), 1);
}

#[test]
fn parent_and_child_modules_form_no_cycle() {
    let found = cycles_of(&[
        ("src/lib.rs", "pub mod a; pub fn own() { a::f(); }"),
        (
            "src/a.rs",
            "mod b; pub fn f() { crate::own(); b::g(); } fn own() {}",
        ),
        ("src/a/b.rs", "pub fn g() { super::own(); crate::own(); }"),
    ]);
    assert_eq!(found, []);
}

#[test]
fn dependencies_of_submodules_form_cycles_of_their_parents() {
    let found = cycles_of(&[
        ROOT,
        ("src/a.rs", "mod deep;"),
        ("src/a/deep.rs", "use crate::b;"),
        ("src/b.rs", "pub mod x { pub mod y { use crate::c::C; } }"),
        ("src/c.rs", "pub struct C; use crate::a;"),
    ]);
    assert_eq!(found.len(), 1);
    let members: Vec<_> = found[0].members.iter().collect();
    assert_eq!(members, ["a", "b", "c"]);
    assert_eq!(found[0].arrows[1], "b -> c: src/b.rs:1");
}

#[test]
fn lines_of_tests_are_not_counted() {
    let modules = modules(&[(
        "src/lib.rs",
        "fn one() {}\n\n#[cfg(test)]\nmod tests {\n    fn two() {}\n}\n",
    )]);
    assert_eq!(modules[0].lines, 2);
}

#[test]
fn a_missing_module_file_is_an_error() {
    let none = |path: &Path| (path == Path::new("src/lib.rs")).then(|| "mod a;".to_owned());
    let error = source::read(Path::new("src/lib.rs"), &none).unwrap_err();
    assert!(format!("{error:#}").contains("src/a.rs"), "{error:#}");
}

#[test]
fn a_cycle_is_reported_with_its_dependencies() {
    let cycle = Cycle {
        parent: "jobs".to_owned(),
        members: ["a", "b"].map(str::to_owned).into(),
        arrows: vec!["a -> b: src/a.rs:1".to_owned()],
    };
    assert_eq!(
        describe("slovo-db", &cycle),
        "cycle of modules in slovo-db, jobs: a, b\n    a -> b: src/a.rs:1"
    );
}
