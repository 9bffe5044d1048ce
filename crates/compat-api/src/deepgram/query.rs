//! The parameters of a request.

use axum::http::StatusCode;
use slovo_app::state::AppState;

use crate::fields::{Fields, language};
use crate::models::{self, NamedModel};
use crate::receive::Head;
use crate::refusal::Refusal;
use crate::request::SpeechRequest;

/// Beginnings of the names of Deepgram's models.
const FAMILIES: [&str; 5] = ["nova", "enhanced", "base", "whisper", "flux"];

/// Features of Deepgram that this server lacks.
const UNSUPPORTED: [&str; 18] = [
    "callback",
    "custom_intent",
    "custom_topic",
    "detect_entities",
    "dictation",
    "intents",
    "language_hint",
    "measurements",
    "multichannel",
    "ner",
    "numerals",
    "profanity_filter",
    "redact",
    "replace",
    "search",
    "sentiment",
    "summarize",
    "topics",
];

/// Pause between utterances in seconds, if the request names none.
const PAUSE: f64 = 0.8;

/// What is asked for: of the recognition, and of the answer.
#[derive(Debug)]
pub(super) struct ListenQuery {
    pub request: SpeechRequest,
    /// Whether the text has punctuation and capitals.
    pub punctuate: bool,
    /// Whether there are paragraphs.
    pub paragraphs: bool,
    /// Pause in seconds that ends an utterance; `None` without utterances.
    pub utterances: Option<f64>,
    /// Whether the language is part of the answer.
    pub detect_language: bool,
    /// What comes before the body, so that it becomes a file.
    pub head: Head,
}

/// The parameters, for the API's document.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the query; it is read one by one")]
pub(super) struct ListenParams {
    /// `lite`, `full`, a model's id, or a name of Deepgram's models, which mean `full`.
    model: Option<String>,
    /// Language of the speech (BCP 47); detected if it is absent, or `multi`.
    language: Option<String>,
    /// `true`, or the languages that may be spoken, each as a parameter.
    detect_language: Option<Vec<String>>,
    /// Whether speakers are told apart.
    diarize: Option<bool>,
    /// Whether the text has punctuation and capitals.
    punctuate: Option<bool>,
    /// Punctuation, capitals and paragraphs.
    smart_format: Option<bool>,
    /// Whether the text is divided into paragraphs.
    paragraphs: Option<bool>,
    /// Whether the answer has utterances.
    utterances: Option<bool>,
    /// Pause in seconds that ends an utterance.
    #[param(minimum = 0, maximum = 60, default = 0.8)]
    utt_split: Option<f64>,
    /// Words to expect.
    keyterm: Option<Vec<String>>,
    /// Words to expect, each with a weight after a colon, which has no effect.
    keywords: Option<Vec<String>>,
    /// `linear16` for a body without a header: 16-bit little-endian samples.
    encoding: Option<String>,
    /// Samples per second of such a body.
    #[param(minimum = 8000, maximum = 192_000)]
    sample_rate: Option<u32>,
    /// Channels of such a body.
    #[param(minimum = 1, maximum = 8)]
    channels: Option<u16>,
}

/// Reads the parameters.
///
/// # Errors
/// The first that cannot be used.
pub(super) fn read(state: &AppState, fields: &[(String, String)]) -> Result<ListenQuery, Refusal> {
    let query = Fields(fields);
    query.refuse(&UNSUPPORTED)?;
    let mode = match query.one("model") {
        None => NamedModel::FULL,
        Some(name) => model(state, name).ok_or_else(|| {
            let message = format!("No such model: {name}. GET /v1/models lists them.");
            Refusal::new(StatusCode::BAD_REQUEST, "model_not_found", message)
        })?,
    };
    let smart = query.flag("smart_format")?;
    let utterances = query.flag("utterances")?;
    let pause = query.number("utt_split", 0.0, 60.0)?.unwrap_or(PAUSE);
    let (detect_language, languages) = detection(&query);
    let code = query.one("language").filter(|tag| *tag != "multi");
    let diarize = query.flag("diarize")? || query.one("diarize_model").is_some();
    let keywords = query.all("keywords").map(without_weight);
    let keywords = query.all("keyterm").chain(keywords).map(str::to_owned);
    Ok(ListenQuery {
        request: SpeechRequest {
            mode: mode.mode,
            language: code.filter(|_| !detect_language).and_then(language),
            languages,
            keywords: keywords.collect(),
            diarize: diarize || mode.diarizes,
            ..SpeechRequest::default()
        },
        punctuate: smart || query.flag("punctuate")?,
        paragraphs: smart || query.flag("paragraphs")?,
        utterances: utterances.then_some(pause),
        detect_language,
        head: head(&query)?,
    })
}

/// What the name of a model asks for: one of this server's, or Full for those of Deepgram, such as
/// `nova-3-medical`.
fn model(state: &AppState, name: &str) -> Option<NamedModel> {
    let family = name.split('-').next().unwrap_or_default();
    let theirs = FAMILIES.contains(&family).then_some(NamedModel::FULL);
    models::find(state, name).or(theirs)
}

/// Whether the language is detected, and among which.
fn detection(query: &Fields<'_>) -> (bool, Option<Vec<String>>) {
    let mut is_on = false;
    let mut codes = Vec::new();
    for value in query.all("detect_language").flat_map(|it| it.split(',')) {
        match value.trim() {
            "" | "false" => {}
            "true" => is_on = true,
            tag => codes.extend(language(tag)),
        }
    }
    (
        is_on || !codes.is_empty(),
        (!codes.is_empty()).then_some(codes),
    )
}

fn without_weight(keyword: &str) -> &str {
    match keyword.rsplit_once(':') {
        Some((word, weight)) if weight.parse::<f64>().is_ok() => word,
        _ => keyword,
    }
}

/// A body without a header has to be described.
fn head(query: &Fields<'_>) -> Result<Head, Refusal> {
    match query.choice("encoding", &[("linear16", ())])? {
        None => Ok(Head::None),
        Some(()) => {
            let whole = |name, least, most| -> Result<Option<u32>, Refusal> {
                let number = query.number(name, f64::from(least), f64::from(most))?;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "between these limits"
                )]
                Ok(number.map(|number| number as u32))
            };
            let rate = whole("sample_rate", 8000, 192_000)?;
            let rate = rate.ok_or_else(|| Refusal::missing("sample_rate"))?;
            let channels = whole("channels", 1, 8)?.unwrap_or(1);
            Ok(Head::wav(rate, u16::try_from(channels).unwrap_or(1)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::of_query;

    fn of(text: &str) -> Vec<(String, String)> {
        of_query(Some(text))
    }

    #[test]
    fn languages_are_detected_as_the_parameter_says() {
        for (text, expected) in [
            ("", (false, None)),
            ("detect_language=false", (false, None)),
            ("detect_language=true", (true, None)),
            (
                "detect_language=uk&detect_language=en-US",
                (true, Some(vec!["uk".to_owned(), "en".to_owned()])),
            ),
        ] {
            assert_eq!(detection(&Fields(&of(text))), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_supported_is_refused_unless_it_is_off() {
        for text in [
            "redact=pci",
            "summarize=v2",
            "callback=https://x",
            "topics=true",
        ] {
            let refusal = Fields(&of(text)).refuse(&UNSUPPORTED).unwrap_err();
            assert_eq!(refusal.code, "unsupported_parameter", "{text}");
        }
        let off = of("redact=&profanity_filter=false&filler_words=true");
        assert!(Fields(&off).refuse(&UNSUPPORTED).is_ok());
    }

    #[test]
    fn weights_of_keywords_are_dropped() {
        assert_eq!(without_weight("Slovo:2.5"), "Slovo");
        assert_eq!(without_weight("at 10:to"), "at 10:to");
        assert_eq!(without_weight("Слово"), "Слово");
    }

    #[test]
    fn samples_without_a_header_need_their_rate() {
        let read = |text: &str| head(&Fields(&of(text)));
        assert!(matches!(read(""), Ok(Head::None)));
        assert!(matches!(
            read("encoding=linear16&sample_rate=16000"),
            Ok(Head::Wav(_))
        ));
        for text in [
            "encoding=linear16",
            "encoding=linear16&sample_rate=1",
            "encoding=linear16&sample_rate=NaN",
            "encoding=linear16&sample_rate=16000&channels=0",
            "encoding=opus&sample_rate=16000",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
