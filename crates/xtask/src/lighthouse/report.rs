//! Results of Lighthouse, and the table of all runs.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::bench::verdict;

/// The measured categories, with their names in the table.
pub const CATEGORIES: [(&str, &str); 4] = [
    ("performance", "speed"),
    ("accessibility", "access"),
    ("best-practices", "practice"),
    ("seo", "seo"),
];

/// Bytes of script that a page may load before any interaction.
const SCRIPT_BYTES: u64 = 15_000;

/// What cannot be judged on a loopback address, whatever the scores are.
const OUT_OF_REACH: &str = "\
Not judged on a loopback address: https and the redirect to it, HTTP/2, HSTS (Lighthouse exempts
loopback or does not score them), and what real visitors see over months (field data).";

/// The fields of the JSON report that are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    categories: BTreeMap<String, Category>,
    audits: BTreeMap<String, Audit>,
    runtime_error: Option<Failure>,
    #[serde(default)]
    run_warnings: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Category {
    /// `None` if an audit that counts failed.
    score: Option<f64>,
    audit_refs: Vec<AuditRef>,
}

#[derive(Deserialize)]
struct AuditRef {
    id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Audit {
    id: String,
    title: String,
    score: Option<f64>,
    score_display_mode: String,
    display_value: Option<String>,
    error_message: Option<String>,
    numeric_value: Option<f64>,
    details: Option<Details>,
}

#[derive(Deserialize)]
struct Details {
    /// A list in most audits.
    #[serde(default)]
    items: serde_json::Value,
}

#[derive(Deserialize)]
struct Failure {
    message: String,
}

impl Report {
    /// Parses Lighthouse's report.
    pub fn read(json: &str) -> Result<Self> {
        serde_json::from_str(json).context("this is not a Lighthouse report")
    }

    /// Why nothing could be measured.
    pub fn error(&self) -> Option<&str> {
        self.runtime_error
            .as_ref()
            .map(|failure| failure.message.as_str())
    }

    /// From 0 to 100; 0 if Lighthouse gave no score.
    fn score(&self, category: &str) -> u32 {
        let score = self.categories.get(category).and_then(|found| found.score);
        (score.unwrap_or_default() * 100.0).round() as u32
    }

    /// The only score that varies between runs.
    pub fn performance(&self) -> u32 {
        self.score(CATEGORIES[0].0)
    }

    /// All scores of the run.
    pub fn scores_line(&self) -> String {
        CATEGORIES
            .map(|(id, name)| format!("{name} {}", self.score(id)))
            .join(", ")
    }

    fn number(&self, audit: &str) -> f64 {
        let value = self.audits.get(audit).and_then(|found| found.numeric_value);
        value.unwrap_or(f64::NAN)
    }

    /// Bytes of script transferred over the network, including headers, without any interaction.
    fn script_bytes(&self) -> u64 {
        let requests = self.audits.get("network-requests");
        requests
            .and_then(|audit| audit.details.as_ref())
            .and_then(|details| details.items.as_array())
            .into_iter()
            .flatten()
            .filter(|request| request["resourceType"] == "Script")
            .filter_map(|request| request["transferSize"].as_u64())
            .sum()
    }

    /// Audits of a category that found a problem or failed.
    fn low(&self, category: &str) -> impl Iterator<Item = &Audit> {
        self.categories
            .get(category)
            .into_iter()
            .flat_map(|found| &found.audit_refs)
            .filter_map(|audit| self.audits.get(&audit.id))
            .filter(|audit| {
                audit.score.is_some_and(|score| score < 1.0) || audit.score_display_mode == "error"
            })
    }

    /// Audits that must be made manually.
    fn by_hand(&self) -> impl Iterator<Item = &str> {
        let audits = self.audits.values();
        audits
            .filter(|audit| audit.score_display_mode == "manual")
            .map(|audit| audit.id.as_str())
    }
}

/// A page and its runs, of which there is at least one.
pub struct MeasuredPage {
    /// Path and query.
    pub page: String,
    /// In order.
    pub runs: Vec<Report>,
}

impl MeasuredPage {
    /// The run with the median performance.
    fn median(&self) -> &Report {
        let mut sorted: Vec<&Report> = self.runs.iter().collect();
        sorted.sort_by_key(|run| run.performance());
        sorted[sorted.len() / 2]
    }

    /// The median of performance and the minimum of the other scores, which do not vary.
    fn score(&self, category: &str) -> u32 {
        if category == CATEGORIES[0].0 {
            return self.median().performance();
        }
        let scores = self.runs.iter().map(|run| run.score(category));
        scores.min().unwrap_or_default()
    }

    /// The most that any run has loaded.
    fn script_bytes(&self) -> u64 {
        let bytes = self.runs.iter().map(Report::script_bytes);
        bytes.max().unwrap_or_default()
    }

    /// The findings behind the scores, each audit once.
    fn low(&self) -> BTreeMap<(&str, &str), &Audit> {
        let mut found = BTreeMap::new();
        for (category, name) in CATEGORIES {
            let runs: Vec<&Report> = if category == CATEGORIES[0].0 {
                vec![self.median()]
            } else {
                self.runs.iter().collect()
            };
            for audit in runs.into_iter().flat_map(|run| run.low(category)) {
                found.entry((name, audit.id.as_str())).or_insert(audit);
            }
        }
        found
    }
}

/// Prints scores, findings and verdicts; returns the number of missed goals.
pub fn print(measured: &[MeasuredPage]) -> usize {
    print_table(measured);
    print_low(measured);
    println!();
    let mut missed = 0;
    let mut check = |reached: bool, what: String| {
        verdict(reached, &what);
        missed += usize::from(!reached);
    };
    for (category, name) in CATEGORIES {
        let lowest = measured.iter().map(|page| page.score(category)).min();
        let lowest = lowest.unwrap_or_default();
        check(
            lowest >= 100,
            format!("{name}: {lowest} at least (goal 100)"),
        );
    }
    let script_bytes = measured.iter().map(MeasuredPage::script_bytes).max();
    let script_bytes = script_bytes.unwrap_or_default();
    check(
        script_bytes <= SCRIPT_BYTES,
        format!(
            "{script_bytes} bytes of script at most, headers included, before any interaction (goal {SCRIPT_BYTES})"
        ),
    );
    println!("\n{OUT_OF_REACH}");
    let runs = || measured.iter().flat_map(|page| &page.runs);
    let by_hand: BTreeSet<&str> = runs().flat_map(Report::by_hand).collect();
    if !by_hand.is_empty() {
        let by_hand: Vec<&str> = by_hand.into_iter().collect();
        println!(
            "To be checked manually according to Lighthouse: {}.",
            by_hand.join(", ")
        );
    }
    let warnings: BTreeSet<&String> = runs().flat_map(|run| &run.run_warnings).collect();
    for warning in warnings {
        println!("Lighthouse warns: {warning}");
    }
    missed
}

fn print_table(measured: &[MeasuredPage]) {
    print!("\n{:<18}", "");
    for (_, name) in CATEGORIES {
        print!(" {name:>8}");
    }
    println!(
        " {:>7} {:>7} {:>9}   runs' speed",
        "CLS", "LCP s", "script B"
    );
    for page in measured {
        print!("{:<18}", page.page);
        for (category, _) in CATEGORIES {
            print!(" {:>8}", page.score(category));
        }
        let median = page.median();
        let speeds: Vec<String> = page
            .runs
            .iter()
            .map(|run| run.performance().to_string())
            .collect();
        println!(
            " {:>7.3} {:>7.2} {:>9}   {}",
            median.number("cumulative-layout-shift"),
            median.number("largest-contentful-paint") / 1000.0,
            page.script_bytes(),
            speeds.join(" ")
        );
    }
}

/// Every audit with a score below 1, with the affected pages.
fn print_low(measured: &[MeasuredPage]) {
    let mut audits: BTreeMap<(&str, &str), Vec<(&str, &Audit)>> = BTreeMap::new();
    for page in measured {
        for (key, audit) in page.low() {
            audits.entry(key).or_default().push((&page.page, audit));
        }
    }
    if audits.is_empty() {
        println!("\nNo audit is below 1.");
    }
    for ((category, id), found) in audits {
        println!("\n{category}: {id}: {}", found[0].1.title);
        for (page, audit) in found {
            let message = audit
                .error_message
                .as_ref()
                .or(audit.display_value.as_ref());
            let score = audit.score.unwrap_or_default();
            println!("  {score:.2} {page} {}", message.map_or("", String::as_str));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MeasuredPage, Report};

    fn run(performance: f64, seo: &str, scripts: u64) -> Report {
        Report::read(&format!(
            r#"{{
                "categories": {{
                    "performance": {{ "score": {performance}, "auditRefs": [] }},
                    "seo": {{ "score": {seo}, "auditRefs": [{{ "id": "canonical" }}, {{ "id": "hreflang" }}] }}
                }},
                "audits": {{
                    "canonical": {{ "id": "canonical", "title": "C", "score": null, "scoreDisplayMode": "error",
                        "errorMessage": "no document" }},
                    "hreflang": {{ "id": "hreflang", "title": "H", "score": 1, "scoreDisplayMode": "binary" }},
                    "network-requests": {{ "id": "network-requests", "title": "N", "score": 1,
                        "scoreDisplayMode": "informative", "details": {{ "items": [
                            {{ "resourceType": "Script", "transferSize": {scripts} }},
                            {{ "resourceType": "Script", "transferSize": 5 }},
                            {{ "resourceType": "Document", "transferSize": 9000 }}
                        ] }} }}
                }}
            }}"#
        ))
        .expect("a report")
    }

    #[test]
    fn performance_uses_the_median_and_other_scores_the_worst() {
        let runs = vec![run(0.9, "1", 10), run(1.0, "0.92", 30), run(0.97, "1", 20)];
        let page = MeasuredPage {
            page: "/".to_owned(),
            runs,
        };
        assert_eq!(page.score("performance"), 97);
        assert_eq!(page.score("seo"), 92);
        assert_eq!(page.script_bytes(), 35);
    }

    #[test]
    fn an_audit_without_a_score_counts_as_zero() {
        let page = MeasuredPage {
            page: "/".to_owned(),
            runs: vec![run(1.0, "null", 0)],
        };
        assert_eq!(page.score("seo"), 0);
        assert_eq!(page.score("accessibility"), 0);
        let low: Vec<&str> = page.low().keys().map(|(_, id)| *id).collect();
        assert_eq!(low, ["canonical"]);
    }
}
