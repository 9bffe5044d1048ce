//! Results and problems of a run.

use serde::{Deserialize, Serialize};
use slovo_db::nocodb::Kind;
use slovo_rules::violation::Violations;
use utoipa::ToSchema;

/// Problems that a run stores; the others are only counted.
const MAX_PROBLEMS: usize = 200;
/// Longest detail of a problem, in characters.
const MAX_DETAIL: usize = 300;

/// What a run has done, in rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = NocodbStats)]
pub struct Stats {
    /// Plans carried in either direction.
    pub plans: u64,
    /// Users.
    pub users: u64,
    /// Users' minutes.
    pub usage: u64,
    /// Presets.
    pub presets: u64,
    /// Jobs.
    pub jobs: u64,
    /// Texts of jobs.
    pub outputs: u64,
    /// Made there.
    pub created_there: u64,
    /// Changed there.
    pub changed_there: u64,
    /// Removed there.
    pub removed_there: u64,
    /// Made here.
    pub created_here: u64,
    /// Changed here.
    pub changed_here: u64,
    /// Changed on both sides.
    pub conflicts: u64,
    /// Changed there in fields that only Slovo changes, and put back.
    pub put_back: u64,
    /// Left as they are because something is wrong with them.
    pub problems: u64,
    /// Requests that were sent.
    pub requests: u64,
}

impl Stats {
    /// Counts a row that was sent or received.
    pub(super) fn carried(&mut self, kind: Kind, rows: u64) {
        let count = match kind {
            Kind::Plans => &mut self.plans,
            Kind::Users => &mut self.users,
            Kind::Usage => &mut self.usage,
            Kind::Presets => &mut self.presets,
            Kind::Jobs => &mut self.jobs,
            Kind::Outputs => &mut self.outputs,
        };
        *count += rows;
    }
}

/// A row that was left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = NocodbProblem)]
pub struct Problem {
    /// Its table: `plans`, `users`, `usage`, `presets`, `jobs` or `outputs`.
    pub kind: String,
    /// Our row, where there is one.
    #[schema(required)]
    pub local_id: Option<String>,
    /// Theirs, where there is one.
    #[schema(required)]
    pub remote_id: Option<i64>,
    /// What is wrong; its text is `row_problems.<code>` of the locale file `admin-nocodb`.
    pub code: String,
    /// The server's own words, in English.
    pub detail: String,
    /// With `invalid`: which fields break which rules, without the values.
    #[serde(default)]
    #[schema(required, value_type = Vec<slovo_rules::violation::Violation>)]
    pub violations: Violations,
}

/// The results and problems of a run so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub stats: Stats,
    pub problems: Vec<Problem>,
}

impl Report {
    /// Records a row that was skipped.
    pub fn problem(
        &mut self,
        kind: Kind,
        (local_id, remote_id): (Option<&str>, Option<i64>),
        code: &str,
        detail: &str,
    ) {
        self.add_problem(Problem {
            kind: kind.as_str().to_owned(),
            local_id: local_id.map(str::to_owned),
            remote_id,
            code: code.to_owned(),
            detail: detail.chars().take(MAX_DETAIL).collect(),
            violations: Violations::new(),
        });
    }

    /// Records a remote row that violates rules: which rules, never the values.
    pub fn invalid(&mut self, kind: Kind, remote_id: i64, violations: &Violations) {
        let broken = violations.0.iter().cloned().map(|mut broken| {
            broken.params.retain(|_, value| value.is_number());
            broken
        });
        self.add_problem(Problem {
            kind: kind.as_str().to_owned(),
            local_id: None,
            remote_id: Some(remote_id),
            code: "invalid".to_owned(),
            detail: String::new(),
            violations: Violations(broken.collect()),
        });
    }

    fn add_problem(&mut self, problem: Problem) {
        self.stats.problems += 1;
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}
