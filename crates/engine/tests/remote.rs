//! Recognition by an engine elsewhere, with doubles of such engines. The server's tests use its own
//! endpoint and a faulty one.

mod recognition_support;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use recognition_support::{models, run};
use slovo_engine::{
    CancelToken, ChunkResult, Engine, EngineConfig, EngineError, Event, LanguageChoice, Remote,
    RemoteAudio, RemoteEngine, RemoteError, RemoteText, Request, Resume, TimedText,
};
use slovo_rules::language::Language;
use slovo_rules::language_set;
use slovo_rules::transcript::Transcript;
use slovo_test_media::speech::{pause, prompt, wav};

/// The requests that an engine got.
#[derive(Default)]
struct Log {
    languages: Mutex<Vec<Option<Language>>>,
    prompts: Mutex<Vec<String>>,
    /// Requests now, and the most at the same time.
    running: AtomicUsize,
    most: AtomicUsize,
}

/// An engine whose answers are a function of the audio and of the number of requests before.
struct Double<F> {
    log: Arc<Log>,
    answer: F,
}

impl<F> RemoteEngine for Double<F>
where
    F: Fn(&RemoteAudio<'_>, usize, &AtomicBool) -> Result<RemoteText, RemoteError> + Send + Sync,
{
    fn recognise(
        &self,
        audio: &RemoteAudio<'_>,
        stop: &AtomicBool,
    ) -> Result<RemoteText, RemoteError> {
        let running = self.log.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.log.most.fetch_max(running, Ordering::SeqCst);
        let before = {
            let mut languages = self.log.languages.lock().expect("no panic");
            languages.push(audio.language);
            languages.len() - 1
        };
        let mut prompts = self.log.prompts.lock().expect("no panic");
        prompts.push(audio.prompt.to_owned());
        drop(prompts);
        let answer = (self.answer)(audio, before, stop);
        self.log.running.fetch_sub(1, Ordering::SeqCst);
        answer
    }
}

fn remote<F>(answer: F) -> (Remote, Arc<Log>)
where
    F: Fn(&RemoteAudio<'_>, usize, &AtomicBool) -> Result<RemoteText, RemoteError>
        + Send
        + Sync
        + 'static,
{
    let log = Arc::new(Log::default());
    let engine = Arc::new(Double {
        log: Arc::clone(&log),
        answer,
    });
    let remote = Remote {
        engine,
        name: "endpoint:double".to_owned(),
        parallel: 3,
        falls_back: false,
    };
    (remote, log)
}

/// Two prompts in English, 12 s apart, so that they are in different windows.
fn recording(folder: &Path) -> PathBuf {
    let mut samples = pause(0.5);
    for name in ["queue-youarenext", "tt-allbusy", "queue-youarenext"] {
        samples.extend(prompt(&format!("en_US_f_Allison/{name}")));
        samples.extend(pause(12.0));
    }
    wav(folder, "calls.wav", &samples)
}

/// A word every half second of the audio.
fn words(audio: &RemoteAudio<'_>, word: &str, language: Option<Language>) -> RemoteText {
    let seconds = audio.samples.len() as f64 / 16_000.0;
    let count = ((seconds * 2.0) as usize).max(1);
    let words: Vec<TimedText> = (0..count)
        .map(|place| TimedText {
            text: format!("{word}{place}"),
            start: place as f64 / 2.0,
            end: place as f64 / 2.0 + 0.4,
            confidence: Some(0.9),
        })
        .collect();
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    RemoteText {
        language,
        text: format!("{}.", texts.join(" ")),
        words,
        ..RemoteText::default()
    }
}

const fn failure() -> RemoteError {
    RemoteError::Failed {
        reason: "server_error",
        retry_after: Some(Duration::from_secs(7)),
    }
}

fn request(folder: &Path, remote: Remote) -> Request {
    Request {
        words: true,
        language: LanguageChoice::Code("en".to_owned()),
        remote: Some(remote),
        ..Request::new(recording(folder))
    }
}

/// An engine whose folder has only the voice activity model.
fn engine_without_models(folder: &Path) -> Engine {
    let file = "ggml-silero-v6.2.0.bin";
    std::fs::copy(models().join(file), folder.join(file)).expect("the model is copied");
    Engine::new(EngineConfig::new(folder.to_owned())).expect("an engine")
}

fn transcribe(engine: &Engine, request: &Request) -> Result<Transcript, EngineError> {
    engine.transcribe(request, &CancelToken::new(), &mut |_| {})
}

#[test]
fn windows_are_recognised_side_by_side_without_a_model() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let together = (Mutex::new(0), Condvar::new());
    let (remote, log) = remote(move |audio, _, _| {
        // Nobody answers before three have asked.
        let (count, all) = &together;
        let mut count = count.lock().expect("no panic");
        *count += 1;
        all.notify_all();
        let limit = Duration::from_secs(60);
        let waiting = all.wait_timeout_while(count, limit, |count| *count < 3);
        assert!(!waiting.expect("no panic").1.timed_out());
        Ok(words(audio, "w", Some(Language::En)))
    });
    let mut request = request(folder.path(), remote);
    request.vocabulary = vec!["Slovo".to_owned(), "Dnipro".to_owned()];
    let engine = engine_without_models(folder.path());
    let transcript = transcribe(&engine, &request).expect("a transcript");
    assert_eq!(transcript.model, "endpoint:double");
    assert_eq!(transcript.language, "en");
    assert!(transcript.warnings.is_empty(), "{:?}", transcript.warnings);
    assert_eq!(log.most.load(Ordering::SeqCst), 3);
    let languages = log.languages.lock().expect("no panic");
    assert!(
        languages
            .iter()
            .all(|language| *language == Some(Language::En))
    );
    let prompts = log.prompts.lock().expect("no panic");
    assert!(prompts.iter().all(|prompt| prompt == "Slovo, Dnipro"));
    let words: Vec<_> = transcript
        .segments
        .iter()
        .flat_map(|it| &it.words)
        .collect();
    assert!(words.windows(2).all(|pair| pair[0].start <= pair[1].start));
    // The first words of the three windows.
    let firsts = words.iter().filter(|word| word.text == "w0");
    let starts: Vec<f64> = firsts.map(|word| word.start).collect();
    assert_eq!(starts.len(), 3, "{words:?}");
    assert!(
        starts[0] < 2.0 && starts[1] > 12.0 && starts[2] > 30.0,
        "{starts:?}"
    );
}

#[test]
fn each_window_has_the_language_that_the_other_engine_finds() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (remote, log) = remote(|audio, before, _| {
        Ok(match (audio.language, before) {
            // Another language than those that may be spoken: it is asked again.
            (None, 0) => words(audio, "ы", Some(Language::Ru)),
            (Some(Language::Uk), _) => words(audio, "ї", Some(Language::Uk)),
            // It does not say.
            (None, 1) => words(audio, "hello", None),
            _ => words(audio, "hello", Some(Language::En)),
        })
    });
    let mut request = request(
        folder.path(),
        Remote {
            parallel: 1,
            ..remote
        },
    );
    request.language = LanguageChoice::Auto;
    let codes = ["uk", "en"].map(str::to_owned);
    request.languages = language_set::parse("languages", &codes).expect("languages");
    let engine = engine_without_models(folder.path());
    let mut found = Vec::new();
    let transcript = engine
        .transcribe(&request, &CancelToken::new(), &mut |event| {
            if let Event::Language { code, .. } = event {
                found.push(code);
            }
        })
        .expect("a transcript");
    let mut languages: Vec<_> = transcript
        .segments
        .iter()
        .filter_map(|segment| segment.language.as_deref())
        .collect();
    languages.dedup();
    assert_eq!(languages, ["uk", "en"]);
    assert_eq!(
        (transcript.language.as_str(), found),
        ("en", vec!["en".to_owned()])
    );
    let asked = log.languages.lock().expect("no panic");
    assert_eq!(asked[..2], [None, Some(Language::Uk)], "{asked:?}");
}

fn chunks(events: &[Event]) -> Vec<ChunkResult> {
    let chunks = events.iter().filter_map(|event| match event {
        Event::Chunk(chunk) => Some(chunk.clone()),
        _ => None,
    });
    chunks.collect()
}

/// An engine that answers so many requests and then none, one at a time.
fn failing_after(answers: usize, falls_back: bool) -> (Remote, Arc<Log>) {
    let (remote, log) = remote(move |audio, before, _| {
        if before < answers {
            Ok(words(audio, "w", Some(Language::En)))
        } else {
            Err(failure())
        }
    });
    let remote = Remote {
        parallel: 1,
        falls_back,
        ..remote
    };
    (remote, log)
}

#[test]
fn without_the_other_engine_a_job_fails_and_keeps_what_it_has() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (outcome, events) = run(&request(folder.path(), failing_after(1, false).0));
    let error = outcome.expect_err("no fallback");
    assert_eq!(error.code(), "speech_endpoint_failed");
    assert_eq!(error.params()["reason"], "server_error");
    assert!(
        matches!(error, EngineError::Remote { retry_after: Some(after), .. }
        if after == Duration::from_secs(7))
    );
    assert_eq!(chunks(&events).len(), 1);
    // Without its file, the model cannot take over.
    let engine = engine_without_models(folder.path());
    let request = request(folder.path(), failing_after(1, true).0);
    let error = transcribe(&engine, &request).expect_err("no model");
    assert_eq!(error.code(), "speech_endpoint_failed");
}

#[test]
fn the_model_takes_over_and_it_is_told_also_after_an_interruption() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let request = request(folder.path(), failing_after(1, true).0);
    let (outcome, events) = run(&request);
    let transcript = outcome.expect("the model takes over");
    let warnings: Vec<_> = transcript.warnings.iter().map(|it| &*it.code).collect();
    assert_eq!(warnings, ["endpoint_fell_back"]);
    assert_eq!(transcript.warnings[0].params["model"], "base-q8_0");
    assert_eq!(transcript.model, "endpoint:double");
    let chunks = chunks(&events);
    let fell_back: Vec<_> = chunks.iter().map(|chunk| chunk.fell_back).collect();
    assert_eq!(fell_back, [false, true, true]);
    let texts: Vec<_> = transcript.segments.iter().map(|it| &*it.text).collect();
    let text = texts.join(" ").to_lowercase();
    assert!(text.starts_with("w0 w1"), "{text}");
    assert!(text.contains("telemarketers"), "{text}");

    // An interrupted run that goes on asks for nothing again.
    let (quiet, log) = failing_after(0, true);
    let resumed = Request {
        remote: Some(quiet),
        resume: Resume {
            language: None,
            chunks,
        },
        ..request
    };
    assert_eq!(recognition_support::transcript(&resumed), transcript);
    assert!(log.languages.lock().expect("no panic").is_empty());
}

#[test]
fn a_text_of_the_model_alone_has_its_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut request = request(folder.path(), failing_after(0, true).0);
    request.language = LanguageChoice::Auto;
    let transcript = recognition_support::transcript(&request);
    assert_eq!(transcript.model, "base-q8_0");
    assert_eq!(transcript.language, "en");
    assert_eq!(transcript.warnings[0].code, "endpoint_fell_back");
}

#[test]
fn a_cancelled_job_does_not_wait_for_the_other_engine() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cancel = CancelToken::new();
    let canceller = cancel.clone();
    let (remote, _) = remote(move |_, _, stop| {
        canceller.cancel();
        while !stop.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_millis(5));
        }
        Err(RemoteError::Cancelled)
    });
    let engine = engine_without_models(folder.path());
    let outcome = engine.transcribe(&request(folder.path(), remote), &cancel, &mut |_| {});
    assert!(matches!(outcome, Err(EngineError::Cancelled)));
}
