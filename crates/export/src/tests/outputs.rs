//! The effect of each setting of a transcription on its files, byte by byte.

use slovo_rules::edit::EditedTranscript;
use slovo_rules::removed::{Removed, RemovedReason};
use slovo_rules::settings::{MadeFile, TranscriptionSettings};
use slovo_rules::transcript::{Segment, Transcript, Word};

use super::{segment, transcript};
use crate::{Format, Options, Source, unedited, write};

fn word(start: f64, end: f64, text: &str) -> Word {
    Word {
        start,
        end,
        text: text.to_owned(),
        confidence: 0.912_34,
    }
}

/// Two people; the second segment has no words.
fn talk() -> EditedTranscript {
    let first = Segment {
        words: vec![
            word(1.0, 1.5, "Добрий"),
            word(1.5, 2.0, "день,"),
            word(2.25, 3.0, "<світе>."),
        ],
        ..segment(1.0, 3.0, Some("SPEAKER_0"), "Добрий день, <світе>.")
    };
    let second = segment(4.0, 5.0, Some("SPEAKER_1"), "Вітаю!");
    unedited(Transcript {
        removed: vec![Removed {
            start: 7.0,
            end: 8.0,
            speaker: None,
            text: "[MUSIC]".to_owned(),
            reason: RemovedReason::SoundMark,
            voiced: 0.0,
            confidence: 0.5,
            compression: 1.0,
        }],
        ..transcript(vec![first, second])
    })
}

fn bytes(format: Format, sentences: bool, words: bool) -> Vec<u8> {
    let settings = TranscriptionSettings {
        sentence_level_timestamps: sentences,
        word_level_timestamps: words,
        ..TranscriptionSettings::default()
    };
    let source = Source {
        title: "Розмова",
        date: None,
        transcript: &talk(),
    };
    let mut file = Vec::new();
    write(
        format,
        source,
        Options::from_plan(&settings.try_into().unwrap()),
        &mut file,
    )
    .unwrap();
    file
}

fn text(format: Format, sentences: bool, words: bool) -> String {
    String::from_utf8(bytes(format, sentences, words)).unwrap()
}

#[test]
fn prose_has_sentence_times_only_if_requested() {
    for words in [false, true] {
        assert_eq!(
            text(Format::Txt, true, words),
            "[00:00:01] S1: Добрий день, <світе>.\n\n[00:00:04] S2: Вітаю!\n"
        );
        assert_eq!(
            text(Format::Txt, false, words),
            "S1: Добрий день, <світе>.\n\nS2: Вітаю!\n"
        );
        let head = "# Розмова\n\n00:01:00 · S1, S2\n\n";
        assert_eq!(
            text(Format::Md, true, words),
            format!(
                "{head}`00:00:01` **S1:** Добрий день, \\<світе\\>.\n\n\
                 `00:00:04` **S2:** Вітаю!\n"
            )
        );
        assert_eq!(
            text(Format::Md, false, words),
            format!("{head}**S1:** Добрий день, \\<світе\\>.\n\n**S2:** Вітаю!\n")
        );
    }
    for format in [Format::Docx, Format::Pdf] {
        assert_ne!(bytes(format, true, false), bytes(format, false, false));
        assert_eq!(bytes(format, true, false), bytes(format, true, true));
    }
}

#[test]
fn csv_has_the_requested_times() {
    let rows = |sentences, words| text(Format::Csv, sentences, words);
    assert_eq!(
        rows(false, false),
        "\u{feff}speaker,text,language\r\n\
         \"S1\",\"Добрий день, <світе>.\",\"en\"\r\n\
         \"S2\",\"Вітаю!\",\"en\"\r\n"
    );
    assert_eq!(
        rows(true, false),
        "\u{feff}start,end,speaker,text,language\r\n\
         00:00:01.000,00:00:03.000,\"S1\",\"Добрий день, <світе>.\",\"en\"\r\n\
         00:00:04.000,00:00:05.000,\"S2\",\"Вітаю!\",\"en\"\r\n"
    );
    assert_eq!(
        rows(false, true),
        "\u{feff}segment,start,end,speaker,word,confidence,language\r\n\
         0,00:00:01.000,00:00:01.500,\"S1\",\"Добрий\",0.912,\"en\"\r\n\
         0,00:00:01.500,00:00:02.000,\"S1\",\"день,\",0.912,\"en\"\r\n\
         0,00:00:02.250,00:00:03.000,\"S1\",\"<світе>.\",0.912,\"en\"\r\n\
         1,,,\"S2\",\"Вітаю!\",,\"en\"\r\n"
    );
    let both = rows(true, true);
    let mut lines = both.lines();
    assert_eq!(
        lines.next(),
        Some(
            "\u{feff}segment,segment_start,segment_end,start,end,speaker,word,confidence,language"
        )
    );
    assert_eq!(
        lines.next(),
        Some(
            "0,00:00:01.000,00:00:03.000,00:00:01.000,00:00:01.500,\"S1\",\"Добрий\",0.912,\"en\""
        )
    );
    assert_eq!(
        lines.last(),
        Some("1,00:00:04.000,00:00:05.000,,,\"S2\",\"Вітаю!\",,\"en\"")
    );
    // Every row has as many cells as the header.
    let mut reader = csv::Reader::from_reader(both.as_bytes());
    assert_eq!(reader.records().map(Result::unwrap).count(), 4);
}

#[test]
fn json_has_the_requested_times() {
    for (sentences, words) in [(false, false), (true, false), (false, true), (true, true)] {
        let data = text(Format::Json, sentences, words);
        let data: serde_json::Value = serde_json::from_str(&data).unwrap();
        let segment = &data["segments"][0];
        for timed in [segment, &data["removed"][0]] {
            assert_eq!(timed.get("start").is_some(), sentences);
            assert_eq!(timed.get("end").is_some(), sentences);
        }
        let spoken = segment["words"].as_array().unwrap();
        assert_eq!(spoken.len(), if words { 3 } else { 0 });
        if words {
            assert_eq!(
                spoken[2],
                serde_json::json!(
                    {"start": 2.25, "end": 3.0, "text": "<світе>.", "confidence": 0.912}
                )
            );
        }
    }
}

#[test]
fn subtitles_always_have_times_and_vtt_word_times_if_requested() {
    let plain = "WEBVTT\n\n00:00:01.000 --> 00:00:03.000\n<v S1>Добрий день, &lt;світе&gt;.\n\n\
                 00:00:04.000 --> 00:00:05.000\n<v S2>Вітаю!\n";
    for sentences in [false, true] {
        assert_eq!(text(Format::Vtt, sentences, false), plain);
        assert_eq!(
            text(Format::Vtt, sentences, true),
            "WEBVTT\n\n00:00:01.000 --> 00:00:03.000\n\
             <v S1>Добрий <00:00:01.500>день, <00:00:02.250>&lt;світе&gt;.\n\n\
             00:00:04.000 --> 00:00:05.000\n<v S2>Вітаю!\n"
        );
        let srt = text(Format::Srt, sentences, false);
        assert!(srt.starts_with("1\n00:00:01,000 --> 00:00:03,000\nS1: Добрий день"));
        assert_eq!(text(Format::Srt, sentences, true), srt);
    }
}

#[test]
fn word_times_stay_at_their_words_across_line_breaks_and_cues() {
    let sentence = "Коли старий увечері спустився з гори, у селі його імені вже ніхто не пам’ятав, \
                і хата, де він прожив сорок років, стояла пусткою, без дверей і без вікон.";
    let words: Vec<Word> = sentence
        .split(' ')
        .zip(0_u8..)
        .map(|(text, n)| word(f64::from(n) * 0.4, f64::from(n) * 0.4 + 0.3, text))
        .collect();
    let count = words.len();
    let end = words.last().unwrap().end;
    let long = unedited(transcript(vec![Segment {
        words,
        ..segment(0.0, end, None, sentence)
    }]));
    let written = |words| {
        let source = Source {
            title: "",
            date: None,
            transcript: &long,
        };
        let options = Options {
            words,
            ..Options::EVERYTHING
        };
        let mut file = Vec::new();
        write(Format::Vtt, source, options, &mut file).unwrap();
        String::from_utf8(file).unwrap()
    };
    let timed = written(true);
    let cues = timed.matches(" --> ").count();
    assert!(cues > 1, "{timed}");
    assert_eq!(timed.matches('<').count(), count - cues, "{timed}");
    // Each time is directly before its word, also at the start of a line.
    for (text, n) in sentence.split(' ').zip(0_u32..) {
        let stamp = format!("<00:00:{:02}.{}00>", n * 4 / 10, n * 4 % 10);
        if timed.contains(&stamp) {
            assert!(
                timed.contains(&format!("{stamp}{text}")),
                "{stamp}{text} in {timed}"
            );
        }
    }
    // Without the times the file is the same.
    let mut bare = String::new();
    let mut within = false;
    for letter in timed.chars() {
        match letter {
            '<' => within = true,
            '>' if within => within = false,
            _ if within => {}
            _ => bare.push(letter),
        }
    }
    assert_eq!(bare, written(false));
}

#[test]
fn invalid_word_times_stay_within_their_cue() {
    let words = vec![
        word(1.0, 1.5, "a"),
        word(0.5, 1.0, "b"),
        word(f64::NAN, 2.0, "c"),
        word(1.2, 2.0, "d"),
        word(1.2, 2.0, "e"),
        word(900.0, 901.0, "f"),
    ];
    let strange = transcript(vec![Segment {
        words,
        ..segment(1.0, 2.0, None, "a b c d e f")
    }]);
    let vtt = super::written_with(Format::Vtt, Options::EVERYTHING, &strange);
    for cue in vtt.split("\n\n").skip(1) {
        let (times, text) = cue.split_once('\n').unwrap();
        let (start, end) = times.split_once(" --> ").unwrap();
        let mut last = start;
        for stamp in text.split('<').skip(1).map(|rest| &rest[..12]) {
            assert!(stamp > last && stamp < end, "{vtt}");
            last = stamp;
        }
    }
}

#[test]
fn every_generated_file_has_a_format() {
    let formats = MadeFile::ALL.iter().map(|file| Format::from(*file).name());
    let names = MadeFile::ALL.iter().map(|file| file.as_str());
    assert!(formats.eq(names));
}
