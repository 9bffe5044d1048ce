//! Checks each subtitle format with its own strict reader, for every text and every limit; and
//! checks that the readers refuse invalid files.

use std::fs;
use std::path::PathBuf;

use jiff::civil::date;
use slovo_rules::analysis::TranslatedCue;
use slovo_rules::edit::EditedTranscript;
use slovo_rules::subtitles::{SubtitleOptions, SubtitlePreset};

use super::corpus;
use super::valid::{Outcome, Read, ensure, srt, stl, ttml, vtt};
use crate::{Extras, Format, Options, Source, write_with};

const NONE: SubtitleOptions = SubtitleOptions::NONE;

/// Subtitle settings, by name.
fn named_limits() -> Vec<(String, SubtitleOptions)> {
    let rates = [23.976, 25.0, 29.97, 30.0, 50.0].map(|rate| {
        let at_rate = SubtitleOptions {
            frame_rate: Some(rate),
            ..NONE
        };
        (format!("{rate}fps"), at_rate)
    });
    let moved = [-7.25, 90.5].map(|offset| {
        let moved = SubtitleOptions {
            offset: Some(offset),
            ..NONE
        };
        (format!("moved{offset}"), moved)
    });
    let guides = [SubtitlePreset::Netflix, SubtitlePreset::Bbc].map(|preset| {
        let by_guide = SubtitleOptions {
            preset: Some(preset),
            ..NONE
        };
        (format!("{preset:?}").to_lowercase(), by_guide)
    });
    let narrow = SubtitleOptions {
        max_columns: Some(20),
        max_lines: Some(1),
        max_cps: Some(40.0),
        min_seconds: Some(0.2),
        gap_frames: Some(0),
        ..NONE
    };
    let basic = [("usual".to_owned(), NONE), ("narrow".to_owned(), narrow)];
    basic
        .into_iter()
        .chain(rates)
        .chain(moved)
        .chain(guides)
        .collect()
}

fn export_file(
    format: Format,
    subtitles: SubtitleOptions,
    words: bool,
    text: &EditedTranscript,
    translation: &[TranslatedCue],
) -> Vec<u8> {
    let source = Source {
        title: "Розмова & <Talk> ]]>",
        date: Some(date(2026, 3, 9)),
        transcript: text,
    };
    let options = Options {
        subtitles,
        words,
        ..format.defaults()
    };
    let extras = Extras {
        translation,
        ..Extras::default()
    };
    let mut file = Vec::new();
    write_with(format, source, options, extras, &mut file).unwrap();
    file
}

const FORMATS: [Format; 4] = [Format::Srt, Format::Vtt, Format::Ttml, Format::Stl];

fn read(format: Format, file: &[u8], most_lines: usize) -> Outcome {
    match format {
        Format::Srt => srt::read(file, most_lines),
        Format::Vtt => vtt::read(file, most_lines),
        Format::Ttml => ttml::read(file, most_lines),
        _ => stl::read(file, most_lines),
    }
}

/// A folder in which to keep the files for other readers, if one is configured.
fn output_folder() -> Option<PathBuf> {
    std::env::var_os("SLOVO_SUBTITLES").map(PathBuf::from)
}

fn times(cues: &[Read]) -> Vec<(u64, u64)> {
    cues.iter().map(|cue| (cue.start, cue.end)).collect()
}

#[test]
fn every_text_is_valid_in_every_format_with_every_limit() {
    let mut broken = Vec::new();
    for (name, text) in corpus::all() {
        for (limits_name, limits) in named_limits() {
            // This transcript is long.
            if name == "hour" && !matches!(limits_name.as_str(), "usual" | "bbc" | "29.97fps") {
                continue;
            }
            for words in [false, limits_name == "usual" || limits_name == "29.97fps"] {
                let case = format!("{name}.{limits_name}.{words}");
                let most_lines = if limits_name == "narrow" { 1 } else { 2 };
                if let Err(error) = all_formats(&case, &text, limits, words, most_lines) {
                    broken.push(format!("{case}: {error}"));
                }
            }
        }
    }
    assert!(
        broken.is_empty(),
        "{} broken:\n{}",
        broken.len(),
        broken.join("\n")
    );
}

/// All four files are valid and have the same cues at the same times; STL times are in frames.
fn all_formats(
    case: &str,
    text: &EditedTranscript,
    limits: SubtitleOptions,
    words: bool,
    most_lines: usize,
) -> Result<(), String> {
    let folder = output_folder();
    let mut all = Vec::new();
    for format in FORMATS {
        let file = export_file(format, limits, words, text, &[]);
        if let Some(folder) = &folder {
            fs::write(folder.join(format!("{case}.{}", format.name())), &file).unwrap();
        }
        let cues = read(format, &file, most_lines);
        all.push(cues.map_err(|error| format!("{}: {error}", format.name()))?);
    }
    let [srt, vtt, ttml, stl] = &all[..] else {
        unreachable!("four formats");
    };
    ensure(times(srt) == times(vtt), || "other times in vtt".to_owned())?;
    ensure(times(srt) == times(ttml), || {
        "other times in ttml".to_owned()
    })?;
    ensure(srt.len() == stl.len(), || "other cues in stl".to_owned())?;
    for (srt, ttml) in srt.iter().zip(ttml) {
        let lines = ttml.lines.iter().map(|line| line.replace("-->", "→"));
        let same = lines.eq(srt.lines.iter().cloned());
        ensure(same, || format!("{srt:?} is not {ttml:?}"))?;
    }
    Ok(())
}

#[test]
fn frames_are_close_to_the_exact_times() {
    let text = corpus::hour();
    // Tolerance in milliseconds: half a frame; drop-frame time code deviates from the clock by up
    // to two frames more, and by 3.6 ms after an hour.
    for (rate, tolerance) in [(23.976, 21.0), (25.0, 21.0), (29.97, 88.0), (30.0, 18.0)] {
        let limits = SubtitleOptions {
            frame_rate: Some(rate),
            ..NONE
        };
        let [exact, framed] = [Format::Srt, Format::Stl].map(|format| {
            let file = export_file(format, limits, false, &text, &[]);
            times(&read(format, &file, 2).unwrap())
        });
        for (exact, framed) in exact.into_iter().zip(framed) {
            for (exact, framed) in [(exact.0, framed.0), (exact.1, framed.1)] {
                let away = u32::try_from(exact.abs_diff(framed)).unwrap();
                assert!(f64::from(away) <= tolerance, "{rate}: {exact} {framed}");
            }
        }
    }
}

#[test]
fn files_with_a_translation_are_valid() {
    for (name, text) in corpus::all() {
        let below: Vec<TranslatedCue> = read(
            Format::Srt,
            &export_file(Format::Srt, NONE, false, &text, &[]),
            2,
        )
        .unwrap()
        .iter()
        .map(|cue| {
            let seconds = |ms: u64| f64::from(u32::try_from(ms).unwrap()) / 1000.0;
            TranslatedCue {
                start: seconds(cue.start),
                end: seconds(cue.end),
                lines: vec![
                    "<i>a --> b</i> & \u{202e}c\n\n9".to_owned(),
                    "\u{0} ".to_owned(),
                ],
            }
        })
        .collect();
        for format in FORMATS {
            let file = export_file(format, NONE, true, &text, &below);
            if let Err(broken) = read(format, &file, 4) {
                panic!("{name} in {format:?}: {broken}");
            }
        }
    }
}

#[test]
fn strict_readers_reject_invalid_files() {
    let srt = |text: &str| srt::read(text.as_bytes(), 2).is_err();
    assert!(!srt("1\n00:00:00,000 --> 00:00:01,000\na\n"));
    for wrong in [
        "2\n00:00:00,000 --> 00:00:01,000\na\n",
        "1\n00:00:00.000 --> 00:00:01.000\na\n",
        "1\n00:00:00,000 --> 00:00:60,000\na\n",
        "1\n00:00:01,000 --> 00:00:01,000\na\n",
        "1\n00:00:00,000 --> 00:00:01,000\n\na\n",
        "1\n00:00:00,000 --> 00:00:01,000\na\nb\nc\n",
        "1\n00:00:00,000 --> 00:00:01,000\na\r\n",
        "1\n00:00:00,000 --> 00:00:01,000\na --> b\n",
        "1\n00:00:00,000 --> 00:00:01,000\na",
        "1\n00:00:00,000 --> 00:00:01,000\na\n\n\n2\n00:00:01,000 --> 00:00:02,000\nb\n",
        "1\n00:00:00,000 --> 00:00:01,000\na\n\n2\n00:00:00,900 --> 00:00:02,000\nb\n",
    ] {
        assert!(srt(wrong), "{wrong:?}");
    }
    let vtt = |payload: &str| {
        let file = format!("WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n{payload}\n");
        vtt::read(file.as_bytes(), 2).is_err()
    };
    assert!(!vtt("<v A &amp; B>a &lt;<00:00:01.000>b\nc"));
    for wrong in [
        "a & b",
        "a < b",
        "<b>a",
        "<v >a",
        "a<v B>b",
        "a <00:00:02.000>b",
        "a <00:00:01.000>b <00:00:00.500>c",
        "a --> b",
        "a\n\nb",
    ] {
        assert!(vtt(wrong), "{wrong:?}");
    }
    assert!(vtt::read(b"WEBVTT \xff\n", 2).is_err() && vtt::read(b"webvtt\n", 2).is_err());
    broken_binaries_and_documents();
}

fn broken_binaries_and_documents() {
    let (_, text) = corpus::all().swap_remove(1);
    let file = String::from_utf8(export_file(Format::Ttml, NONE, false, &text, &[])).unwrap();
    for (right, wrong) in [
        ("</p>", "<b/></p>"),
        ("ttm:agent=\"speaker1\"", "ttm:agent=\"speaker9\""),
        (" begin=", " start="),
        ("xml:id=\"cue2\"", "xml:id=\"cue1\""),
        (
            "tts:overflow=\"visible\"",
            "tts:overflow=\"visible\" tts:writingMode=\"x\"",
        ),
        ("<br/>", "</p>"),
        ("encoding=\"UTF-8\"", ""),
    ] {
        assert!(file.contains(right), "{right} in {file}");
        let broken = file.replace(right, wrong);
        assert!(ttml::read(broken.as_bytes(), 2).is_err(), "{wrong}");
    }
    let file = export_file(Format::Stl, NONE, false, &text, &[]);
    assert!(stl::read(&file, 2).is_ok());
    // Corrupts a field of the GSI block, then one of each TTI block.
    for (at, byte) in [
        (0, b'9'),
        (10, b'2'),
        (242, b'7'),
        (247, b'7'),
        (226, b'x'),
        (300, 7),
        (252, b'1'),
        (1024 + 1, 9),
        (1024 + 3, 4),
        (1024 + 4, 2),
        (1024 + 8, 25),
        (1024 + 13, 24),
        (1024 + 16, 0x07),
        (1024 + 127, b'x'),
    ] {
        let mut broken = file.clone();
        broken[at] = byte;
        assert!(stl::read(&broken, 2).is_err(), "byte {at}");
    }
    assert!(stl::read(&file[..file.len() - 1], 2).is_err());
}
