//! Reads every container and codec and compares it with the prompt that it was made from.
#![expect(clippy::unwrap_used, reason = "this is a test")]

mod media_support;

use std::path::Path;

use media_support::{read_all, within};
use slovo_engine::media::{self, Limits, MediaError};
use slovo_test_media::amr;
use slovo_test_media::containers::{self, ACCEPTED, Kind};
use slovo_test_media::prompts::WELCOME;
use slovo_test_media::tracks::{self, FIRST, LANGUAGES, SECOND, TITLES};
use slovo_test_media::wave::{Header, tone};

/// Tolerance of the length, in seconds: codecs work in frames, telephone codecs in long ones.
const LENGTH: f64 = 0.030;
/// Tolerance of the position of the speech, in seconds.
const LAG: f64 = 0.020;

/// The tolerance for files that do not state their encoder's delay, which then is part of the
/// file's own timeline: MP3 in AVI, Vorbis in Matroska.
fn allowed_lag(name: &str) -> f64 {
    match name {
        "mpeg4_mp3.avi" | "quilter_avi_mpeg4_mp3.avi" => 0.080,
        "second_is_default.mkv" => 0.040,
        _ => LAG,
    }
}
/// The least correlation with the prompt, reached by codecs of 16 kbit/s and below.
const LIKENESS: f64 = 0.9;

/// The best match of the 8 kHz `reference` in the 16 kHz `sound` within 100 ms of `lead` seconds:
/// its lag in seconds and its correlation (at most 1).
fn best_lag(reference: &[f32], sound: &[f32], lead: f64) -> (f64, f64) {
    let decoded: Vec<f32> = sound.iter().step_by(2).copied().collect();
    let start = (lead * 8000.0).round() as i64;
    (-800..=800_i64)
        .map(|lag| {
            (
                lag as f64 / 8000.0,
                likeness(reference, &decoded, start + lag),
            )
        })
        .max_by(|(_, a), (_, b)| a.total_cmp(b))
        .unwrap()
}

fn likeness(reference: &[f32], decoded: &[f32], offset: i64) -> f64 {
    let (mut product, mut left, mut right) = (0.0, 0.0, 0.0);
    for (i, a) in reference.iter().enumerate().step_by(3) {
        let at = usize::try_from(i as i64 + offset).ok();
        let a = f64::from(*a);
        let b = f64::from(at.and_then(|at| decoded.get(at)).copied().unwrap_or(0.0));
        product += a * b;
        left += a * a;
        right += b * b;
    }
    if left == 0.0 || right == 0.0 {
        0.0
    } else {
        product / (left * right).sqrt()
    }
}

/// An error message if a file was not read as expected.
fn mismatch(kind: &Kind, path: &Path) -> Option<String> {
    let (samples, info, warnings) = match read_all(path, None) {
        Ok(read) => read,
        Err(error) => return Some(format!("{}: {error}", kind.name)),
    };
    let seconds = samples.len() as f64 / 16_000.0;
    let (lag, likeness) = best_lag(&WELCOME.samples(), &samples, kind.lead);
    let line = format!(
        "{}: {} {} video={} {seconds:.3} s, lag {:.1} ms, likeness {likeness:.3}, claimed {:?}, {warnings:?}",
        kind.name,
        info.container,
        info.codec,
        info.has_video,
        lag * 1000.0,
        info.duration
    );
    println!("{line}");
    // The video may be longer than the audio; the audio itself has the prompt's length.
    let length = seconds - kind.lead - WELCOME.seconds;
    // Streams that do not state their end are padded to whole frames.
    let frame = match kind.name {
        "stereo_no_header.mp3"
        | "layer2.mp3"
        | "mpeg4_mp3.avi"
        | "fragmented.mp4"
        | "ima.wav"
        | "ms.wav"
        | "second_is_default.mkv" => 0.15,
        name if name.contains("ac3") || name.contains("aac") || name.contains("mp3_in") => 0.06,
        _ => LENGTH,
    };
    let is_right = info.container == kind.container
        && info.codec == kind.codec
        && info.has_video == kind.video
        && (-LENGTH..frame).contains(&length)
        && lag.abs() < allowed_lag(kind.name)
        && likeness > if kind.codec == "speex" { 0.8 } else { LIKENESS }
        && warnings.is_empty()
        && info.duration.is_none_or(|claimed| claimed < 12.6);
    (!is_right).then_some(line)
}

fn check(chosen: impl Fn(&Kind) -> bool + Send + 'static) {
    within(300, move || {
        let folder = tempfile::tempdir().unwrap();
        let kinds: Vec<&Kind> = ACCEPTED.iter().filter(|kind| chosen(kind)).collect();
        assert!(!kinds.is_empty());
        let wrong: Vec<String> = kinds
            .iter()
            .filter_map(|kind| mismatch(kind, &containers::make(kind, folder.path())))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

#[test]
fn every_kind_of_wav_is_read() {
    check(|kind| kind.container == "wav");
}

#[test]
fn mpeg_audio_is_read() {
    check(|kind| kind.container == "mp3");
}

#[test]
fn mp4_and_quicktime_are_read() {
    check(|kind| matches!(kind.container, "mp4" | "mov"));
}

#[test]
fn flac_and_ogg_are_read() {
    check(|kind| matches!(kind.container, "flac" | "ogg"));
}

#[test]
fn matroska_and_webm_are_read() {
    check(|kind| matches!(kind.container, "mkv" | "webm"));
}

#[test]
fn avi_is_read() {
    check(|kind| kind.container == "avi");
}

#[test]
fn every_accepted_format_has_a_test_file() {
    let names: Vec<&str> = ACCEPTED
        .iter()
        .map(|kind| kind.name.rsplit('.').next().unwrap())
        .collect();
    for format in [
        "mp3", "wav", "m4a", "flac", "ogg", "webm", "mp4", "avi", "mov", "mkv",
    ] {
        assert!(names.contains(&format), "{format}");
    }
}

#[test]
fn the_format_is_detected_by_content_and_not_by_name() {
    within(60, || {
        let folder = tempfile::tempdir().unwrap();
        let kind = ACCEPTED.iter().find(|kind| kind.name == "aac.m4a").unwrap();
        let original = containers::make(kind, folder.path());
        for name in [
            "speech.mp3",
            "no_extension",
            "UPPER.OGG",
            "-rf --help.wav",
            "a\tb$(id)`id`;ls|.mp4",
            "звук — ї є ґ.mp3",
        ] {
            let path = folder.path().join(name);
            std::fs::copy(&original, &path).unwrap();
            assert_eq!(
                media::probe(&path, &Limits::default()).unwrap().container,
                "mp4",
                "{name}"
            );
        }
        // The external decoder gets the open file and never sees its name.
        let avi = ACCEPTED
            .iter()
            .find(|kind| kind.name == "mpeg4_pcm.avi")
            .unwrap();
        let original = containers::make(avi, folder.path());
        let path = folder.path().join("-i http:%2e%2e|$(id).m3u8");
        std::fs::rename(original, &path).unwrap();
        assert_eq!(
            media::probe(&path, &Limits::default()).unwrap().container,
            "avi"
        );
    });
}

#[test]
fn other_formats_are_refused_with_their_name() {
    within(120, || {
        let folder = tempfile::tempdir().unwrap();
        for refused in containers::REFUSED {
            let path = containers::make_container(refused, folder.path());
            let error = media::probe(&path, &Limits::default()).unwrap_err();
            assert_eq!(
                error,
                MediaError::UnsupportedFormat {
                    found: refused.1.to_owned()
                }
            );
            assert!(error.to_string().contains(refused.1), "{error}");
        }
    });
}

#[test]
fn further_formats_are_read_by_the_external_decoder() {
    assert!(media::has_external_decoder());
    within(120, || {
        let folder = tempfile::tempdir().unwrap();
        for external in containers::EXTERNAL {
            let path = containers::make_container(external, folder.path());
            let (samples, info, _) = read_all(&path, None).unwrap();
            assert_eq!(info.container, external.1);
            assert_eq!(info.tracks.len(), 1, "{}", external.0);
            let seconds = samples.len() as f64 / 16_000.0;
            let expected = WELCOME.seconds;
            // Block encoders round up to whole blocks.
            assert!(
                (seconds - expected).abs() < 0.3,
                "{}: {seconds} s",
                external.0
            );
            let path = folder.path().join("cut");
            std::fs::write(
                &path,
                &std::fs::read(folder.path().join(external.0)).unwrap()[..40],
            )
            .unwrap();
            assert!(
                media::probe(&path, &Limits::default()).is_err(),
                "{}",
                external.0
            );
        }
    });
}

#[test]
fn tracks_are_listed_and_chosen() {
    within(60, || {
        let folder = tempfile::tempdir().unwrap();
        for name in ["second_is_default.mkv", "second_is_default.mp4"] {
            let kind = ACCEPTED.iter().find(|kind| kind.name == name).unwrap();
            let path = containers::make(kind, folder.path());
            let (_, info, _) = read_all(&path, None).unwrap();
            assert_eq!((info.tracks.len(), info.track), (2, 1), "{name}: {info:?}");
            assert_eq!((info.tracks[1].index, info.tracks[1].default), (1, true));
            let (silent, info, _) = read_all(&path, Some(0)).unwrap();
            assert_eq!(info.track, 0);
            assert!(silent.iter().all(|sample| sample.abs() < 0.001), "{name}");
            let error = media::open(&path, Some(2), &Limits::default()).unwrap_err();
            assert_eq!(
                error,
                MediaError::NoSuchTrack {
                    track: 2,
                    tracks: 2
                }
            );
        }
    });
}

#[test]
fn each_of_two_tracks_is_described_and_decoded() {
    within(120, || {
        let folder = tempfile::tempdir().unwrap();
        for kind in tracks::KINDS {
            let path = tracks::make(kind, folder.path());
            let info = media::probe(&path, &Limits::default()).unwrap();
            assert_eq!((info.tracks.len(), info.track), (2, 0), "{}", kind.name);
            for (index, prompt) in [FIRST, SECOND].iter().enumerate() {
                let track = &info.tracks[index];
                assert_eq!(
                    (track.index, track.channels),
                    (index, index + 1),
                    "{track:?}"
                );
                assert_eq!(track.codec, kind.codecs[index], "{}", kind.name);
                let title = kind.titles.then_some(TITLES[index]);
                assert_eq!(track.title.as_deref(), title, "{}", kind.name);
                let language = kind.languages.then_some(LANGUAGES[index]);
                assert_eq!(track.language.as_deref(), language, "{}", kind.name);
                let (sound, chosen, _) = read_all(&path, Some(index)).unwrap();
                assert_eq!(chosen.track, index);
                assert!(chosen.codec.starts_with(&track.codec), "{}", chosen.codec);
                let (lag, likeness) = best_lag(&prompt.samples(), &sound, 0.0);
                assert!(
                    likeness > LIKENESS,
                    "{} {index}: {likeness} {lag}",
                    kind.name
                );
            }
        }
    });
}

#[test]
fn a_recording_of_unknown_size_ends_at_its_last_whole_sample() {
    within(60, || {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("streamed.wav");
        let stereo = Header {
            rate: 44_100,
            channels: 2,
            data: Some(u32::MAX),
            riff: Some(u32::MAX),
            ..Header::default()
        };
        let sound = tone(88_200, 440.0, 1.0, 0.5);
        for more in 0..4 {
            let mut bytes = stereo.with(&sound);
            bytes.extend(vec![0x7F; more]);
            std::fs::write(&path, bytes).unwrap();
            let (samples, _, warnings) = read_all(&path, None).unwrap();
            assert_eq!(samples.len(), 16_000, "{more}");
            assert!(warnings.is_empty(), "{warnings:?}");
        }
        let almost = stereo.with(&[1, 2, 3]);
        std::fs::write(&path, almost).unwrap();
        let error = media::probe(&path, &Limits::default()).unwrap_err();
        assert_eq!(error, MediaError::NoSamples);
    });
}

#[test]
fn blocks_are_contiguous_and_last_at_most_a_second() {
    within(60, || {
        let mut pcm = media::open(&WELCOME.path(), None, &Limits::default()).unwrap();
        let mut samples = 0;
        while let Some(block) = pcm.next_block().unwrap() {
            assert!((block.start_seconds - f64::from(samples) / 16_000.0).abs() < 1e-9);
            assert!(!block.samples.is_empty() && block.samples.len() <= 16_000);
            samples += block.samples.len() as u32;
        }
        assert!(pcm.next_block().unwrap().is_none(), "the end stays the end");
        assert!((f64::from(samples) / 16_000.0 - WELCOME.seconds).abs() < 0.001);
    });
}

#[test]
fn quiet_speech_keeps_its_level() {
    within(60, || {
        let folder = tempfile::tempdir().unwrap();
        let loud =
            containers::convert(folder.path(), "loud.wav", "-map 0 -c:a pcm_f32le -ar 48000");
        let quiet = containers::convert(
            folder.path(),
            "quiet.wav",
            "-map 0 -c:a pcm_f32le -ar 48000 -af volume=-40dB",
        );
        let power = |path: &Path| {
            let (samples, ..) = read_all(path, None).unwrap();
            (samples
                .iter()
                .map(|sample| f64::from(*sample).powi(2))
                .sum::<f64>()
                / samples.len() as f64)
                .sqrt()
        };
        let ratio = power(&quiet) / power(&loud);
        assert!((ratio - 0.01).abs() < 0.0002, "{ratio}");
    });
}

#[test]
fn amr_is_read_to_its_end_by_the_external_decoder() {
    within(60, || {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("voice.amr");
        let frames = 3 * amr::FRAMES_PER_SECOND;
        std::fs::write(&path, amr::noise(frames)).unwrap();
        let (samples, info, warnings) = read_all(&path, None).unwrap();
        assert_eq!(info.container, "amr");
        assert!(info.codec.contains("amr"), "{}", info.codec);
        assert!(warnings.is_empty(), "{warnings:?}");
        let seconds = samples.len() as f64 / 16_000.0;
        assert!((seconds - 3.0).abs() < LENGTH, "{seconds} s");
        // There is sound up to the last half second.
        let end = &samples[samples.len() - 8_000..];
        assert!(end.iter().any(|sample| sample.abs() > 0.01));

        // A header without a frame is not a recording.
        std::fs::write(&path, amr::noise(0)).unwrap();
        assert!(read_all(&path, None).is_err());
    });
}

#[test]
fn the_shared_containers_are_read_or_refused_by_name() {
    let Some(shared) = slovo_test_media::shared() else {
        println!("the shared recordings are not here: this wider run is left out");
        return;
    };
    within(300, move || {
        let reference = read_all(
            &shared.join("audio/containers/quilter_wav_16k_s16_mono.wav"),
            None,
        )
        .unwrap()
        .0;
        let reference: Vec<f32> = reference.iter().step_by(2).copied().collect();
        let mut wrong = Vec::new();
        let mut files: Vec<_> = std::fs::read_dir(shared.join("audio/containers"))
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        files.sort();
        for path in files {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let lead = if name.contains("starts_at_5s") {
                5.0
            } else {
                0.0
            };
            // Their encoder delays are not compensated.
            let external = ["aac_adts", "aiff", "amr", "wma", "wmv"];
            if external.iter().any(|part| name.contains(part)) {
                if let Err(error) = read_all(&path, None) {
                    wrong.push(format!("{name}: {error}"));
                }
                continue;
            }
            let refused = ["ac3", "caf", "flv", "mpegts", "raw_s16le", "w64"];
            let is_refused = refused.iter().any(|part| name.contains(part));
            let line = match read_all(&path, None) {
                Ok((samples, info, warnings)) => {
                    let (lag, likeness) = best_lag(&reference, &samples, lead);
                    let line = format!(
                        "{name}: {} {} lag {:.1} ms, likeness {likeness:.3}, {} samples, {warnings:?}",
                        info.container,
                        info.codec,
                        lag * 1000.0,
                        samples.len()
                    );
                    if is_refused
                        || lag.abs() > allowed_lag(&name)
                        || likeness
                            < if name.ends_with(".avi") {
                                0.8
                            } else {
                                LIKENESS
                            }
                        || !warnings.is_empty()
                    {
                        wrong.push(line.clone());
                    }
                    line
                }
                Err(error) => {
                    let line = format!("{name}: {error}");
                    if !is_refused || error.code() != "unsupported_format" {
                        wrong.push(line.clone());
                    }
                    line
                }
            };
            println!("{line}");
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}
