//! Exports of ordinary and hostile transcripts.

mod annotations;
mod bilingual;
mod broadcast;
mod corpus;
mod documents;
mod hand_made;
mod languages;
mod layouts;
mod outputs;
mod strict;
mod tables;
mod tagged;
mod templates;
mod valid;

use slovo_rules::edit::EditedTranscript;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::subtitles::lines;
use slovo_rules::transcript::{Segment, Transcript, Warning, Word};

use super::{Format, Options, Source, unedited, write};

fn segment(start: f64, end: f64, speaker: Option<&str>, text: &str) -> Segment {
    Segment {
        index: 0,
        start,
        end,
        speaker: speaker.map(str::to_owned),
        language: None,
        text: text.to_owned(),
        words: Vec::new(),
    }
}

fn transcript(segments: Vec<Segment>) -> Transcript {
    Transcript {
        language: "en".to_owned(),
        duration: 60.0,
        mode: TranscriptionType::Full,
        model: "base-q8_0".to_owned(),
        segments,
        warnings: Vec::new(),
        removed: Vec::new(),
    }
}

/// The transcript in Ukrainian, with a name for its second speaker.
fn edited(transcript: Transcript, name: &str) -> EditedTranscript {
    let mut edited = unedited(Transcript {
        language: "uk".to_owned(),
        ..transcript
    });
    if let Some(second) = edited.speakers.get_mut(1) {
        second.name = Some(name.to_owned());
    }
    edited
}

fn written(format: Format, transcript: &Transcript) -> String {
    written_with(format, format.defaults(), transcript)
}

fn written_with(format: Format, options: Options, transcript: &Transcript) -> String {
    let mut out = Vec::new();
    let source = Source {
        title: "Talk",
        date: None,
        transcript: &unedited(transcript.clone()),
    };
    write(format, source, options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn an_empty_transcript_gives_valid_files() {
    let empty = transcript(vec![]);
    assert_eq!(written(Format::Txt, &empty), "");
    assert_eq!(written(Format::Srt, &empty), "");
    assert_eq!(written(Format::Vtt, &empty), "WEBVTT\n");
    let json: Transcript = serde_json::from_str(&written(Format::Json, &empty)).unwrap();
    assert_eq!(json, empty);
}

#[test]
fn two_sentences_are_written_as_srt_and_vtt() {
    let sentences = transcript(vec![
        segment(0.0, 1.5, None, "Hello."),
        segment(1.9996, 3.25, None, "How are you?"),
    ]);
    assert_eq!(
        written(Format::Srt, &sentences),
        "1\n00:00:00,000 --> 00:00:01,920\nHello.\n\n2\n00:00:02,000 --> 00:00:03,250\nHow are you?\n"
    );
    assert_eq!(
        written(Format::Vtt, &sentences),
        "WEBVTT\n\n00:00:00.000 --> 00:00:01.920\nHello.\n\n00:00:02.000 --> 00:00:03.250\nHow are you?\n"
    );
}

#[test]
fn speakers_are_named_when_they_change() {
    let talk = transcript(vec![
        segment(0.0, 1.0, Some("SPEAKER_0"), "Good morning."),
        segment(1.0, 2.0, Some("SPEAKER_0"), "Sit down."),
        segment(2.0, 3.0, Some("SPEAKER_1"), "Thank you."),
        segment(9.0, 9.9, Some("SPEAKER_1"), "Well."),
    ]);
    assert_eq!(
        written(Format::Txt, &talk),
        "S1: Good morning. Sit down.\n\nS2: Thank you.\n\nS2: Well.\n"
    );
    let srt = written(Format::Srt, &talk);
    assert!(
        srt.contains("\nS1: Good morning.\n") && srt.contains("\nSit down.\n"),
        "{srt}"
    );
    assert!(written(Format::Vtt, &talk).contains("\n<v S2>Thank you.\n"));
}

#[test]
fn paragraphs_end_at_pauses_and_at_a_length_limit() {
    let long = "This sentence has some fifty characters, give or take. ";
    let mut segments: Vec<Segment> = (0..30_u8)
        .map(|i| segment(f64::from(i), f64::from(i) + 1.0, None, long))
        .collect();
    segments.push(segment(40.0, 41.0, None, "After a pause."));
    let text = written(Format::Txt, &transcript(segments));
    let paragraphs: Vec<&str> = text.trim_end().split("\n\n").collect();
    assert_eq!(paragraphs.last(), Some(&"After a pause."));
    assert_eq!(paragraphs.len(), 4);
    assert!(paragraphs.iter().all(|paragraph| !paragraph.contains('\n')));
}

#[test]
fn sentences_in_scripts_without_spaces_are_joined_without_spaces() {
    let japanese = transcript(vec![
        segment(0.0, 1.0, None, "こんにちは。"),
        segment(1.0, 2.0, None, "元気ですか。"),
    ]);
    assert_eq!(
        written(Format::Txt, &japanese),
        "こんにちは。元気ですか。\n"
    );
}

/// Splits an SRT file as players do: blocks separated by empty lines, times on the second line.
fn blocks(srt: &str) -> Vec<(String, Vec<String>)> {
    srt.trim_end()
        .split("\n\n")
        .map(|block| {
            let mut rows = block.lines();
            rows.next().unwrap().parse::<u32>().unwrap();
            let times = rows.next().unwrap().to_owned();
            assert_eq!(times.matches("-->").count(), 1, "{times}");
            (times, rows.map(str::to_owned).collect())
        })
        .collect()
}

#[test]
fn hostile_text_does_not_break_text_formats() {
    let texts = [
        "a --> b",
        "00:00:01,000 --> 00:00:02,000",
        "line\n\n2\n00:00:00,000 --> 00:10:00,000\nforged",
        "<script>alert(1)</script> & <v Bob>",
        "NOTE not a note\r\n\r\nSTYLE",
        "\u{feff}WEBVTT\u{2028}\u{2029}\u{0}\u{1b}[31mred",
        "   ",
        "",
        "\u{202e}reversed",
    ];
    let hostile = transcript(
        (0..9_u8)
            .zip(texts)
            .map(|(i, text)| segment(f64::from(i), f64::from(i) + 1.0, Some("x>\n\n-->"), text))
            .collect(),
    );
    let srt = written(Format::Srt, &hostile);
    assert_eq!(blocks(&srt).len(), 7, "{srt}");
    let vtt = written(Format::Vtt, &hostile);
    assert_eq!(vtt.matches(" --> ").count(), 7, "{vtt}");
    assert_eq!(vtt.matches("\n\n").count(), 7, "{vtt}");
    assert!(!vtt.contains("<script>") && vtt.contains("&lt;script&gt;"));
    for format in [Format::Srt, Format::Vtt, Format::Txt] {
        let text = written(format, &hostile);
        assert!(
            text.chars().all(|c| c == '\n' || !c.is_control()),
            "{text:?}"
        );
    }
    let json: Transcript = serde_json::from_str(&written(Format::Json, &hostile)).unwrap();
    assert_eq!(json.segments[2].text, texts[2]);
}

#[test]
fn invalid_times_still_give_ordered_cues() {
    let strange = transcript(vec![
        segment(f64::NAN, f64::INFINITY, None, "one"),
        segment(5.0, 2.0, None, "two"),
        segment(4.0, 4.5, None, "three"),
        segment(4.0, 1e9, None, "four"),
    ]);
    let srt = written(Format::Srt, &strange);
    let mut last = String::new();
    for (times, _) in blocks(&srt) {
        let (start, end) = times.split_once(" --> ").unwrap();
        assert!(start >= last.as_str() && end > start, "{times}");
        start.clone_into(&mut last);
    }
}

#[test]
fn the_last_cue_does_not_outlast_the_recording() {
    let end_of = |start, end, duration| {
        let short = Transcript {
            duration,
            ..transcript(vec![segment(start, end, None, "Bye.")])
        };
        blocks(&written(Format::Srt, &short))[0].0[17..].to_owned()
    };
    assert_eq!(end_of(59.8, 59.9, 60.0), "00:01:00,000");
    // A cue never ends before its last word; if the length is unknown, it may be extended.
    assert_eq!(end_of(59.8, 60.1, 60.0), "00:01:00,100");
    assert_eq!(end_of(59.8, 59.9, 0.0), "00:01:00,800");
}

fn segment_with_words(text: &str, step: f64) -> Segment {
    let mut at = 0.0;
    let words: Vec<Word> = text
        .split(' ')
        .map(|word| {
            at += step;
            Word {
                start: at - step,
                end: at,
                text: word.to_owned(),
                confidence: 0.9,
            }
        })
        .collect();
    Segment {
        words,
        ..segment(0.0, at, None, text)
    }
}

const LONG: &str = "When the old man came down from the mountain in the evening, he found that nobody \
    in the village remembered his name, and the house in which he had lived for forty years was gone.";

#[test]
fn a_long_segment_is_split_at_its_words_into_readable_cues() {
    for timed in [true, false] {
        let mut long = segment_with_words(LONG, 0.4);
        if !timed {
            long.words.clear();
        }
        let srt = written(Format::Srt, &transcript(vec![long]));
        let cues = blocks(&srt);
        assert!(cues.len() >= 3, "{srt}");
        for (times, rows) in &cues {
            assert!(rows.len() <= 2, "{srt}");
            assert!(
                rows.iter()
                    .all(|row| lines::columns(row) <= lines::MAX_COLUMNS),
                "{srt}"
            );
            assert!(times.as_str() < "00:00:20");
        }
        let joined: Vec<String> = cues.into_iter().flat_map(|(_, rows)| rows).collect();
        assert_eq!(joined.join(" "), LONG);
        assert!(joined.iter().any(|row| row.ends_with("evening,")), "{srt}");
    }
}

#[test]
fn words_that_differ_from_the_text_are_ignored() {
    let mut long = segment_with_words(LONG, 0.4);
    long.words[3].text = "edited".to_owned();
    let srt = written(Format::Srt, &transcript(vec![long]));
    let joined: Vec<String> = blocks(&srt)
        .into_iter()
        .flat_map(|(_, rows)| rows)
        .collect();
    assert_eq!(joined.join(" "), LONG);
}

#[test]
fn long_words_and_text_without_spaces_are_split() {
    let word = "x".repeat(300);
    let kana = "あいうえおかきくけこ".repeat(20);
    for text in [word, kana] {
        let srt = written(
            Format::Srt,
            &transcript(vec![segment(0.0, 60.0, None, &text)]),
        );
        let rows: Vec<String> = blocks(&srt)
            .into_iter()
            .flat_map(|(_, rows)| rows)
            .collect();
        assert!(
            rows.iter()
                .all(|row| lines::columns(row) <= 2 * lines::MAX_COLUMNS),
            "{srt}"
        );
        assert_eq!(rows.concat(), text);
    }
}

#[test]
fn a_slow_segment_is_split_by_duration_and_at_pauses() {
    let mut slow = segment_with_words("one two three four five six seven eight", 2.0);
    for word in &mut slow.words[4..] {
        word.start += 10.0;
        word.end += 10.0;
    }
    slow.end += 10.0;
    let srt = written(Format::Srt, &transcript(vec![slow]));
    let texts: Vec<String> = blocks(&srt)
        .into_iter()
        .map(|(_, rows)| rows.join(" "))
        .collect();
    assert_eq!(texts.join(" "), "one two three four five six seven eight");
    // The pause is between two cues, and no cue is longer than seven seconds.
    assert!(texts.iter().any(|text| text.ends_with("four")), "{texts:?}");
    assert!(
        texts.iter().all(|text| text.split(' ').count() <= 3),
        "{texts:?}"
    );
}

#[test]
fn json_has_the_documented_structure() {
    let mut with_words = transcript(vec![segment_with_words("Hello there", 0.123_456)]);
    with_words
        .warnings
        .push(Warning::new("damaged_tail").with("at_seconds", 3));
    let json: serde_json::Value = serde_json::from_str(&written_with(
        Format::Json,
        Options::EVERYTHING,
        &with_words,
    ))
    .unwrap();
    assert_eq!(
        json,
        serde_json::json!({
            "language": "en", "duration": 60.0, "mode": "full", "model": "base-q8_0",
            "speakers": [],
            "segments": [{
                "index": 0, "start": 0.0, "end": 0.247, "speaker": null, "language": "en",
                "text": "Hello there",
                "words": [
                    {"start": 0.0, "end": 0.123, "text": "Hello", "confidence": 0.9},
                    {"start": 0.123, "end": 0.247, "text": "there", "confidence": 0.9},
                ],
            }],
            "warnings": [{"code": "damaged_tail", "params": {"at_seconds": 3}}],
            "removed": [],
        })
    );
}

#[test]
fn format_names_can_be_parsed() {
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
    }
    assert!("odt".parse::<Format>().is_err());
}
