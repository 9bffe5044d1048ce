//! Bilingual subtitles.

use slovo_rules::analysis::TranslatedCue;
use slovo_rules::subtitles::cues::Cue;
use slovo_rules::transcript::Transcript;

use super::{segment, transcript, written};
use crate::bilingual::translated_lines;
use crate::{Extras, Format, Source, unedited, write_with};

fn below(start: f64, end: f64, lines: &[&str]) -> TranslatedCue {
    TranslatedCue {
        start,
        end,
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
    }
}

fn export_bilingual(
    format: Format,
    transcript: &Transcript,
    translation: &[TranslatedCue],
) -> String {
    let mut out = Vec::new();
    let source = Source {
        title: "Talk",
        date: None,
        transcript: &unedited(transcript.clone()),
    };
    let extras = Extras {
        translation,
        ..Extras::default()
    };
    write_with(format, source, format.defaults(), extras, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_translation_is_under_each_subtitle_line() {
    let talk = transcript(vec![
        segment(0.0, 1.5, Some("SPEAKER_0"), "Hello."),
        segment(2.0, 3.25, Some("SPEAKER_1"), "How are you?"),
    ]);
    let ukrainian = [
        below(0.0, 1.5, &["Привіт."]),
        below(2.0, 3.25, &["Як", "справи?"]),
    ];
    assert_eq!(
        export_bilingual(Format::Srt, &talk, &ukrainian),
        "1\n00:00:00,000 --> 00:00:01,920\nS1: Hello.\nПривіт.\n\n\
         2\n00:00:02,000 --> 00:00:03,250\nS2: How are you?\nЯк\nсправи?\n"
    );
    assert_eq!(
        export_bilingual(Format::Vtt, &talk, &ukrainian),
        "WEBVTT\n\n00:00:00.000 --> 00:00:01.920\n<v S1>Hello.\nПривіт.\n\n\
         00:00:02.000 --> 00:00:03.250\n<v S2>How are you?\nЯк\nсправи?\n"
    );
    // The other formats do not change.
    for format in Format::ALL {
        if !format.is_subtitles() && !matches!(format, Format::Docx | Format::Pdf) {
            assert_eq!(
                export_bilingual(format, &talk, &ukrainian),
                written(format, &talk)
            );
        }
    }
}

#[test]
fn after_edits_a_translation_goes_to_the_cue_it_overlaps_most() {
    let talk = transcript(vec![
        segment(0.0, 2.0, None, "One and two."),
        segment(4.0, 6.0, None, "Three."),
        segment(6.0, 8.0, None, "Four."),
    ]);
    let made_before = [
        below(0.0, 1.0, &["Один"]),
        below(1.0, 2.0, &["і два."]),
        // The original of this line was deleted.
        below(2.5, 3.5, &["Геть."]),
        below(5.5, 7.5, &["Чотири."]),
        below(60.0, 61.0, &["Кінець."]),
    ];
    let srt = export_bilingual(Format::Srt, &talk, &made_before);
    assert!(srt.contains("One and two.\nОдин\nі два.\n\n2\n"), "{srt}");
    assert!(
        srt.contains("Three.\n\n3\n") && srt.contains("Four.\nЧотири.\n"),
        "{srt}"
    );
    assert!(!srt.contains("Геть") && !srt.contains("Кінець"), "{srt}");
    assert_eq!(
        export_bilingual(Format::Srt, &talk, &[]),
        written(Format::Srt, &talk)
    );
}

#[test]
fn a_hostile_translation_does_not_end_a_cue() {
    let talk = transcript(vec![segment(0.0, 2.0, None, "Hello.")]);
    let hostile = [below(
        0.0,
        f64::INFINITY,
        &[
            "a\n\n2\n00:00:00,000 --> 00:00:01,000",
            "",
            " \r\n",
            "<v Eve>&",
        ],
    )];
    let srt = export_bilingual(Format::Srt, &talk, &hostile);
    assert_eq!(srt.matches("-->").count(), 1, "{srt}");
    assert_eq!(srt.matches("\n\n").count(), 0, "{srt}");
    let vtt = export_bilingual(Format::Vtt, &talk, &hostile);
    assert_eq!(vtt.matches("-->").count(), 1, "{vtt}");
    assert_eq!(vtt.matches("\n\n").count(), 1, "{vtt}");
    assert!(vtt.contains("&lt;v Eve&gt;&amp;"), "{vtt}");
    let never = [below(f64::NAN, f64::NAN, &["x"]), below(1.0, 0.0, &["y"])];
    export_bilingual(Format::Srt, &talk, &never);
}

#[test]
fn overlapping_cues_keep_their_own_translations() {
    let cue = |start, end| Cue {
        start,
        end,
        speaker: None,
        speaker_changes: false,
        text: "yes".to_owned(),
        words: Vec::new(),
        by_hand: None,
    };
    // A cue that overlaps the previous one was moved to the start of that one.
    let cues = [cue(0.0, 0.001), cue(0.0, 0.001), cue(0.0, 4.0)];
    let lines = |words: [&str; 3]| words.map(|word| vec![word.to_owned()]).to_vec();
    let translations = |words: [&str; 3]| {
        let pairs = cues.iter().zip(words);
        let translated = pairs.map(|(cue, word)| below(cue.start, cue.end, &[word]));
        translated.collect::<Vec<_>>()
    };
    let words = ["так", "ні", "може"];
    assert_eq!(translated_lines(&cues, &translations(words)), lines(words));
    // The same if there was one more cue when it was translated.
    let mut more = translations(words);
    more.push(below(9.0, 10.0, &["зайве"]));
    assert_eq!(translated_lines(&cues, &more), lines(words));
}
