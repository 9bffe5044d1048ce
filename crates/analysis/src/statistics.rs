//! Speaking times, speaking rates and interruptions. A pure function of times and words, without a
//! model.

use std::collections::BTreeMap;

use slovo_rules::analysis::{SpeakerStatistics, Statistics};
use slovo_rules::text::words;

use crate::Text;

/// Seconds of simultaneous speech that count as an overlap; recognised times are not more precise.
const MIN_OVERLAP: f64 = 0.2;

/// A stretch of one speaker's speech.
#[derive(Clone, Copy)]
struct SpeakerStretch<'a> {
    speaker: Option<&'a str>,
    start: f64,
    end: f64,
    words: u32,
}

/// The statistics of a text. Times that are not numbers count as 0; an end before its start counts
/// as the start.
#[must_use]
pub fn statistics(text: &Text) -> Statistics {
    let mut stretches: Vec<SpeakerStretch<'_>> = text
        .passages
        .iter()
        .map(|passage| {
            let start = non_negative(passage.start);
            SpeakerStretch {
                speaker: passage.speaker.as_deref(),
                start,
                end: non_negative(passage.end).max(start),
                words: u32::try_from(words(&passage.text)).unwrap_or(u32::MAX),
            }
        })
        .collect();
    stretches.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.end.total_cmp(&b.end)));
    let mut speakers: BTreeMap<Option<&str>, SpeakerStatistics> = BTreeMap::new();
    for stretch in &stretches {
        let entry = speakers
            .entry(stretch.speaker)
            .or_insert_with(|| no_statistics_yet(stretch.speaker));
        entry.words = entry.words.saturating_add(stretch.words);
    }
    for (name, speaker) in &mut speakers {
        let by_speaker = stretches.iter().filter(|stretch| stretch.speaker == *name);
        speaker.talk_time = covered(by_speaker.map(|stretch| (stretch.start, stretch.end)));
    }
    count_turns(&stretches, &mut speakers);
    let (overlaps, overlapped) = overlaps(&stretches, &mut speakers);
    let total_talk_time: f64 = speakers.values().map(|speaker| speaker.talk_time).sum();
    let speech = covered(stretches.iter().map(|stretch| (stretch.start, stretch.end)));
    let duration = non_negative(text.duration);
    let mut speakers: Vec<SpeakerStatistics> = speakers
        .into_values()
        .map(|speaker| finished(speaker, total_talk_time))
        .collect();
    speakers.sort_by(|a, b| b.talk_time.total_cmp(&a.talk_time));
    Statistics {
        duration: tenths(duration),
        speech: tenths(speech),
        silence: tenths((duration - speech).max(0.0)),
        words: speakers
            .iter()
            .fold(0, |sum: u32, speaker| sum.saturating_add(speaker.words)),
        overlaps,
        overlapped: tenths(overlapped),
        speakers,
    }
}

fn no_statistics_yet(speaker: Option<&str>) -> SpeakerStatistics {
    SpeakerStatistics {
        speaker: speaker.map(str::to_owned),
        talk_time: 0.0,
        share: 0.0,
        words: 0,
        words_a_minute: 0.0,
        turns: 0,
        longest_turn: 0.0,
        interruptions: 0,
    }
}

fn finished(speaker: SpeakerStatistics, total_talk_time: f64) -> SpeakerStatistics {
    let per = |amount: f64, of: f64| if of > 0.0 { amount / of } else { 0.0 };
    SpeakerStatistics {
        share: (per(speaker.talk_time, total_talk_time) * 1_000.0).round() / 1_000.0,
        words_a_minute: tenths(per(f64::from(speaker.words) * 60.0, speaker.talk_time)),
        talk_time: tenths(speaker.talk_time),
        longest_turn: tenths(speaker.longest_turn),
        ..speaker
    }
}

/// Seconds covered by at least one of these stretches, which are in order of start.
fn covered(stretches: impl Iterator<Item = (f64, f64)>) -> f64 {
    let mut until = 0.0_f64;
    stretches.fold(0.0, |sum, (start, end)| {
        let more = (end - start.max(until)).max(0.0);
        until = until.max(end);
        sum + more
    })
}

/// A turn is what one speaker says before another begins.
fn count_turns<'a>(
    stretches: &[SpeakerStretch<'a>],
    speakers: &mut BTreeMap<Option<&'a str>, SpeakerStatistics>,
) {
    for turn in stretches.chunk_by(|a, b| a.speaker == b.speaker) {
        let end = turn.iter().map(|stretch| stretch.end).fold(0.0, f64::max);
        if let Some(speaker) = speakers.get_mut(&turn[0].speaker) {
            speaker.turns += 1;
            speaker.longest_turn = speaker.longest_turn.max(end - turn[0].start);
        }
    }
}

/// Number and total seconds of overlaps. A speaker who begins while another speaks and continues
/// after that one has ended has interrupted.
fn overlaps<'a>(
    stretches: &[SpeakerStretch<'a>],
    speakers: &mut BTreeMap<Option<&'a str>, SpeakerStatistics>,
) -> (u32, f64) {
    // The end of each speaker's speech so far: few entries, so the time is linear in the length.
    let mut speech_ends: BTreeMap<Option<&str>, f64> = BTreeMap::new();
    let (mut count, mut seconds, mut until) = (0, 0.0, 0.0_f64);
    for stretch in stretches {
        let mut longest = 0.0_f64;
        let mut interrupts = false;
        for (speaker, end) in &speech_ends {
            let both = end.min(stretch.end) - stretch.start;
            if *speaker != stretch.speaker && both >= MIN_OVERLAP {
                longest = longest.max(end.min(stretch.end));
                interrupts |= *end < stretch.end;
            }
        }
        if longest > 0.0 {
            count += u32::from(stretch.start >= until);
            seconds += (longest - stretch.start.max(until)).max(0.0);
            until = until.max(longest);
        }
        if interrupts && let Some(speaker) = speakers.get_mut(&stretch.speaker) {
            speaker.interruptions += 1;
        }
        let latest_end = speech_ends.entry(stretch.speaker).or_default();
        *latest_end = latest_end.max(stretch.end);
    }
    (count, seconds)
}

fn non_negative(seconds: f64) -> f64 {
    if seconds.is_finite() {
        seconds.max(0.0)
    } else {
        0.0
    }
}

fn tenths(seconds: f64) -> f64 {
    (seconds * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Passage;

    fn text(duration: f64, passages: &[(&str, f64, f64, &str)]) -> Text {
        let passages = passages
            .iter()
            .enumerate()
            .map(|(number, passage)| Passage {
                id: number.to_string(),
                start: passage.1,
                end: passage.2,
                speaker: (!passage.0.is_empty()).then(|| passage.0.to_owned()),
                text: passage.3.to_owned(),
            });
        Text {
            language: "en".into(),
            duration,
            passages: passages.collect(),
        }
    }

    #[test]
    fn each_speaker_has_figures_and_interruptions_are_counted() {
        let figures = statistics(&text(
            60.0,
            &[
                ("Ann", 0.0, 10.0, "one two three four five"),
                ("Ann", 12.0, 20.0, "six seven eight"),
                ("Bob", 19.0, 25.0, "no no"),
                ("Ann", 30.0, 40.0, "nine"),
                // Begins during another's speech and ends before it: not an interruption.
                ("Bob", 35.0, 36.0, "yes"),
            ],
        ));
        assert_eq!(
            (figures.duration, figures.speech, figures.silence),
            (60.0, 33.0, 27.0)
        );
        assert_eq!(
            (figures.words, figures.overlaps, figures.overlapped),
            (12, 2, 2.0)
        );
        let [ann, bob] = &figures.speakers[..] else {
            panic!("{figures:?}")
        };
        assert_eq!(
            (ann.speaker.as_deref(), ann.talk_time, ann.words),
            (Some("Ann"), 28.0, 9)
        );
        assert_eq!(
            (ann.turns, ann.longest_turn, ann.interruptions),
            (2, 20.0, 0)
        );
        assert_eq!((ann.share, ann.words_a_minute), (0.8, 19.3));
        assert_eq!(
            (bob.turns, bob.longest_turn, bob.interruptions),
            (2, 6.0, 1)
        );
        assert_eq!((bob.talk_time, bob.words_a_minute), (7.0, 25.7));
    }

    #[test]
    fn without_names_all_speech_belongs_to_one_unnamed_speaker() {
        let figures = statistics(&text(
            5.0,
            &[("", 0.0, 2.0, "Слово за словом"), ("", 1.5, 3.0, "一二三")],
        ));
        assert_eq!(figures.speakers.len(), 1);
        let only = &figures.speakers[0];
        assert_eq!(
            (only.speaker.as_deref(), only.turns, only.share),
            (None, 1, 1.0)
        );
        assert_eq!((figures.speech, figures.overlaps), (3.0, 0));
    }

    #[test]
    fn empty_texts_and_impossible_times_still_give_statistics() {
        assert!(statistics(&text(0.0, &[])).speakers.is_empty());
        let figures = statistics(&text(
            f64::NAN,
            &[
                ("A", f64::INFINITY, -1.0, ""),
                ("B", 5.0, 1.0, "word"),
                ("B", -3.0, f64::NAN, "word"),
            ],
        ));
        assert_eq!(
            (figures.duration, figures.speech, figures.silence),
            (0.0, 0.0, 0.0)
        );
        assert!(
            figures
                .speakers
                .iter()
                .all(|speaker| speaker.words_a_minute == 0.0)
        );
    }
}
