//! The style in the prompt: it divides real speech into sentences and is never written itself.

mod recognition_support;

use recognition_support::transcript;
use slovo_engine::{CancelToken, Engine, EngineConfig, LanguageChoice, Request};
use slovo_rules::transcript::Transcript;
use slovo_test_media::speech::{pause, plain, prompt, wav};

/// The whole text.
fn text(transcript: &Transcript) -> String {
    let segments = transcript
        .segments
        .iter()
        .map(|segment| segment.text.as_str());
    segments.collect::<Vec<&str>>().join(" ")
}

#[test]
fn the_style_divides_sentences_and_is_never_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let prompts = [
        "conf-nonextended",
        "conf-now-unmuted",
        "confbridge-pin-bad",
        "confbridge-invalid",
        "conf-leaderhasleft",
    ];
    let mut samples = pause(0.5);
    for name in prompts {
        samples.extend(prompt(&format!("it_IT_m_Carlo/{name}")));
        samples.extend(pause(0.4));
    }
    let request = Request {
        language: LanguageChoice::Code("it".to_owned()),
        ..Request::new(wav(folder.path(), "italian.wav", &samples))
    };
    let mut config = EngineConfig::new(recognition_support::models());
    config.threads = 2;
    config.style_prompts = false;
    let unstyled = Engine::new(config).expect("the settings are sound");
    let without = unstyled
        .transcribe(&request, &CancelToken::new(), &mut |_| {})
        .expect("a text");
    let with = transcript(&request);
    let sentences = |transcript: &Transcript| text(transcript).matches('.').count();
    println!("{}\n{}", text(&without), text(&with));
    assert!(sentences(&with) >= prompts.len(), "{}", text(&with));
    assert!(sentences(&with) >= sentences(&without));
    let written = plain(&text(&with)).join(" ");
    for echo in ["arrivato ieri", "tutto era pronto", "tornati a casa"] {
        assert!(!written.contains(echo), "{written}");
    }
}
