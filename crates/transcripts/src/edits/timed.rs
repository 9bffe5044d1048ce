//! Times of lines, inserted lines, and manual subtitles.

use std::collections::HashMap;

use slovo_db::texts::edits::{self, Change, SegmentState};
use slovo_rules::edit::{self, EditedSegment, NewCues, NewLine, NewTimes, Place, SegmentRef};
use slovo_rules::violation::{Code, Violation, Violations};

use super::locked_transcript::{Changes, LockedTranscript, invalid, next};
use super::{EditError, SAME_SECONDS};

/// A line to insert where speech was missed.
pub(super) struct MissingLine<'a> {
    /// Its id.
    pub(super) id: &'a str,
    /// The line it follows.
    pub(super) after: Option<&'a SegmentRef>,
    /// Start and end in seconds.
    pub(super) time: (f64, f64),
    /// Its text.
    pub(super) text: &'a str,
    /// Who says it.
    pub(super) speaker: Option<&'a str>,
}

fn refused(violation: Violation) -> EditError {
    EditError::Invalid(Violations(vec![violation]))
}

impl LockedTranscript<'_> {
    /// Moves segments, with their words and subtitles.
    pub(super) async fn set_times(&mut self, times: &[NewTimes]) -> Result<Changes, EditError> {
        let refs: Vec<&SegmentRef> = times.iter().map(|new| &new.segment).collect();
        let states = self.checked_states(&refs).await?;
        let (job, version) = (self.author.job, self.author.version);
        let limit = edits::recording_end(&mut *self.connection, job, version).await?;
        let mut lines = edits::lines(&mut *self.connection, job, version).await?;
        let moved: HashMap<&str, f64> = times
            .iter()
            .map(|new| (new.segment.id.as_str(), new.start))
            .collect();
        let mut positions: HashMap<String, usize> = HashMap::with_capacity(times.len());
        for (at, line) in lines.iter_mut().enumerate() {
            if let Some(start) = moved.get(line.id.as_str()) {
                line.start = *start;
                positions.insert(line.id.clone(), at);
            }
        }
        let mut changes = Changes::default();
        for (position, (before, new)) in states.into_iter().zip(times).enumerate() {
            let at = positions.get(&new.segment.id).copied();
            // If only its end moves, its position relative to its neighbours need not improve.
            let keeps_start = (before.segment.start - new.start).abs() < SAME_SECONDS;
            let neighbours = at.filter(|_| !keeps_start).map_or((None, None), |at| {
                let start = |at: usize| lines.get(at).map(|line| line.start);
                (at.checked_sub(1).and_then(start), start(at + 1))
            });
            edit::line_fits((new.start, new.end), neighbours, limit)
                .map_err(|violation| refused(violation.under(&format!("times.{position}"))))?;
            let mut after = next(&before);
            after.segment = EditedSegment {
                revision: after.segment.revision,
                ..edit::with_times(&before.segment, new.start, new.end)
            };
            changes.segments.push(Change { before, after });
        }
        Ok(changes)
    }

    /// Inserts a line. The line it follows may have changed, but must exist.
    pub(super) async fn insert(&mut self, missed: MissingLine<'_>) -> Result<Changes, EditError> {
        if !self.current(&[missed.id.to_owned()]).await?.is_empty() {
            return Err(invalid("new_segment", Code::Repeated));
        }
        let (job, version) = (self.author.job, self.author.version);
        let lines = edits::lines(&mut *self.connection, job, version).await?;
        let previous = match missed.after {
            Some(after) => {
                let found = lines.iter().position(|line| line.id == after.id);
                let Some(found) = found else {
                    let current = self.current(std::slice::from_ref(&after.id)).await?;
                    let state = current.into_values().next();
                    return Err(EditError::Conflict(vec![self.as_change(&after.id, state)]));
                };
                Some(found)
            }
            None => None,
        };
        let earlier = previous.and_then(|at| lines.get(at));
        let later = lines.get(previous.map_or(0, |at| at + 1));
        let starts = (earlier.map(|line| line.start), later.map(|line| line.start));
        let limit = edits::recording_end(&mut *self.connection, job, version).await?;
        edit::line_fits(missed.time, starts, limit).map_err(refused)?;
        if let Some(speaker) = missed.speaker {
            self.admit(speaker).await?;
        }
        let first = lines.first().map(|line| line.place);
        let place = self
            .place_after(earlier.map(|line| line.place), first)
            .await?;
        let language = match earlier {
            Some(line) => self.language_of(&line.id).await?,
            None => None,
        };
        let (start, end) = missed.time;
        let line = NewLine {
            id: missed.id,
            place,
            start,
            end,
            text: missed.text,
            speaker: missed.speaker,
            language: language.as_deref(),
        };
        // Before this edit it did not exist; undoing it removes the line.
        let before = SegmentState {
            segment: edit::inserted(line),
            removed: true,
            in_bin: false,
        };
        let mut after = next(&before);
        after.removed = false;
        Ok(Changes {
            segments: vec![Change { before, after }],
            ..Changes::default()
        })
    }

    /// The stored language of a line; `None` if it is that of the text.
    pub(super) async fn language_of(&mut self, id: &str) -> Result<Option<String>, EditError> {
        let states = self.current(&[id.to_owned()]).await?;
        let state = states.into_values().next();
        Ok(state.and_then(|state| state.segment.language))
    }

    /// A free position after this one or, if it is `None`, before the first one in use.
    pub(super) async fn place_after(
        &mut self,
        earlier: Option<Place>,
        first: Option<Place>,
    ) -> Result<Place, EditError> {
        let (job, version) = (self.author.job, self.author.version);
        let (base, part) = if let (None, Some(first)) = (earlier, first) {
            let base = first.base;
            let first_part = edits::first_part(&mut *self.connection, job, version, base).await?;
            (base, edit::part_before(first_part))
        } else {
            let previous = earlier.unwrap_or(Place { base: 0, part: 0 });
            let next = edits::next_part(&mut *self.connection, job, version, previous).await?;
            (previous.base, edit::part_between(previous.part, next))
        };
        let part = part.ok_or(EditError::TooDeep)?;
        Ok(Place { base, part })
    }

    /// Replaces the subtitles of one segment.
    pub(super) async fn set_cues(&mut self, new: &NewCues) -> Result<Changes, EditError> {
        self.cues(std::slice::from_ref(new), |_, violation| violation)
            .await
    }

    /// Replaces the subtitles of many segments.
    pub(super) async fn replace_cues(
        &mut self,
        segments: &[NewCues],
    ) -> Result<Changes, EditError> {
        self.cues(segments, |position, violation| {
            violation.under(&format!("segments.{position}"))
        })
        .await
    }

    async fn cues(
        &mut self,
        news: &[NewCues],
        placed: fn(usize, Violation) -> Violation,
    ) -> Result<Changes, EditError> {
        let refs: Vec<&SegmentRef> = news.iter().map(|new| &new.segment).collect();
        let states = self.checked_states(&refs).await?;
        let (job, version) = (self.author.job, self.author.version);
        let limit = edits::recording_end(&mut *self.connection, job, version).await?;
        let mut changes = Changes::default();
        let mut violations = Vec::new();
        for (position, (before, new)) in states.into_iter().zip(news).enumerate() {
            let fit = edit::cues_fit(&before.segment.text, &new.cues);
            let broken = fit.err().unwrap_or_default().0;
            violations.extend(
                broken
                    .into_iter()
                    .map(|violation| placed(position, violation)),
            );
            for (number, cue) in new.cues.iter().enumerate() {
                if let Err(late) = edit::within(cue.end, limit) {
                    let late = late.under(&format!("cues.{number}.end"));
                    violations.push(placed(position, late));
                }
            }
            let mut after = next(&before);
            after.segment.cues.clone_from(&new.cues);
            changes.segments.push(Change { before, after });
        }
        if violations.is_empty() {
            Ok(changes)
        } else {
            Err(EditError::Invalid(Violations(violations)))
        }
    }
}
