//! Progress of a transcription: a bar on a terminal, and the text as it grows.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use slovo_engine::Event;
use slovo_rules::transcript::Segment;

use super::sentences;

/// Length of the bar: tenths of a percent.
const WHOLE: u64 = 1000;

/// Shows a running transcription.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// Whether segments are printed to standard output as they are recognised.
    live: bool,
    last: Option<Segment>,
    /// Printed above the text.
    heading: String,
}

impl Progress {
    /// A bar if standard error is a terminal. With `live`, and if standard output is a terminal,
    /// text is printed as it is recognised, under this heading.
    pub fn new(live: bool, heading: &str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:32} {percent:>3} %  {msg}");
            ProgressBar::new(WHOLE)
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
                .with_message("estimating time left…")
        });
        Self {
            bar,
            live: live && std::io::stdout().is_terminal(),
            last: None,
            heading: heading.to_owned(),
        }
    }

    /// Shows one event.
    pub fn take(&mut self, event: Event) {
        match event {
            Event::Progress {
                percent,
                seconds_left,
                ..
            } => self.advance(percent, seconds_left),
            Event::Segments(segments) if self.live => self.print(segments),
            Event::Language { code, probability } => {
                if let Some(bar) = &self.bar {
                    bar.println(format!("language: {code} ({:.0} %)", probability * 100.0));
                }
            }
            Event::Warning(warning) => self.above_the_bar(|| {
                eprintln!("slovo: warning: {}", sentences::of_warning(&warning));
            }),
            Event::Opened { .. }
            | Event::Chunk(_)
            | Event::Segments(_)
            | Event::Removed(_)
            | Event::Peaks { .. } => {}
        }
    }

    /// Removes the bar and ends the last paragraph.
    pub fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        if self.last.is_some() {
            println!();
        }
    }

    /// Whether the text has already been printed.
    pub const fn has_shown_text(&self) -> bool {
        self.last.is_some()
    }

    fn advance(&self, percent: f32, seconds_left: Option<f32>) {
        let Some(bar) = &self.bar else { return };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "percent is 0 to 100"
        )]
        bar.set_position((percent * 10.0) as u64);
        if let Some(left) = seconds_left.filter(|left| left.is_finite() && *left >= 0.0) {
            let left = Duration::from_secs_f32(left.round());
            bar.set_message(format!("about {} left", HumanDuration(left)));
        }
    }

    fn print(&mut self, segments: Vec<Segment>) {
        let mut last = self.last.take();
        self.above_the_bar(|| {
            let mut out = std::io::stdout().lock();
            if last.is_none() && !segments.is_empty() {
                write!(out, "{}", self.heading).ok();
            }
            for segment in segments {
                let gap = match &last {
                    None => "",
                    Some(last) if slovo_export::continues(last, &segment) => " ",
                    Some(_) => "\n\n",
                };
                // If the terminal is gone, its signal (SIGHUP) ends the program.
                write!(out, "{gap}{}", segment.text).ok();
                last = Some(segment);
            }
            out.flush().ok();
        });
        self.last = last;
    }

    /// Hides the bar while something else is printed.
    fn above_the_bar(&self, show: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(show),
            None => show(),
        }
    }
}
