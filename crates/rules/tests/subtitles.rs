//! Subtitles: guarantees of the layout for any text, and what the editor displays.

use proptest::prelude::*;
use slovo_rules::edit::{EditedSegment, Place};
use slovo_rules::subtitles::cues::{Cue, SpeechContext, SpokenSegment, clean, cues, cues_within};
use slovo_rules::subtitles::{
    self, LIMITS, SubtitleLimits, SubtitleOptions, characters_per_second, columns,
};
use slovo_rules::transcript::Word;

fn segment(text: &str, start: f64, end: f64, words: Vec<Word>) -> EditedSegment {
    EditedSegment {
        id: "0".to_owned(),
        revision: 0,
        place: Place { base: 0, part: 0 },
        start,
        end,
        speaker: Some("SPEAKER_0".to_owned()),
        language: None,
        text: text.to_owned(),
        words,
        cues: Vec::new(),
    }
}

/// Words at these times, in seconds.
fn spoken(words: &[(&str, f64, f64)]) -> EditedSegment {
    let text: Vec<&str> = words.iter().map(|(text, ..)| *text).collect();
    let timed = words.iter().map(|&(text, start, end)| Word {
        start,
        end,
        text: text.to_owned(),
        confidence: 1.0,
    });
    let (first, last) = (words[0], words[words.len() - 1]);
    segment(&text.join(" "), first.1, last.2, timed.collect())
}

fn cues_of(segments: &[EditedSegment], duration: f64, limits: &SubtitleLimits) -> Vec<Cue> {
    cues_within(segments.iter().map(SpokenSegment::from), duration, limits)
}

/// Starts and ends of the cues of segments in a recording of this many seconds.
fn times(spans: &[(f64, f64)], duration: f64) -> Vec<(f64, f64)> {
    let segments: Vec<_> = spans
        .iter()
        .map(|&(start, end)| segment("Так.", start, end, Vec::new()))
        .collect();
    let cues = cues(segments.iter().map(SpokenSegment::from), duration);
    cues.iter().map(|cue| (cue.start, cue.end)).collect()
}

#[test]
fn a_cue_extends_into_silence_for_as_long_as_reading_takes() {
    assert_eq!(times(&[(1.0, 1.2), (5.0, 8.0)], 9.0)[0], (1.0, 2.0));
    // A pause that is nearly filled is filled, except for two frames.
    assert_eq!(times(&[(1.0, 1.2), (2.3, 4.0)], 9.0)[0], (1.0, 2.22));
    // 51 characters said in 2 seconds: 3 at 17 per second, plus a margin for comfortable reading.
    let fast = segment(&"Сорок п’ять. ".repeat(4), 1.0, 3.0, Vec::new());
    let cue = &cues_of(&[fast], 60.0, &LIMITS)[0];
    assert!(
        cue.end - cue.start > 55.0 / 17.0 && cue.end < 6.0,
        "{cue:?}"
    );
}

#[test]
fn without_silence_after_it_a_cue_starts_earlier_or_delays_the_next() {
    // At the end of the recording.
    assert_eq!(times(&[(8.4, 9.0)], 9.0)[0].1, 9.0);
    assert!(times(&[(8.4, 9.0)], 9.0)[0].0 <= 8.0);
    assert_eq!(times(&[(0.1, 0.4)], 0.5), [(0.0, 0.5)]);
    // 46 ms before another speaker: the other cue starts later.
    let close = times(&[(4.0, 4.046), (4.046, 9.0)], 20.0);
    assert!(close[0].1 - close[0].0 >= 0.99, "{close:?}");
    assert!(close[1].0 - 4.046 < 0.9, "{close:?}");
}

#[test]
fn a_sentence_is_split_so_that_its_cues_are_readable() {
    // Fast, then a pause: split before the pause, the first part would have too little time.
    let words = [
        ("Це", 0.0, 0.1),
        ("сказано", 0.1, 0.4),
        ("дуже", 0.4, 0.6),
        ("швидко,", 0.6, 0.9),
        ("а", 3.0, 3.1),
        ("потім", 3.1, 3.5),
        ("повільно", 3.5, 4.5),
        ("і", 4.5, 4.6),
        ("спокійно.", 4.6, 5.6),
    ];
    let cues = cues_of(&[spoken(&words)], 10.0, &LIMITS);
    assert_eq!(cues[0].text, "Це сказано дуже швидко,");
    for cue in &cues {
        let speed =
            characters_per_second(&format!("{}{}", cue.head(), cue.text), cue.end - cue.start);
        assert!(speed <= 17.0, "{cue:?}");
    }
}

#[test]
fn a_leading_name_counts_as_part_of_the_line() {
    let text = "Коли старий увечері спустився з гори, у селі його імені вже ніхто не пам’ятав.";
    let speech = SpokenSegment {
        start: 0.0,
        end: 12.0,
        speaker: Some("Олена Миколаївна".to_owned()),
        text,
        words: &[],
        cues: &[],
    };
    let cues = cues_within([speech], 20.0, &LIMITS);
    let lines = cues[0].spoken_lines(&LIMITS);
    assert!(lines.starts_with("Олена Миколаївна: "), "{lines}");
    assert!(lines.lines().all(|line| columns(line) <= 42), "{lines}");
    assert!(lines.lines().count() <= 2, "{lines}");
}

#[test]
fn simultaneous_speech_is_displayed_at_its_time() {
    let long = segment(&"Довга розповідь. ".repeat(20), 0.0, 40.0, Vec::new());
    let mut other = segment("Справді?", 10.0, 11.0, Vec::new());
    other.speaker = Some("SPEAKER_1".to_owned());
    let cues = cues_of(&[long, other], 60.0, &LIMITS);
    let reply = cues.iter().find(|cue| cue.text == "Справді?").unwrap();
    assert!((reply.start - 10.0).abs() < 1.5, "{reply:?}");
    assert!(reply.speaker_changes);
    check_limits(&cues, &LIMITS).unwrap();
}

#[test]
fn an_hour_of_fast_speech_is_readable() {
    // Sentences of 40 to 120 characters at 15 per second, with pauses of 0.2 to 0.9 seconds.
    let words = [
        "слово",
        "і",
        "подорож",
        "до",
        "незвіданих,",
        "країв",
        "та",
        "дім",
    ];
    let mut segments = Vec::new();
    let (mut at, mut n) = (0.0_f64, 0_usize);
    while at < 3600.0 {
        let start = at;
        let mut timed = Vec::new();
        for k in 0..(7 + n % 11) {
            let text = words[(n * 7 + k * 3) % words.len()];
            let long = 0.067 * f64::from(u32::try_from(text.chars().count() + 1).unwrap());
            timed.push((text, at, at + long));
            at += long;
        }
        let mut segment = spoken(&timed);
        segment.start = start;
        segment.speaker = Some(format!("SPEAKER_{}", n / 4 % 2));
        segments.push(segment);
        at += 0.2 + 0.1 * f64::from(u32::try_from(n % 8).unwrap());
        n += 1;
    }
    let cues = cues_of(&segments, at, &LIMITS);
    check_limits(&cues, &LIMITS).unwrap();
    let fast = cues.iter().filter(|cue| {
        characters_per_second(&format!("{}{}", cue.head(), cue.text), cue.end - cue.start) > 17.001
    });
    assert!(fast.count() * 100 <= cues.len() * 3);
    assert!(cues.iter().all(|cue| cue.end - cue.start >= 0.999));
    // No cue is far from the speech.
    let distance = |cue: &Cue| {
        cue.words
            .first()
            .map_or(0.0, |word| (cue.start - word.start).abs())
    };
    assert!(cues.iter().all(|cue| distance(cue) <= 1.001));
}

#[test]
fn the_editor_displays_the_same_cues_as_the_files() {
    let segments: Vec<_> = (0..60_u32)
        .map(|n| {
            let start = f64::from(n) * 2.3;
            let mut segment = segment(
                "Речення, яке трохи задовге для часу.",
                start,
                start + 1.8,
                Vec::new(),
            );
            segment.speaker = Some(format!("SPEAKER_{}", n / 5 % 2));
            segment
        })
        .collect();
    let complete = cues_of(&segments, 200.0, &LIMITS);
    let spans: Vec<_> = segments
        .iter()
        .map(|segment| (segment.start, segment.end))
        .collect();
    let group_starts = subtitles::group_starts(&spans);
    assert!(group_starts.len() > 1, "{group_starts:?}");
    let mut displayed = Vec::new();
    for (at, &first) in group_starts.iter().enumerate() {
        let end = group_starts.get(at + 1).copied().unwrap_or(segments.len());
        let around = SpeechContext {
            first: first == 0,
            speaker: first
                .checked_sub(1)
                .and_then(|before| segments[before].speaker.clone()),
            next: segments.get(end).map_or(f64::INFINITY, |next| next.start),
            duration: 200.0,
        };
        for cue in subtitles::of_segments(&segments[first..end], &[], &around) {
            displayed.push((
                cue.start,
                cue.end,
                format!("{}{}", cue.head, cue.lines.join(" ")),
            ));
        }
    }
    let of_files: Vec<_> = complete
        .iter()
        .map(|cue| (cue.start, cue.end, format!("{}{}", cue.head(), cue.text)))
        .collect();
    assert_eq!(displayed, of_files);
}

/// The guarantees for all cues: ascending, separated, neither too long nor empty, and of two lines
/// that are not too wide.
fn check_limits(cues: &[Cue], limits: &SubtitleLimits) -> Result<(), String> {
    for pair in cues.windows(2) {
        if pair[1].start <= pair[0].start || pair[1].start < pair[0].end {
            return Err(format!("over each other: {pair:?}"));
        }
        // Where much is said at once there is less than the gap.
        let gap = pair[1].start - pair[0].end;
        let crammed = pair[1].start - pair[0].start < 0.501;
        if gap < limits.gap() - 0.001 && !crammed {
            return Err(format!("no gap: {pair:?}"));
        }
        let room = pair[1].start - pair[0].end > limits.gap() + 0.002;
        if room && pair[0].end - pair[0].start < limits.min_seconds - 0.002 {
            return Err(format!("short in spite of room: {pair:?}"));
        }
    }
    for cue in cues {
        let duration = cue.end - cue.start;
        if !(duration > 0.0 && duration <= limits.max_seconds + 0.002) {
            return Err(format!("{duration} seconds: {cue:?}"));
        }
        let lines = cue.spoken_lines(limits);
        if lines.lines().count() > limits.max_lines {
            return Err(format!("lines: {lines}"));
        }
        for line in lines.lines() {
            if columns(line) > limits.max_columns && line.contains(' ') {
                return Err(format!("wide: {line}"));
            }
        }
    }
    Ok(())
}

fn squeezed(text: &str) -> String {
    clean(text).replace(' ', "")
}

/// A possible or an impossible time of a recording.
fn time() -> impl Strategy<Value = f64> {
    prop_oneof![8 => 0.0..60.0_f64, 1 => Just(f64::NAN), 1 => Just(0.0)]
}

/// Text of any script, with words of 200 letters.
const TEXT: &str = "(\\PC{0,6}|[а-яіїA-Z,.]{1,9}|[今日本語。、]{1,30}|(👩\u{200d}💻|😀){1,5}|[אבגד]{1,9}|x{200}|\\s){0,30}";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_text_breaks_the_limits_and_no_word_is_lost(
        input in prop::collection::vec((TEXT, time(), time(), 0..3_u8, any::<bool>()), 1..12),
        duration in 0.0..80.0_f64,
        columns in 20..80_u32,
        lines in 1..=2_u32,
    ) {
        let segments: Vec<EditedSegment> = input.iter().map(|(text, start, end, speaker, timed)| {
            // Words without duration, all at one time.
            let words = clean(text).split(' ').filter(|_| *timed).map(|word| Word {
                start: *start, end: *start, text: word.to_owned(), confidence: 1.0,
            }).collect();
            let mut segment = segment(text, *start, *end, words);
            segment.speaker = Some(format!("SPEAKER_{speaker}"));
            segment
        }).collect();
        let options = SubtitleOptions {
            max_columns: Some(columns),
            max_lines: Some(lines),
            ..SubtitleOptions::NONE
        };
        let limits = options.limits("uk");
        let cues = cues_of(&segments, duration, &limits);
        for pair in cues.windows(2) {
            prop_assert!(pair[0].start < pair[1].start && pair[0].end <= pair[1].start, "{pair:?}");
        }
        for cue in &cues {
            prop_assert!(cue.start >= 0.0 && cue.end > cue.start, "{cue:?}");
            prop_assert!(cue.end - cue.start <= limits.max_seconds + 0.002, "{cue:?}");
            let displayed = cue.spoken_lines(&limits);
            prop_assert!(displayed.lines().count() <= limits.max_lines, "{displayed}");
        }
        let sorted = |texts: Vec<String>| {
            let mut letters: Vec<char> = texts.concat().chars().collect();
            letters.sort_unstable();
            letters
        };
        prop_assert_eq!(
            sorted(cues.iter().map(|cue| squeezed(&cue.text)).collect()),
            sorted(segments.iter().map(|segment| squeezed(&segment.text)).collect())
        );
    }

    #[test]
    fn cues_of_words_in_order_keep_every_limit(
        words in prop::collection::vec(("[а-яії]{1,12}[,.]?", 0.05..0.6_f64, 0.0..0.4_f64), 1..200),
        long in 3..20_usize,
    ) {
        let mut at = 0.5;
        let timed: Vec<(String, f64, f64)> = words.into_iter().map(|(text, length, pause)| {
            let start = at;
            at += length + pause;
            (text, start, start + length)
        }).collect();
        let segments: Vec<_> = timed.chunks(long).zip(0_u32..).map(|(chunk, n)| {
            let chunk: Vec<_> = chunk.iter().map(|(text, start, end)| (text.as_str(), *start, *end)).collect();
            let mut segment = spoken(&chunk);
            segment.speaker = Some(format!("SPEAKER_{}", n % 2));
            segment
        }).collect();
        let checked = check_limits(&cues_of(&segments, at + 2.0, &LIMITS), &LIMITS);
        prop_assert!(checked.is_ok(), "{checked:?}");
    }

    #[test]
    fn cues_of_the_editor_cover_the_text(text in "\\PC{0,30}(\\s?[а-яA-Z今日,.]{1,9}){0,40}\\s*", start in 0.0..1e6_f64, long in any::<f64>()) {
        let segment = segment(&text, start, start + long, Vec::new());
        let cues = subtitles::of_segments(&[segment], &[], &SpeechContext::recording(0.0));
        prop_assert!(cues.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
        let covered: String = cues.iter().map(|cue| &text[cue.range.clone()]).collect();
        prop_assert_eq!(squeezed(&covered), squeezed(&text));
        for cue in &cues {
            prop_assert_eq!(squeezed(&cue.lines.concat()), squeezed(&text[cue.range.clone()]));
        }
    }
}
