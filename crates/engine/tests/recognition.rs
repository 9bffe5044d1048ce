//! Recognition of real speech: text, times, languages, vocabulary, translation, and input that must
//! give no text. Limits come from the measurements written beside them.

mod recognition_support;

use recognition_support::{engine, run, transcript};
use slovo_engine::{
    CancelToken, Engine, EngineConfig, EngineError, Event, LanguageChoice, Request,
};
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::Transcript;
use slovo_test_media::prompts;
use slovo_test_media::speech::{RATE, error_rate, noise, pause, plain, prompt, wav};

/// The whole text.
fn text(transcript: &Transcript) -> String {
    let segments: Vec<&str> = transcript
        .segments
        .iter()
        .map(|segment| segment.text.as_str())
        .collect();
    segments.join(" ")
}

fn english(input: std::path::PathBuf) -> Request {
    Request {
        language: LanguageChoice::Code("en".to_owned()),
        words: true,
        ..Request::new(input)
    }
}

fn samples_of(prompt: &prompts::Prompt) -> Vec<i16> {
    self::prompt(&format!("en_US_f_Allison/{}", prompt.name))
}

#[test]
fn prompts_with_pauses_become_sentences_at_their_times() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pauses = [0.7, 1.2, 6.0, 0.6, 2.4, 1.0, 0.5];
    let (mut samples, mut truth) = (pause(1.5), Vec::new());
    for (prompt, seconds) in prompts::ALL.iter().zip(pauses) {
        let start = samples.len() as f64 / RATE as f64;
        samples.extend(samples_of(prompt));
        let end = samples.len() as f64 / RATE as f64;
        truth.push((start, end, prompt.text));
        samples.extend(pause(seconds));
    }
    let transcript = transcript(&english(wav(folder.path(), "prompts.wav", &samples)));

    let reference: Vec<&str> = truth.iter().map(|(_, _, text)| *text).collect();
    let rate = error_rate(&reference.join(" "), &text(&transcript));
    println!("word error rate {rate:.1}%");
    // Measured: 0.6%.
    assert!(rate <= 4.0, "{rate:.1}%: {}", text(&transcript));

    for (place, segment) in transcript.segments.iter().enumerate() {
        assert_eq!(segment.index as usize, place);
        assert!(segment.text.ends_with(['.', '?', '!']), "{}", segment.text);
        assert!(segment.start <= segment.end);
        let words: Vec<&str> = segment
            .words
            .iter()
            .map(|word| word.text.as_str())
            .collect();
        assert_eq!(words.join(" "), segment.text);
        for word in &segment.words {
            assert!((0.0..=1.0).contains(&word.confidence));
            assert!(
                word.start >= segment.start && word.end <= segment.end && word.start <= word.end
            );
            let inside = truth
                .iter()
                .any(|(start, end, _)| word.start >= start - 0.2 && word.end <= end + 0.3);
            assert!(inside, "{word:?} stands in a pause");
        }
    }
    for (start, end, text) in &truth {
        let first = transcript
            .segments
            .iter()
            .find(|segment| segment.end > *start)
            .expect("a segment");
        // The prompts begin with some silence. Measured: at most 0.28 s apart.
        assert!(
            (first.start - start).abs() < 0.4,
            "{text}: {} instead of {start}",
            first.start
        );
        let last = transcript
            .segments
            .iter()
            .rfind(|segment| segment.start < *end)
            .expect("a segment");
        assert!(
            (last.end - end).abs() < 0.6,
            "{text}: {} instead of {end}",
            last.end
        );
    }
}

#[test]
fn segments_have_correct_times_without_words() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut samples = pause(3.0);
    samples.extend(prompt("en_US_f_Allison/vm-mismatch"));
    samples.extend(pause(1.8));
    let second = samples.len() as f64 / RATE as f64;
    samples.extend(prompt("en_US_f_Allison/queue-youarenext"));
    let request = Request {
        words: false,
        ..english(wav(folder.path(), "two.wav", &samples))
    };
    let transcript = transcript(&request);
    assert!(
        transcript
            .segments
            .iter()
            .all(|segment| segment.words.is_empty())
    );
    assert!(
        (transcript.segments[0].start - 3.0).abs() < 0.4,
        "{:?}",
        transcript.segments[0]
    );
    let call = transcript
        .segments
        .iter()
        .find(|segment| segment.text.contains("call"))
        .expect("the second prompt");
    assert!(
        (call.start - second).abs() < 0.4,
        "{call:?} instead of {second}"
    );
}

#[test]
fn silence_noise_and_tones_give_no_text() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let hum: Vec<i16> = (0..160_000)
        .map(|i| ((f64::from(i) * 0.04).sin() * 6000.0) as i16)
        .collect();
    let clicks: Vec<i16> = (0..160_000)
        .map(|i| if i % 9_000 < 20 { 20_000 } else { 0 })
        .collect();
    let cases = [
        ("silence", pause(60.0)),
        ("white noise", noise(30.0, 0.3)),
        ("faint noise", noise(30.0, 0.002)),
        ("hum", hum),
        ("clicks", clicks),
    ];
    for (name, samples) in cases {
        for language in [LanguageChoice::Auto, LanguageChoice::Code("uk".to_owned())] {
            let input = wav(folder.path(), &format!("{name}.wav"), &samples);
            let (outcome, _) = run(&Request {
                language,
                ..Request::new(input)
            });
            match outcome {
                Err(error @ EngineError::NoSpeech) => assert_eq!(error.code(), "no_speech"),
                Err(error) => panic!("{name}: {error}"),
                Ok(transcript) => panic!("{name}: {}", text(&transcript)),
            }
        }
    }
}

#[test]
fn quiet_speech_is_amplified_and_recognised() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let prompt = prompts::ALL
        .iter()
        .find(|prompt| prompt.name == "queue-youarenext")
        .expect("listed");
    // Attenuated by 40 dB.
    let quiet: Vec<i16> = samples_of(prompt)
        .iter()
        .map(|sample| sample / 100)
        .collect();
    let transcript = transcript(&english(wav(folder.path(), "quiet.wav", &quiet)));
    let rate = error_rate(prompt.text, &text(&transcript));
    println!("word error rate {rate:.1}%");
    assert!(rate <= 15.0, "{rate:.1}%: {}", text(&transcript));
}

#[test]
fn the_language_is_detected() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cases = [
        ("en", "en_US_f_Allison/tt-allbusy", "representatives"),
        (
            "ru",
            "ru_RU_f_IvrvoiceRU/queue-periodic-announce",
            "операторы",
        ),
        ("es", "es_MX_f_Allison/demo-enterkeywords", "palabras"),
        (
            "fr",
            "fr_CA_f_June/queue-periodic-announce",
            "représentants",
        ),
        ("it", "it_IT_m_Carlo/dictate/both_help", "pausa"),
    ];
    for (language, name, word) in cases {
        let input = wav(folder.path(), &format!("{language}.wav"), &prompt(name));
        let (outcome, events) = run(&Request::new(input));
        let transcript = outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(transcript.language, language, "{}", text(&transcript));
        assert!(
            plain(&text(&transcript)).contains(&word.to_owned()),
            "{}",
            text(&transcript)
        );
        let found = events.iter().find_map(|event| match event {
            Event::Language { code, probability } => Some((code.clone(), *probability)),
            _ => None,
        });
        let (code, probability) = found.expect("the language is told");
        assert_eq!(code, language);
        assert!(probability > 0.5 && probability <= 1.0, "{probability}");
    }
}

#[test]
fn vocabulary_changes_how_terms_are_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = wav(
        folder.path(),
        "digium.wav",
        &prompt("en_US_f_Allison/demo-abouttotry"),
    );
    let without = text(&transcript(&english(input.clone())));
    let terms = vec!["Digium".to_owned(), "Inter-Asterisk Exchange".to_owned()];
    let with = text(&transcript(&Request {
        vocabulary: terms,
        ..english(input.clone())
    }));
    assert!(
        !without.contains("Digium"),
        "no longer an example: {without}"
    );
    assert!(with.contains("Digium"), "{with}");
    // The prompt does not appear in the text, and the rest of the text is unchanged.
    assert_eq!(with.matches("Digium").count(), 1, "{with}");
    assert!(with.starts_with("I am about to attempt"), "{with}");

    // Far more terms than the prompt can hold: a warning, and the text is still recognised.
    let many = (0..400)
        .map(|number| format!("term number {number}"))
        .collect();
    let (outcome, events) = run(&Request {
        vocabulary: many,
        ..english(input)
    });
    let transcript = outcome.expect("a text");
    assert!(
        text(&transcript).contains("demonstration server"),
        "{}",
        text(&transcript)
    );
    assert_eq!(transcript.warnings[0].code, "vocabulary_shortened");
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::Warning(w) if w.code == "vocabulary_shortened"))
    );
}

#[test]
fn vocabulary_terms_are_not_written_unless_spoken() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = wav(
        folder.path(),
        "short.wav",
        &prompt("en_US_f_Allison/vm-mismatch"),
    );
    let vocabulary = vec![
        "ComfyUI".to_owned(),
        "Verkhovna Rada".to_owned(),
        "Zelenskyy".to_owned(),
    ];
    let written = text(&transcript(&Request {
        vocabulary: vocabulary.clone(),
        ..english(input)
    }));
    for term in &vocabulary {
        assert!(!written.contains(term.as_str()), "{written}");
    }
    let silent = wav(folder.path(), "noise.wav", &noise(10.0, 0.2));
    let (outcome, _) = run(&Request {
        vocabulary,
        ..english(silent)
    });
    assert!(matches!(outcome, Err(EngineError::NoSpeech)), "{outcome:?}");
}

#[test]
fn speech_is_translated_to_english() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = wav(
        folder.path(),
        "es.wav",
        &prompt("es_MX_f_Allison/queue-youarenext"),
    );
    let request = Request {
        translate: true,
        language: LanguageChoice::Code("es".to_owned()),
        ..Request::new(input)
    };
    let transcript = transcript(&request);
    // The language is that of the speech; the text is English.
    assert_eq!(transcript.language, "es");
    let words = plain(&text(&transcript));
    for word in ["first", "line", "next", "representative"] {
        assert!(words.contains(&word.to_owned()), "{words:?}");
    }
}

#[test]
fn lite_recognises_english_and_refuses_other_requests() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let prompt = prompts::ALL
        .iter()
        .find(|prompt| prompt.name == "tt-allbusy")
        .expect("listed");
    let input = wav(folder.path(), "lite.wav", &samples_of(prompt));
    let lite = Request {
        mode: TranscriptionType::Lite,
        ..Request::new(input)
    };
    let transcript = transcript(&lite);
    assert_eq!(
        (transcript.language.as_str(), transcript.model.as_str()),
        ("en", "tiny.en-q8_0")
    );
    let rate = error_rate(prompt.text, &text(&transcript));
    println!("word error rate {rate:.1}%");
    assert!(rate <= 12.0, "{rate:.1}%: {}", text(&transcript));

    let (outcome, _) = run(&Request {
        language: LanguageChoice::Code("uk".to_owned()),
        ..lite.clone()
    });
    assert_eq!(outcome.expect_err("refused").code(), "unsupported_language");
    let (outcome, _) = run(&Request {
        translate: true,
        ..lite
    });
    assert_eq!(outcome.expect_err("refused").code(), "feature_unavailable");
}

#[test]
fn missing_models_and_wrong_input_are_reported() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = wav(
        folder.path(),
        "a.wav",
        &prompt("en_US_f_Allison/vm-mismatch"),
    );
    let request = english(input);
    let failure = |config: EngineConfig, request: &Request| {
        let engine = Engine::new(config).expect("the settings are sound");
        engine
            .transcribe(request, &CancelToken::new(), &mut |_| {})
            .expect_err("it cannot work")
    };
    let empty = failure(EngineConfig::new(folder.path().to_owned()), &request);
    assert_eq!(empty.code(), "model_missing");
    assert!(
        empty.to_string().contains("slovo models pull base-q8_0"),
        "{empty}"
    );

    std::fs::copy(
        engine().config().models_dir.join("ggml-silero-v6.2.0.bin"),
        folder.path().join("ggml-silero-v6.2.0.bin"),
    )
    .expect("copied");
    std::fs::write(
        folder.path().join("ggml-base-q8_0.bin"),
        b"not a model at all",
    )
    .expect("written");
    let broken = failure(EngineConfig::new(folder.path().to_owned()), &request);
    assert_eq!(broken.code(), "model_unusable", "{broken}");

    let unknown = Request {
        language: LanguageChoice::Code("xx".to_owned()),
        ..request.clone()
    };
    assert_eq!(
        failure(engine().config().clone(), &unknown).code(),
        "unsupported_language"
    );
    let text = folder.path().join("text.mp3");
    std::fs::write(&text, "This is a text, not sound.\n".repeat(50)).expect("written");
    let refused = failure(engine().config().clone(), &english(text));
    assert!(matches!(refused, EngineError::Media(_)), "{refused}");
}
