//! Progress of a download: a bar on a terminal, plain lines elsewhere.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use slovo_engine::models::Model;
use slovo_models::Progress;

/// The progress bar of a model.
pub struct PullBar {
    id: &'static str,
    bar: ProgressBar,
    /// Tenths of the download that were reported in plain lines.
    reported: AtomicU64,
}

impl PullBar {
    /// A bar on standard error.
    pub fn new(model: &'static Model) -> Self {
        let bar = ProgressBar::new(0);
        bar.set_prefix(model.id);
        bar.set_style(spinner());
        bar.enable_steady_tick(Duration::from_millis(120));
        Self {
            id: model.id,
            bar,
            reported: AtomicU64::new(0),
        }
    }

    /// Shows the download's progress.
    pub fn show(&self, progress: Progress<'_>) {
        match progress {
            Progress::Step(step) => {
                self.bar.set_style(spinner());
                self.bar.set_message(step.as_str());
                self.line(step.as_str());
            }
            Progress::Note(note) => {
                self.bar.println(format!("{}: {note}", self.id));
                self.line(note);
            }
            Progress::Bytes {
                done,
                total: Some(total),
            } if total > 0 => {
                if self.bar.length() != Some(total) {
                    self.bar.set_length(total);
                    self.bar.set_style(transfer());
                }
                self.bar.set_position(done);
                let tenths = done * 10 / total;
                if tenths > self.reported.fetch_max(tenths, Ordering::Relaxed) {
                    self.line(&format!("{}% of {total} bytes", tenths * 10));
                }
            }
            Progress::Bytes { done, .. } => self.bar.set_position(done),
        }
    }

    /// Replaces the bar with a final message.
    pub fn finish(&self, sentence: &str) {
        self.bar.finish_and_clear();
        let _ = writeln!(std::io::stderr(), "{}: {sentence}", self.id);
    }

    fn line(&self, text: &str) {
        if self.bar.is_hidden() {
            let _ = writeln!(std::io::stderr(), "{}: {text}", self.id);
        }
    }
}

fn spinner() -> ProgressStyle {
    style(
        "{prefix}: {spinner} {msg}",
        ProgressStyle::default_spinner(),
    )
}

fn transfer() -> ProgressStyle {
    style(
        "{prefix}: {bar:30} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left",
        ProgressStyle::default_bar(),
    )
}

fn style(template: &str, otherwise: ProgressStyle) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or(otherwise)
}
