//! Durations of a run: a table at its end. The last ten tables are kept for comparison below
//! `target/suite`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::results::Case;
use crate::step::{self, StepTime, clock};

/// Most tables that are kept.
const MAX_TABLES: usize = 10;
/// Most slow tests that are listed.
const SLOWEST: usize = 20;

/// The durations of one run.
#[derive(Serialize, Deserialize)]
pub struct Table {
    /// Unix time at its end, in seconds.
    ended_at: u64,
    /// The requested parts; only runs of the same parts are compared.
    parts: Vec<String>,
    total_seconds: f64,
    steps: Vec<Row>,
    slowest: Vec<Row>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    name: String,
    seconds: f64,
    /// Nesting depth.
    depth: usize,
}

impl Table {
    /// The table of a run that ended at this Unix time, in seconds.
    pub fn of(
        ended_at: u64,
        parts: Vec<String>,
        total: Duration,
        steps: &[StepTime],
        cases: &[(&str, Case)],
    ) -> Self {
        let row = |name: String, time: Duration, depth| Row {
            name,
            seconds: time.as_secs_f64(),
            depth,
        };
        let mut slowest: Vec<&(&str, Case)> = cases.iter().collect();
        slowest.sort_by_key(|(_, case)| std::cmp::Reverse(case.time));
        slowest.truncate(SLOWEST);
        Self {
            ended_at,
            parts,
            total_seconds: total.as_secs_f64(),
            steps: steps
                .iter()
                .map(|step| row(step.title.clone(), step.time, step.depth))
                .collect(),
            slowest: slowest
                .into_iter()
                .map(|(part, case)| row(format!("{part}: {}", case.name), case.time, 0))
                .collect(),
        }
    }

    /// The table as text, beside the previous run if there is one.
    pub fn shown(&self, before: Option<&Self>) -> String {
        let mut text = String::from("\n── Where the time went\n");
        let width = |rows: &[Row]| {
            let widths = rows
                .iter()
                .map(|row| row.name.chars().count() + 2 * row.depth);
            widths.max().unwrap_or(0)
        };
        let wide = width(&self.steps).max(24);
        let line = |text: &mut String, name: &str, seconds: f64, earlier: Option<f64>| {
            let earlier = earlier.map_or_else(String::new, formatted);
            let _ = writeln!(
                text,
                "   {name:wide$} {:>7} {earlier:>7}",
                formatted(seconds)
            );
        };
        let heading = if before.is_some() { "before" } else { "" };
        let _ = writeln!(text, "   {:wide$} {:>7} {heading:>7}", "", "now");
        for row in &self.steps {
            let earlier = before.and_then(|before| before.seconds_of(&row.name));
            let name = format!("{}{}", "  ".repeat(row.depth), row.name);
            line(&mut text, &name, row.seconds, earlier);
        }
        let earlier = before.map(|before| before.total_seconds);
        line(&mut text, "All of it", self.total_seconds, earlier);
        let _ = writeln!(text, "\n   The slowest tests");
        for row in &self.slowest {
            let _ = writeln!(text, "   {:>7}  {}", formatted(row.seconds), row.name);
        }
        text
    }

    fn seconds_of(&self, name: &str) -> Option<f64> {
        let row = self.steps.iter().find(|row| row.name == name);
        row.map(|row| row.seconds)
    }
}

fn formatted(seconds: f64) -> String {
    clock(Duration::try_from_secs_f64(seconds).unwrap_or_default())
}

/// Prints the table of a run beside the previous one, and stores it.
pub fn conclude(folder: &Path, table: &Table) -> Result<()> {
    let tables = stored_tables(folder);
    let before = tables
        .iter()
        .rev()
        .filter_map(|file| serde_json::from_str::<Table>(&fs::read_to_string(file).ok()?).ok())
        .find(|before| before.parts == table.parts);
    step::print_line(table.shown(before.as_ref()));
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let file = folder.join(format!("{}.json", table.ended_at));
    fs::write(&file, serde_json::to_string_pretty(table)?)
        .with_context(|| format!("cannot write {}", file.display()))?;
    let tables = stored_tables(folder);
    for old in &tables[..tables.len().saturating_sub(MAX_TABLES)] {
        fs::remove_file(old).ok();
    }
    step::print_line(format!(
        "   kept with the {} before: {}",
        tables.len().min(MAX_TABLES) - 1,
        folder.display()
    ));
    Ok(())
}

/// The files of tables, oldest first.
fn stored_tables(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{MAX_TABLES, Table, conclude, stored_tables};
    use crate::step::StepTime;
    use crate::suite::results::{Case, Outcome};

    fn table(seconds: u64) -> Table {
        let steps = [StepTime {
            title: "Rust tests".to_owned(),
            time: Duration::from_secs(seconds),
            depth: 0,
        }];
        let case = |name: &str, seconds| Case {
            name: name.to_owned(),
            time: Duration::from_secs(seconds),
            outcome: Outcome::Passed,
        };
        let cases = [("rust", case("quick", 1)), ("rust", case("slow", 65))];
        let total = Duration::from_secs(seconds + 1);
        Table::of(1000, vec!["rust".to_owned()], total, &steps, &cases)
    }

    #[test]
    fn a_table_lists_steps_and_slow_tests_next_to_the_previous_run() {
        let printed = table(100).shown(Some(&table(75)));
        let row = printed.lines().find(|line| line.contains("Rust tests"));
        let words: Vec<&str> = row.unwrap_or_default().split_whitespace().collect();
        assert_eq!(words, ["Rust", "tests", "1:40", "1:15"]);
        let slow = printed.find("1:05  rust: slow");
        assert!(
            slow < printed.find("1.0 s  rust: quick") && slow.is_some(),
            "{printed}"
        );
    }

    #[test]
    fn the_last_ten_tables_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        for at in 0..MAX_TABLES as u64 + 3 {
            let table = Table {
                ended_at: 1000 + at,
                ..table(at)
            };
            conclude(folder.path(), &table).expect("it is kept");
        }
        let files = stored_tables(folder.path());
        assert_eq!(files.len(), MAX_TABLES);
        assert!(files[0].ends_with("1003.json"), "{files:?}");
    }
}
