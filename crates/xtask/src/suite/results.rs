//! Parses the JUnit XML reports that all runners write.
//!
//! The format is described at <https://github.com/testmoapp/junitxml>. Node's runner omits the
//! suites around its cases, so only the cases are read.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use roxmltree::{Document, Node};

/// A test that was run or skipped.
#[derive(Debug, PartialEq, Eq)]
pub struct Case {
    pub name: String,
    pub time: Duration,
    pub outcome: Outcome,
}

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    Skipped,
    /// With the first lines of its message and of its output.
    Failed(String),
}

impl Case {
    /// Whether it failed.
    pub fn failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }
}

/// The test cases of a report.
///
/// # Errors
/// If the file does not exist, because the runner crashed, or is not XML.
pub fn read(file: &Path) -> Result<Vec<Case>> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("the runner wrote no report to {}", file.display()))?;
    cases(&text).with_context(|| format!("{} is not a report", file.display()))
}

fn cases(text: &str) -> Result<Vec<Case>> {
    let document = Document::parse(text)?;
    let cases = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"));
    Ok(cases.map(case).collect())
}

fn case(node: Node<'_, '_>) -> Case {
    let attribute = |name| node.attribute(name).unwrap_or_default();
    let class = attribute("classname");
    // As the class name, Node's runner writes "test", Playwright and Vitest the file, nextest the
    // crate.
    let name = match class {
        "" | "test" => attribute("name").to_owned(),
        class => format!("{class} {}", attribute("name")),
    };
    let child = |tag| node.children().find(|child| child.has_tag_name(tag));
    let outcome = if let Some(failure) = child("failure").or_else(|| child("error")) {
        Outcome::Failed(problem(
            failure.attribute("message").unwrap_or_default(),
            failure.text().unwrap_or_default(),
        ))
    } else if child("skipped").is_some() {
        Outcome::Skipped
    } else {
        Outcome::Passed
    };
    let seconds: f64 = attribute("time").parse().unwrap_or(0.0);
    Case {
        name,
        time: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
        outcome,
    }
}

/// At most this many lines tell what failed: Playwright's name the assertion, the element it looked
/// for and the line of the test within as many.
const LINES: usize = 20;

/// What browser tests add of the page, its requests and the server begins with it; see
/// `web/e2e/diagnosis.ts`.
const DIAGNOSIS: &str = "── ";

/// The first line of the message, the first lines of the output without blank ones, and the diagnosis.
fn problem(message: &str, output: &str) -> String {
    let message = message.trim().lines().next().unwrap_or_default();
    let output = output.lines().map(str::trim_end);
    let output = output.filter(|line| !line.is_empty() && line.trim() != message);
    let lines = [message].into_iter().filter(|line| !line.is_empty());
    let all: Vec<_> = lines.chain(output).collect();
    let is_diagnosis = |line: &&str| line.trim_start().starts_with(DIAGNOSIS);
    let diagnosis = all.iter().position(is_diagnosis).unwrap_or(all.len());
    let (first, diagnosis) = all.split_at(diagnosis);
    let first = &first[..first.len().min(LINES)];
    [first, diagnosis].concat().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{LINES, Outcome, cases, problem};

    #[test]
    fn reports_of_every_test_runner_are_parsed() {
        let nextest = r#"<?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="nextest-run" tests="2" failures="1" errors="0">
              <testsuite name="slovo-db" tests="2" disabled="0" errors="0" failures="1">
                <testcase name="plans::tests::one::sqlite" classname="slovo-db" time="0.250"/>
                <testcase name="plans::tests::two" classname="slovo-db" time="1.5">
                  <failure message="assertion failed" type="test failure with exit code 101">more</failure>
                </testcase>
              </testsuite>
            </testsuites>"#;
        let found = cases(nextest).expect("it is a report");
        assert_eq!(found[0].name, "slovo-db plans::tests::one::sqlite");
        assert_eq!(found[0].time.as_millis(), 250);
        assert_eq!(found[0].outcome, Outcome::Passed);
        assert_eq!(
            found[1].outcome,
            Outcome::Failed("assertion failed\nmore".to_owned())
        );
        let node = r#"<?xml version="1.0" encoding="utf-8"?>
            <testsuites>
              <testcase name="no type is any" time="0.012" classname="test"/>
              <testcase name="later" time="0" classname="test"><skipped type="skipped" message="x"/></testcase>
            </testsuites>"#;
        let found = cases(node).expect("it is a report");
        assert_eq!(found[0].name, "no type is any");
        assert_eq!(found[1].outcome, Outcome::Skipped);
        let playwright = r#"<testsuites id="" name="" tests="1" failures="1" skipped="0" errors="0" time="9">
            <testsuite name="player.spec.ts"><testcase name="plays" classname="player.spec.ts" time="2">
              <failure message="player.spec.ts:7:1 plays" type="FAILURE"><![CDATA[Error: no]]></failure>
            </testcase></testsuite></testsuites>"#;
        let found = cases(playwright).expect("it is a report");
        assert_eq!(
            found[0].outcome,
            Outcome::Failed("player.spec.ts:7:1 plays\nError: no".to_owned())
        );
    }

    #[test]
    fn a_failure_tells_its_first_lines() {
        assert_eq!(problem("", ""), "");
        assert_eq!(problem("one\ntwo", "\n  one \n\n  three\n"), "one\n  three");
        let long = "a line\n".repeat(100);
        assert_eq!(problem("one", &long).lines().count(), LINES);
        let diagnosed = problem("one", &(long + "    ── requests\n    GET /"));
        assert_eq!(diagnosed.lines().count(), LINES + 2);
    }

    #[test]
    fn an_invalid_report_is_an_error() {
        for text in ["", "<testsuites>", "12 passed"] {
            assert!(cases(text).is_err(), "{text}");
        }
    }
}
