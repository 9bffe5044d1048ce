//! Every code that can be displayed has a text in both locales.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use slovo_rules::codes::{
    ANALYSIS_FAILURES, AUDIT_ACTIONS, AUDIT_FIELDS, DAMAGES, JOB_FAULTS, MAIL_FAILURES,
    MODEL_FAILURES, NOCODB_FAILURES, NOCODB_ROW_PROBLEMS, ProblemCode, SPEECH_ENDPOINT_FAILURES,
    STRETCH_FAILURES, WARNINGS, WEBHOOK_ANSWERS, WEBHOOK_FAILURES,
};
use slovo_rules::minutes::UsageChange;
use slovo_rules::settings::{SETTINGS, SettingKind};
use slovo_rules::sign_in::{SignInMethod, SignInOutcome};
use slovo_rules::warnings::FigureSource;

/// Codes with the same set of keys in several places: path, locale file, and the keys used only by
/// the page.
struct Group<'a> {
    file: &'a str,
    path: &'a str,
    codes: Vec<&'a str>,
    of_the_page: &'a [&'a str],
}

fn texts(locale: &str, file: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../web/src/locales")
        .join(locale)
        .join(format!("{file}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).expect("JSON")
}

fn at<'a>(texts: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(texts, |inner, step| &inner[step])
}

/// The paths of all texts, as `a.b`.
fn keys(texts: &Value, prefix: &str) -> BTreeSet<String> {
    let Value::Object(inner) = texts else {
        return BTreeSet::from([prefix.to_owned()]);
    };
    inner
        .iter()
        .flat_map(|(name, inner)| {
            let path = [prefix, name]
                .into_iter()
                .filter(|step| !step.is_empty())
                .collect::<Vec<_>>()
                .join(".");
            keys(inner, &path)
        })
        .collect()
}

fn group<'a>(file: &'a str, path: &'a str, codes: &[&'a str]) -> Group<'a> {
    Group {
        file,
        path,
        codes: codes.to_vec(),
        of_the_page: &[],
    }
}

/// The codes with a text in `codes` of `problems.json`: problems without those of jobs, and failed
/// analyses.
fn with_own_texts() -> Vec<&'static str> {
    let own = ProblemCode::ALL.iter().filter(|code| !code.is_of_job());
    own.map(|code| code.as_str())
        .chain(ANALYSIS_FAILURES.iter().copied())
        .collect()
}

/// Fields with a text in `admin-audit.json`. Settings with choices have their name beside the choices,
/// in `rules.json`.
fn audit_fields() -> Vec<&'static str> {
    let settings = SETTINGS.iter().filter(|it| it.kind != SettingKind::Choice);
    let names = settings.map(|it| &*format!("settings.{}", it.name).leak());
    AUDIT_FIELDS.iter().copied().chain(names).collect()
}

/// Why a delivery to a user's webhook is not sent at all, and other reasons.
const UNSENT: [&str; 5] = [
    "other",
    "account_blocked",
    "api_not_in_plan",
    "gone",
    "turned_off",
];

#[test]
fn every_code_has_a_text_in_both_languages_and_every_text_a_code() {
    let changes: Vec<_> = UsageChange::ALL.iter().map(|it| it.as_str()).collect();
    let outcomes: Vec<_> = SignInOutcome::ALL.iter().map(|it| it.as_str()).collect();
    let methods: Vec<_> = SignInMethod::ALL.iter().map(|it| it.as_str()).collect();
    let sources: Vec<_> = FigureSource::ALL.iter().map(|it| it.as_str()).collect();
    let problems = with_own_texts();
    let groups = [
        Group {
            of_the_page: &["network", "unreadable_answer", "unexpected"],
            ..group("problems", "codes", &problems)
        },
        group("problems", "job", JOB_FAULTS),
        group("problems", "stretch", STRETCH_FAILURES),
        Group {
            of_the_page: &["other"],
            ..group("problems", "damage", DAMAGES)
        },
        Group {
            of_the_page: &["unknown"],
            ..group("problems", "warnings", WARNINGS)
        },
        group("problems", "sources", &sources),
        Group {
            of_the_page: &["other"],
            ..group(
                "problems",
                "reasons",
                &[WEBHOOK_FAILURES, WEBHOOK_ANSWERS, SPEECH_ENDPOINT_FAILURES].concat(),
            )
        },
        Group {
            of_the_page: &UNSENT,
            ..group("webhooks", "reasons", WEBHOOK_FAILURES)
        },
        Group {
            of_the_page: &["unreadable_cause", "other"],
            ..group("admin-overview", "causes", JOB_FAULTS)
        },
        group("admin-audit", "actions", AUDIT_ACTIONS),
        Group {
            of_the_page: &["value"],
            ..group("admin-audit", "fields", &audit_fields())
        },
        group("admin-sign-ins", "outcomes", &outcomes),
        group("admin-sign-ins", "methods", &methods),
        group("admin", "changes", &changes),
        group("subscription", "changes", &changes),
        Group {
            of_the_page: &["other"],
            ..group("admin-config", "mail.failure", MAIL_FAILURES)
        },
        Group {
            of_the_page: &["other"],
            ..group("admin-config", "models.failure", MODEL_FAILURES)
        },
        group("admin-nocodb", "row_problems", NOCODB_ROW_PROBLEMS),
        Group {
            of_the_page: &["interrupted", "partial"],
            ..group("admin-nocodb", "hints", NOCODB_FAILURES)
        },
    ];
    for Group {
        file,
        path,
        codes,
        of_the_page,
    } in groups
    {
        let expected = codes.iter().chain(of_the_page);
        let expected: BTreeSet<String> = expected.map(|code| (*code).to_owned()).collect();
        for locale in ["uk", "en"] {
            let texts = texts(locale, file);
            assert_eq!(
                keys(at(&texts, path), ""),
                expected,
                "{locale}/{file}.json: {path}"
            );
        }
    }
}

#[test]
fn every_problem_of_jobs_is_a_job_fault() {
    for code in ProblemCode::ALL.iter().filter(|code| code.is_of_job()) {
        assert!(JOB_FAULTS.contains(&code.as_str()), "{code}");
    }
}

#[test]
fn no_list_has_duplicates() {
    let problems: Vec<_> = ProblemCode::ALL.iter().map(|code| code.as_str()).collect();
    for list in [
        problems.as_slice(),
        JOB_FAULTS,
        DAMAGES,
        STRETCH_FAILURES,
        WARNINGS,
        AUDIT_ACTIONS,
        AUDIT_FIELDS,
    ] {
        let unique: BTreeSet<_> = list.iter().collect();
        assert_eq!(unique.len(), list.len());
    }
}
