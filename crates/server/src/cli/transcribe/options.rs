//! Optional results besides the text: speakers, channels and analyses.

use std::fmt::Write as _;
use std::path::Path;

use clap::Args;
use slovo_analysis::AnalysisError;
use slovo_engine::{CancelToken, EngineError};
use slovo_rules::analysis::{EngineName, Outcome, Part, PartRequest};
use slovo_rules::edit::EditedTranscript;
use slovo_rules::job_plan::JobPlan;
use slovo_rules::language::TranslationTarget;
use slovo_rules::profanity::Profanity;
use slovo_rules::settings::{
    self, MAX_SPEAKERS, SpeakerCount, TranscriptionSettings, speaker_count,
};
use slovo_rules::transcript::Transcript;
use slovo_work::analysis::engines::Engines;
use slovo_work::analysis::speakers::SpeakersInput;
use slovo_work::analysis::{CancelFlag, text};

use super::sentences::of_lack;

/// A language that every engine supports, because the recording's language is not known yet.
const ENGLISH: &str = "en";

/// Results besides the text.
#[derive(Args)]
#[command(next_help_heading = "Speakers and analysis")]
pub struct OutputOptions {
    /// Identify speakers
    #[arg(long)]
    diarize: bool,
    /// Number of speakers: 2, or a range such as 2-4 [default: detected]
    #[arg(long, value_name = "N|A-B", requires = "diarize", value_parser = speakers_of)]
    speakers: Option<String>,
    /// Transcribe each channel separately
    #[arg(long)]
    multichannel: bool,
    /// Swear words: keep, mask all letters but the first, or remove
    #[arg(long, value_name = "keep|mask|remove", default_value_t = Profanity::Keep, value_parser = profanity_of)]
    profanity: Profanity,
    /// Add a summary of about this many words
    #[arg(long, value_name = "WORDS")]
    summarize: Option<u32>,
    /// Analyse sentiment
    #[arg(long)]
    sentiment: bool,
    /// Classify by these labels, separated by commas
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    classify: Vec<String>,
    /// Translate to: english, french, german, italian, portuguese, hindi, spanish, thai, ukrainian
    #[arg(long, value_name = "LANGUAGES", default_value = "")]
    translate_to: String,
}

/// Parses a number of speakers for clap.
fn speakers_of(text: &str) -> Result<String, String> {
    match speaker_count(text) {
        Ok(SpeakerCount::Exactly(_) | SpeakerCount::Between(..)) => Ok(text.to_owned()),
        Ok(SpeakerCount::Found) | Err(_) => Err(format!(
            "a number from 1 to {MAX_SPEAKERS}, or a range such as 2-4"
        )),
    }
}

/// Parses the treatment of swear words for clap.
fn profanity_of(text: &str) -> Result<Profanity, &'static str> {
    Profanity::parse(text).ok_or("keep, mask or remove")
}

impl OutputOptions {
    /// Adds the wanted options to the settings.
    pub fn settings(&self, settings: TranscriptionSettings) -> TranscriptionSettings {
        let labels = self.classify.iter().map(|label| label.trim().to_owned());
        TranscriptionSettings {
            diarization: self.diarize,
            speakers: self.speakers.clone().unwrap_or_default(),
            multichannel: self.multichannel,
            profanity: self.profanity,
            summarize: self.summarize.map_or(0, i64::from),
            overall_sentiment_analysis: self.sentiment,
            overall_classification: !self.classify.is_empty(),
            classification_labels: labels.collect(),
            llm_translation: self.translate_to.clone(),
            ..settings
        }
    }

    /// Whether there are analyses after recognition.
    pub fn makes(&self) -> bool {
        self.summarize.is_some()
            || self.sentiment
            || !self.classify.is_empty()
            || !self.translate_to.is_empty()
    }
}

/// Whether the final text differs from the live text.
pub fn changes_text(job: &JobPlan) -> bool {
    job.multichannel || job.changes_segments()
}

/// Checks that some engine supports what is wanted. `models` is the models folder.
///
/// # Errors
/// A message for everything unavailable.
pub fn check(job: &JobPlan, engines: &Engines, models: &Path) -> Result<(), Vec<String>> {
    let does = |feature| engines.supports(feature);
    let lacks = settings::check_available(job.settings(), does, engines.multichannel);
    lacks.map_err(|violations| {
        let mut sentences = Vec::new();
        for violation in &violations.0 {
            let part = part_of(&violation.field);
            let engine = part.map(|part| engines.of_part(part, ENGLISH));
            let sentence = of_lack(violation, engine.and_then(Result::err), models);
            // Labels have two settings but one option, so the message may repeat.
            if !sentences.contains(&sentence) {
                sentences.push(sentence);
            }
        }
        sentences
    })
}

/// The analysis that a field of the settings asks for.
fn part_of(field: &str) -> Option<Part> {
    match field {
        "summarize" => Some(Part::Summary),
        "overall_sentiment_analysis" => Some(Part::Sentiment),
        "overall_classification" | "classification_labels" => Some(Part::Classification),
        "llm_translation" => Some(Part::Translation),
        _ => None,
    }
}

/// The final transcript: with speakers if wanted, and with swear words treated as wanted.
///
/// # Errors
/// As recognition.
pub fn finish_transcript(
    job: &JobPlan,
    (input, audio_track): (&Path, Option<usize>),
    transcript: Transcript,
    engines: &Engines,
    cancel: &CancelToken,
) -> Result<Transcript, EngineError> {
    // Separate channels already have speakers.
    let has_speakers = transcript
        .segments
        .iter()
        .any(|segment| segment.speaker.is_some());
    let plan = job.speakers.filter(|_| !has_speakers);
    let (Some(plan), Some(speakers)) = (plan, &engines.speakers) else {
        return Ok(job.finish(transcript));
    };
    let request = SpeakersInput {
        file: input.to_path_buf(),
        audio_track,
        plan,
    };
    let with_speakers = speakers.identify_speakers(&request, transcript, cancel, &mut |_| {})?;
    Ok(job.finish(with_speakers))
}

/// An analysis and its outcome.
pub struct AnalysisResult {
    request: PartRequest,
    /// The engine; `None` if there is none.
    engine: Option<EngineName>,
    outcome: Result<Outcome, AnalysisError>,
}

impl AnalysisResult {
    /// Whether it has failed.
    pub fn failed(&self) -> bool {
        self.outcome.is_err()
    }
}

/// Runs the wanted analyses.
pub fn make(
    job: &JobPlan,
    transcript: &EditedTranscript,
    engines: &Engines,
    cancel: &CancelToken,
) -> Vec<AnalysisResult> {
    let language = text::language(Some(job), &transcript.language);
    let content = text::of_transcript(transcript, language);
    let make = |analysis: &PartRequest| {
        let engine = engines.of_part(analysis.part, language).ok();
        let task = text::task(
            analysis.part,
            analysis.target,
            &analysis.params(),
            transcript,
        );
        let outcome = match (engine, task) {
            (Some(engine), Some(task)) => {
                engine.run(&content, &task, &CancelFlag(cancel.clone()), &mut |_| {})
            }
            _ => Err(AnalysisError::Unsupported),
        };
        let engine = engine.map(|engine| engine.name());
        AnalysisResult {
            request: analysis.clone(),
            engine,
            outcome,
        }
    };
    job.analyses.iter().map(make).collect()
}

/// The results as text.
pub fn as_text(results: &[AnalysisResult]) -> String {
    let mut text = String::new();
    for AnalysisResult {
        request: analysis,
        engine,
        outcome,
    } in results
    {
        let target = analysis.target.map_or("", TranslationTarget::as_str);
        let mut title = format!("{} {target}", analysis.part).trim().to_owned();
        if let Some(EngineName { model, .. }) = engine {
            title = format!("{title} ({model})");
        }
        // Writing to a string does not fail.
        let _ = match outcome {
            Ok(outcome) => writeln!(text, "\n# {title}\n{}", plain(outcome)),
            Err(error) => writeln!(text, "\n# {title}\n{error} ({})", error.code()),
        };
    }
    text
}

fn plain(outcome: &Outcome) -> String {
    let lines = |lines: Vec<String>| lines.join("\n");
    match outcome {
        Outcome::Summary(summary) => {
            let sentences = summary.sentences.iter();
            let texts: Vec<_> = sentences.map(|sentence| sentence.text.as_str()).collect();
            texts.join(" ")
        }
        Outcome::Sentiment(sentiment) => format!("{} ({:+.2})", sentiment.mood, sentiment.score),
        Outcome::Classification(classes) => {
            let labels = classes.labels.iter();
            lines(
                labels
                    .map(|label| format!("{:.2} {}", label.score, label.label))
                    .collect(),
            )
        }
        Outcome::Keywords(found) => lines(
            found
                .keywords
                .iter()
                .map(|keyword| keyword.text.clone())
                .collect(),
        ),
        Outcome::Chapters(found) => {
            let chapters = found.chapters.iter();
            lines(
                chapters
                    .map(|chapter| format!("{:.0} s {}", chapter.start.start, chapter.title))
                    .collect(),
            )
        }
        Outcome::Prompt(answer) => answer.markdown.clone(),
        Outcome::Translation(translation) => lines(
            translation
                .segments
                .iter()
                .map(|segment| segment.text.clone())
                .collect(),
        ),
        Outcome::SubtitleTranslation(translation) => lines(
            translation
                .cues
                .iter()
                .map(|cue| cue.lines.join("\n"))
                .collect(),
        ),
    }
}

/// The summary as text; empty if there is none.
pub fn summary(results: &[AnalysisResult]) -> String {
    let mut outcomes = results
        .iter()
        .filter_map(|result| result.outcome.as_ref().ok());
    let summary = outcomes.find(|outcome| outcome.part() == Part::Summary);
    summary.map(plain).unwrap_or_default()
}

/// The results for the JSON: part, language, engine, and the outcome or an error code.
pub fn as_json(results: &[AnalysisResult]) -> serde_json::Value {
    let entry = |result: &AnalysisResult| {
        let analysis = &result.request;
        let (outcome, error) = match &result.outcome {
            Ok(outcome) => (serde_json::to_value(outcome).ok(), None),
            Err(error) => (None, Some(error.code())),
        };
        let part: Part = analysis.part;
        serde_json::json!({
            "part": part, "target": analysis.target.map_or("", TranslationTarget::as_str),
            "engine": result.engine, "outcome": outcome, "error": error,
        })
    };
    results.iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use slovo_rules::analysis::EngineKind;

    use super::*;

    #[test]
    fn speakers_are_a_number_or_a_range() {
        assert_eq!(speakers_of("2-4").as_deref(), Ok("2-4"));
        for wrong in ["", "0", "4-2", "51", "two"] {
            let refused = speakers_of(wrong).unwrap_err();
            assert_eq!(
                refused, "a number from 1 to 50, or a range such as 2-4",
                "{wrong}"
            );
        }
    }

    #[test]
    fn failed_analyses_are_listed_beside_successful_ones() {
        let prompt = Outcome::Prompt(slovo_rules::analysis::PromptAnswer {
            markdown: "Yes.".to_owned(),
        });
        let engine = EngineName {
            kind: EngineKind::Endpoint,
            model: "qwen".to_owned(),
        };
        let results = [
            AnalysisResult {
                request: PartRequest::plain(Part::Prompt),
                engine: Some(engine),
                outcome: Ok(prompt),
            },
            AnalysisResult {
                request: PartRequest::plain(Part::Sentiment),
                engine: None,
                outcome: Err(AnalysisError::EmptyText),
            },
        ];
        let text = as_text(&results);
        assert!(text.contains("# prompt (qwen)\nYes."), "{text}");
        assert!(
            text.contains("# sentiment\nthe text is empty (analysis_empty_text)"),
            "{text}"
        );
        let json = as_json(&results);
        assert_eq!(json[0]["outcome"]["markdown"], "Yes.");
        assert_eq!(json[0]["engine"]["model"], "qwen");
        assert_eq!(json[1]["error"], "analysis_empty_text");
    }
}
