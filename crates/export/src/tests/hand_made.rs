//! Manually edited subtitles, in the output of each subtitle format.

use slovo_rules::analysis::TranslatedCue;
use slovo_rules::edit::{EditedTranscript, HandCue};
use slovo_rules::subtitles::SubtitleOptions;
use slovo_rules::transcript::Word;

use super::{segment, transcript};
use crate::{Extras, Format, Options, Source, unedited, write_with};

fn cue(at: u32, start: f64, end: f64, breaks: &[u32]) -> HandCue {
    HandCue {
        at,
        start,
        end,
        breaks: breaks.to_vec(),
    }
}

/// One cue by rule, two manual ones that begin early and end late, and another by rule.
fn talk() -> EditedTranscript {
    let mut talk = unedited(transcript(vec![
        segment(0.0, 2.0, Some("SPEAKER_0"), "Hello."),
        segment(2.0, 6.0, Some("SPEAKER_1"), "one two  three four"),
        segment(6.0, 8.0, Some("SPEAKER_1"), "Bye."),
    ]));
    talk.segments[1].cues = vec![
        cue(0, 1.52, 3.0, &[3]),
        // "three" follows two spaces.
        cue(9, 3.0, 6.52, &[14]),
    ];
    talk
}

fn export_file(
    format: Format,
    options: Options,
    talk: &EditedTranscript,
    below: &[TranslatedCue],
) -> Vec<u8> {
    let mut file = Vec::new();
    let source = Source {
        title: "Talk",
        date: None,
        transcript: talk,
    };
    let extras = Extras {
        translation: below,
        ..Extras::default()
    };
    write_with(format, source, options, extras, &mut file).unwrap();
    file
}

fn text(format: Format, talk: &EditedTranscript) -> String {
    String::from_utf8(export_file(format, format.defaults(), talk, &[])).unwrap()
}

#[test]
fn srt_keeps_manual_times_and_lines_and_neighbours_do_not_overlap() {
    assert_eq!(
        text(Format::Srt, &talk()),
        "1\n00:00:00,000 --> 00:00:01,440\nS1: Hello.\n\n\
         2\n00:00:01,520 --> 00:00:03,000\nS2: one\ntwo\n\n\
         3\n00:00:03,000 --> 00:00:06,520\nthree\nfour\n\n\
         4\n00:00:06,600 --> 00:00:08,000\nBye.\n"
    );
}

#[test]
fn an_offset_moves_manual_cues_too() {
    let options = Options {
        subtitles: SubtitleOptions {
            offset: Some(3600.0),
            ..SubtitleOptions::NONE
        },
        ..Format::Srt.defaults()
    };
    let srt = String::from_utf8(export_file(Format::Srt, options, &talk(), &[])).unwrap();
    assert!(
        srt.contains("01:00:01,520 --> 01:00:03,000\nS2: one\ntwo\n"),
        "{srt}"
    );
}

#[test]
fn vtt_has_word_times_within_manual_line_breaks() {
    assert!(
        text(Format::Vtt, &talk()).contains(
            "00:00:01.520 --> 00:00:03.000\n<v S2>one\ntwo\n\n\
             00:00:03.000 --> 00:00:06.520\n<v S2>three\nfour\n"
        ),
        "{}",
        text(Format::Vtt, &talk())
    );
    let mut talk = talk();
    let words = ["one", "two", "three", "four"];
    talk.segments[1].words = (0_u32..)
        .zip(words)
        .map(|(number, word)| Word {
            start: 2.0 + f64::from(number),
            end: 3.0 + f64::from(number),
            text: word.to_owned(),
            confidence: 1.0,
        })
        .collect();
    // A break within a word, and breaks at several places.
    talk.segments[1].cues = vec![cue(0, 1.0, 7.0, &[3, 10, 15])];
    let options = Options {
        words: true,
        ..Format::Vtt.defaults()
    };
    let vtt = String::from_utf8(export_file(Format::Vtt, options, &talk, &[])).unwrap();
    assert!(
        vtt.contains(
            "<v S2><00:00:02.000>one\n<00:00:03.000>two t\nhree\n<00:00:05.000>four\n"
        ) || vtt.contains(
            "<v S2><00:00:02.000>one\n<00:00:03.000>two <00:00:04.000>t\nhree\n<00:00:05.000>four\n"
        ),
        "{vtt}"
    );
}

#[test]
fn ttml_and_stl_keep_manual_cues_to_the_frame() {
    let xml = text(Format::Ttml, &talk());
    let document = roxmltree::Document::parse(&xml).unwrap();
    let paragraphs: Vec<_> = document
        .descendants()
        .filter(|node| node.tag_name().name() == "p")
        .collect();
    assert_eq!(paragraphs.len(), 4);
    let breaks = |at: usize| {
        let children = paragraphs[at].children();
        children
            .filter(|child| child.tag_name().name() == "br")
            .count()
    };
    assert_eq!([breaks(0), breaks(1), breaks(2), breaks(3)], [0, 1, 1, 0]);

    let stl = export_file(Format::Stl, Format::Stl.defaults(), &talk(), &[]);
    let blocks: Vec<&[u8]> = stl[1024..].chunks(128).collect();
    assert_eq!(blocks.len(), 4);
    // 1.52 seconds are one second and 13 frames of 25.
    assert_eq!(blocks[1][5..13], [0, 0, 1, 13, 0, 0, 3, 0]);
    assert_eq!(blocks[2][5..13], [0, 0, 3, 0, 0, 0, 6, 13]);
    assert!(blocks[1][16..].starts_with(b"S2: one\x8atwo\x8f"));
    assert!(blocks[2][16..].starts_with(b"three\x8afour\x8f"));
}

#[test]
fn a_translation_is_under_manual_cues() {
    let below = |start, end, line: &str| TranslatedCue {
        start,
        end,
        lines: vec![line.to_owned()],
    };
    let ukrainian = [
        below(0.0, 1.44, "Привіт."),
        below(1.52, 3.0, "один два"),
        below(3.0, 6.52, "три чотири"),
        below(6.6, 8.0, "Бувай."),
    ];
    let options = Format::Srt.defaults();
    let srt = String::from_utf8(export_file(Format::Srt, options, &talk(), &ukrainian)).unwrap();
    assert!(srt.contains("S2: one\ntwo\nодин два\n\n3\n"), "{srt}");
    assert!(srt.contains("three\nfour\nтри чотири\n\n4\n"), "{srt}");
}

#[test]
fn invalid_manual_cues_do_not_break_files() {
    let mut talk = talk();
    talk.segments[1].cues = vec![
        cue(7, f64::NAN, f64::INFINITY, &[9, 2, u32::MAX]),
        cue(u32::MAX, -5.0, -7.0, &[0]),
    ];
    for format in [Format::Srt, Format::Vtt, Format::Ttml, Format::Stl] {
        export_file(
            format,
            Options {
                words: true,
                ..format.defaults()
            },
            &talk,
            &[],
        );
    }
    let srt = text(Format::Srt, &talk);
    assert!(
        srt.replace('\n', " ").contains("one two three four"),
        "{srt}"
    );
    // Overlapping cues keep the requested times.
    talk.segments[1].cues = vec![cue(0, 1.0, 9.0, &[])];
    talk.segments[2].cues = vec![cue(0, 2.0, 3.0, &[])];
    let srt = text(Format::Srt, &talk);
    assert!(srt.contains("00:00:01,000 --> 00:00:09,000"), "{srt}");
    assert!(srt.contains("00:00:02,000 --> 00:00:03,000"), "{srt}");
}
