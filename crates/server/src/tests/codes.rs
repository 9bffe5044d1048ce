//! Checks that the codes in the program's sources are listed in `slovo_rules::codes`, whose texts
//! are tested there. Codes from other places are checked where a problem or an entry is created.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use slovo_rules::codes::{
    ANALYSIS_FAILURES, AUDIT_ACTIONS, JOB_FAULTS, MAIL_FAILURES, MODEL_FAILURES, NOCODB_FAILURES,
    ProblemCode, WARNINGS, WEBHOOK_ANSWERS, WEBHOOK_FAILURES,
};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() && name != "tests" && name != "testing" {
            sources(&path, found);
        } else if name.ends_with(".rs") && !name.contains("test") {
            found.push(path);
        }
    }
}

/// The program's own sources, without tests.
fn code() -> String {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for name in [
        "server",
        "app",
        "api",
        "admin-api",
        "accounts",
        "engine",
        "export",
        "fetch",
        "mail",
        "models",
        "nocodb",
        "server-settings",
        "transcripts",
        "uploads",
        "work",
    ] {
        sources(&crates.join(name).join("src"), &mut files);
    }
    assert!(files.len() > 300, "{}", files.len());
    let texts = files.iter().map(|file| {
        let text = fs::read_to_string(file).unwrap();
        // A module of tests in the file itself; those of other files are left out by their names.
        let tests = text.match_indices("#[cfg(test)]\nmod ").find(|(at, _)| {
            let line = text[*at..].lines().nth(1);
            line.is_some_and(|line| line.ends_with('{'))
        });
        let end = tests.map_or(text.len(), |(at, _)| at);
        text.split_at(end).0.to_owned()
    });
    texts.collect()
}

/// The first string argument after each of these call prefixes.
fn first_strings<'a>(code: &'a str, beginning: &str) -> Vec<&'a str> {
    let calls = code.split(beginning).skip(1);
    let inner = calls.filter_map(|rest| rest.split_once([')', ';', '}']));
    let strings = inner.filter_map(|(inner, _)| inner.split('"').nth(1));
    strings.collect()
}

#[test]
fn codes_used_in_the_sources_are_listed() {
    type IsKnown = fn(&str) -> bool;
    let code = code();
    let kinds: [(&str, IsKnown); 2] = [
        ("Fault::new(", |code| JOB_FAULTS.contains(&code)),
        ("Warning::new(", |code| WARNINGS.contains(&code)),
    ];
    for (beginning, known) in kinds {
        let named = first_strings(&code, beginning);
        let unlisted: Vec<_> = named.into_iter().filter(|code| !known(code)).collect();
        assert_eq!(unlisted, [""; 0], "{beginning}");
    }
    let actions = code.split("action: \"").skip(1);
    let actions = actions.filter_map(|rest| rest.split('"').next());
    let unlisted: Vec<_> = actions
        .filter(|action| !AUDIT_ACTIONS.contains(action))
        .collect();
    assert_eq!(unlisted, [""; 0], "actions");
    // Codes that are built from a noun.
    let nouns = ["job", "model", "preset", "user"];
    let is_verb =
        |verb: &str| !verb.is_empty() && verb.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let unlisted: Vec<_> = code
        .split('"')
        .filter(|text| {
            let parts = text.split_once('.');
            parts.is_some_and(|(noun, verb)| nouns.contains(&noun) && is_verb(verb))
        })
        .filter(|action| !AUDIT_ACTIONS.contains(action))
        .collect();
    assert_eq!(unlisted, [""; 0], "actions");
}

/// The strings in a function of a source file.
fn codes_in(file: &str, function: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
    let text = fs::read_to_string(path).unwrap();
    let beginning = format!("fn {function}(");
    let function = text.split(&beginning).nth(1).expect("a function of codes");
    let function = function.split("\n    }\n").next().unwrap();
    let codes: Vec<_> = function.split('"').skip(1).step_by(2).collect();
    codes.into_iter().map(str::to_owned).collect()
}

#[test]
fn failure_codes_in_the_sources_are_listed() {
    let webhooks = [WEBHOOK_FAILURES, WEBHOOK_ANSWERS].concat();
    for (file, function, list) in [
        ("../../fetch/src/post.rs", "code", webhooks.as_slice()),
        (
            "../../work/src/webhooks/mod.rs",
            "error_code",
            WEBHOOK_FAILURES,
        ),
        (
            "../../work/src/webhooks/answer.rs",
            "code",
            webhooks.as_slice(),
        ),
        ("../../mail/src/error.rs", "code", MAIL_FAILURES),
        ("../../models/src/tasks.rs", "code", MODEL_FAILURES),
        ("../../nocodb/src/failure.rs", "hint", NOCODB_FAILURES),
        ("../../nocodb/src/run.rs", "code", NOCODB_FAILURES),
        ("../../engine/src/error.rs", "code", JOB_FAULTS),
        ("../../engine/src/media/error.rs", "code", JOB_FAULTS),
        ("../../analysis/src/error.rs", "code", ANALYSIS_FAILURES),
    ] {
        let codes = codes_in(file, function);
        assert!(!codes.is_empty(), "{file}");
        let unlisted: Vec<_> = codes
            .iter()
            .filter(|code| !list.contains(&code.as_str()))
            .collect();
        assert!(unlisted.is_empty(), "{file}: {unlisted:?}");
    }
}

/// The other direction: a code that no source gives would keep its texts for nothing.
#[test]
fn every_problem_code_is_used() {
    let code = code();
    let used: HashSet<&str> = code
        .split("ProblemCode::")
        .skip(1)
        .filter_map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric()).next())
        .collect();
    let unused: Vec<_> = ProblemCode::ALL
        .iter()
        // Faults of files, and failures of analyses, are texts where they are found.
        .filter(|problem_code| {
            !(used.contains(&*format!("{problem_code:?}"))
                || JOB_FAULTS.contains(&problem_code.as_str())
                || ANALYSIS_FAILURES.contains(&problem_code.as_str()))
        })
        .collect();
    assert!(unused.is_empty(), "{unused:?}");
}
