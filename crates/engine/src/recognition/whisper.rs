//! whisper.cpp behind the [`Recognizer`] interface.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use whisper_rs::{
    DtwMode, DtwModelPreset, DtwParameters, FullParams, SamplingStrategy, WhisperContext,
    WhisperContextParameters, WhisperState,
};

use super::doubt::is_doubtful;
use super::watch::Watch;
use super::{RecognitionError, Recognizer, Settings, Token, failed, likelihood};
use crate::models::{Model, find};
use crate::stages::StageTimes;
use crate::vad::SAMPLE_RATE;

/// Memory for aligning one window's words, equal to the library's default.
const ALIGNMENT_BYTES: usize = 128 * 1024 * 1024;

/// Encoder positions per second of sound.
const POSITIONS_PER_SECOND: usize = 50;

/// Encoder positions of 30 s.
const MAX_POSITIONS: usize = 1500;

/// Positions of silence after the audio, 5 s, so that the model ends its text there. Measured on 33
/// prompts of 2 to 22 s, each a window of its own: 5 became loops with 32 positions, one with 128,
/// none with 256. With 256 the text equals that of the full context at a quarter of its cost.
const MARGIN: usize = 256;

/// The same for the detection of a language. Measured on 69 utterances in three languages: right as
/// often as in the full context.
const DETECTION_MARGIN: usize = 64;

/// The number of positions is a multiple of this, for which the matrix kernels are fast; with 1500
/// they fall back to slow ones.
const STEP: usize = 64;

/// The largest such multiple.
const MAX_GROUPED: usize = MAX_POSITIONS / STEP * STEP;

/// First temperature after a rejected text, and the step to the next.
const FALLBACK_TEMPERATURE: f32 = 0.2;

/// A loaded model, shared by all states made from it.
pub(crate) struct WhisperModel {
    context: WhisperContext,
    /// Whether windows are encoded in a context as long as their audio.
    allows_short_context: bool,
}

impl WhisperModel {
    /// Reads the model file (80 MB and 0.1 s for base). `id` determines the attention heads that
    /// align words with the audio, and whether the encoder's context may be shortened: never for a
    /// model that is not in the catalogue.
    pub(crate) fn load(path: &Path, id: &str, gpu: Option<u32>) -> Result<Self, String> {
        let mut params = WhisperContextParameters::new();
        // Flash attention doubles the time on a CPU and excludes alignment.
        params.use_gpu(gpu.is_some()).flash_attn(false);
        let number = gpu.and_then(|number| i32::try_from(number).ok());
        params.gpu_device(number.unwrap_or_default());
        params.dtw_parameters(DtwParameters {
            mode: alignment_heads(id),
            dtw_mem_size: ALIGNMENT_BYTES,
        });
        WhisperContext::new_with_params(path, params)
            .map(|context| Self {
                context,
                allows_short_context: find(id).is_some_and(Model::allows_short_context),
            })
            .map_err(|error| error.to_string())
    }

    /// A new state for one thread (about 170 MB for base).
    pub(crate) fn recognizer(self: &Arc<Self>) -> Result<WhisperRecognizer, String> {
        Ok(WhisperRecognizer {
            state: Some(self.state()?),
            model: Arc::clone(self),
            has_heard: false,
            times: StageTimes::default(),
        })
    }

    fn state(&self) -> Result<WhisperState, String> {
        self.context
            .create_state()
            .map_err(|error| error.to_string())
    }

    /// The tokens of a text, for a prompt.
    pub(crate) fn tokenize(&self, text: &str) -> Result<Vec<i32>, String> {
        // Each token has at least one byte; whisper.cpp may add one more at the start of a word.
        self.context
            .tokenize(text, text.len() + 8)
            .map_err(|error| error.to_string())
    }
}

/// The alignment heads published by OpenAI, by model id (`base-q8_0`, `large-v3-turbo`…).
fn alignment_heads(id: &str) -> DtwMode<'static> {
    let presets = [
        ("tiny.en", DtwModelPreset::TinyEn),
        ("tiny", DtwModelPreset::Tiny),
        ("base.en", DtwModelPreset::BaseEn),
        ("base", DtwModelPreset::Base),
        ("small.en", DtwModelPreset::SmallEn),
        ("small", DtwModelPreset::Small),
        ("medium.en", DtwModelPreset::MediumEn),
        ("medium", DtwModelPreset::Medium),
        ("large-v1", DtwModelPreset::LargeV1),
        ("large-v2", DtwModelPreset::LargeV2),
        ("large-v3-turbo", DtwModelPreset::LargeV3Turbo),
        ("large-v3", DtwModelPreset::LargeV3),
    ];
    presets
        .into_iter()
        .find(|(name, _)| {
            id.strip_prefix(name)
                .is_some_and(|rest| !rest.starts_with('.'))
        })
        .map_or(DtwMode::TopMost { n_top: 1 }, |(_, model_preset)| {
            DtwMode::ModelPreset { model_preset }
        })
}

/// One state of whisper.cpp.
pub(crate) struct WhisperRecognizer {
    model: Arc<WhisperModel>,
    /// `None` only while it is being replaced.
    state: Option<WhisperState>,
    /// Whether the state was used for recognition.
    has_heard: bool,
    times: StageTimes,
}

/// How a pass differs from other passes over the same window.
#[derive(Clone, Copy)]
struct Attempt {
    audio_context: i32,
    /// `None`: the most probable text; otherwise text is sampled at this temperature.
    temperature: Option<f32>,
}

impl Attempt {
    fn best(audio_context: i32) -> Self {
        Self {
            audio_context,
            temperature: None,
        }
    }

    fn sampled() -> Self {
        Self {
            audio_context: MAX_POSITIONS as i32,
            temperature: Some(FALLBACK_TEMPERATURE),
        }
    }
}

impl Recognizer for WhisperRecognizer {
    fn recognize(
        &mut self,
        samples: &[f32],
        settings: &Settings,
        cancelled: &AtomicBool,
    ) -> Result<Vec<Token>, RecognitionError> {
        if settings.beam > 1 {
            self.renew()?;
        }
        let short = if self.model.allows_short_context {
            audio_context(samples.len())
        } else {
            MAX_POSITIONS as i32
        };
        let mut written = self.attempt(samples, settings, Attempt::best(short), cancelled)?;
        if is_doubtful(&written) && short < MAX_POSITIONS as i32 {
            // Short contexts are the usual cause of loops.
            tracing::debug!("doubtful text, once more in full context");
            written = self.attempt(
                samples,
                settings,
                Attempt::best(MAX_POSITIONS as i32),
                cancelled,
            )?;
        }
        if is_doubtful(&written) {
            tracing::debug!("doubtful text, drawing others");
            self.renew()?;
            written = self.attempt(samples, settings, Attempt::sampled(), cancelled)?;
        }
        Ok(written.into_iter().map(|(_, token)| token).collect())
    }

    fn languages_of_last(&mut self, codes: &[&str]) -> Result<Vec<f32>, RecognitionError> {
        let context = &self.model.context;
        if !context.is_multilingual() {
            return Ok(codes.iter().map(|code| f32::from(*code == "en")).collect());
        }
        let start = context.token_sot();
        let tokens: Vec<Option<usize>> = codes
            .iter()
            .map(|code| {
                let token = context.token_lang(whisper_rs::get_lang_id(code)?);
                usize::try_from(token).ok()
            })
            .collect();
        let state = self.state()?;
        // What the encoder made of the audio stays in the state: the first token after the start of
        // a text is its language.
        state
            .decode(&[start], 0, 1)
            .map_err(|error| failed(&error))?;
        let logits = state.get_logits().map_err(|error| failed(&error))?;
        let logits = tokens.iter().map(|token| {
            let logit = token.and_then(|token| logits.get(token));
            logit.copied().unwrap_or(f32::NEG_INFINITY)
        });
        Ok(softmax(&logits.collect::<Vec<f32>>()))
    }

    fn detect_language(
        &mut self,
        samples: &[f32],
        codes: &[&str],
    ) -> Result<Vec<f32>, RecognitionError> {
        if self.model.context.is_multilingual() {
            self.encode(samples)?;
        }
        self.languages_of_last(codes)
    }

    fn text_likelihood(&mut self, code: &str) -> Result<f64, RecognitionError> {
        let model = Arc::clone(&self.model);
        likelihood::of_text(&model.context, self.state()?, code)
    }
}

impl WhisperRecognizer {
    /// Encodes audio without recognising it, in a context of its own length.
    ///
    /// The context's length is a parameter of recognition only, so recognition is begun and stopped
    /// before its encoder.
    fn encode(&mut self, samples: &[f32]) -> Result<(), RecognitionError> {
        let settings = Settings {
            language: "en".to_owned(),
            beam: 1,
            ..Settings::default()
        };
        let mut params = parameters(&settings, None);
        params.set_audio_ctx(if self.model.allows_short_context {
            context_with(samples.len(), DETECTION_MARGIN)
        } else {
            MAX_POSITIONS as i32
        });
        let never = AtomicBool::new(false);
        let mut watch = Watch::before_encoder(&never);
        watch.attach(&mut params);
        self.has_heard = true;
        let started = Instant::now();
        let state = self.state()?;
        state
            .full(params, samples)
            .map_err(|error| failed(&error))?;
        state.encode(0, 1).map_err(|error| failed(&error))?;
        self.times.encoder += started.elapsed();
        Ok(())
    }

    /// Time spent since the last call.
    pub(crate) fn take_times(&mut self) -> StageTimes {
        std::mem::take(&mut self.times)
    }

    /// Replaces the state. Random sampling, which beam search also uses for its candidates, must
    /// not depend on earlier windows, or a resumed run would give other text: a new state samples
    /// from the same seed.
    fn renew(&mut self) -> Result<(), RecognitionError> {
        if self.has_heard {
            self.state = None;
            self.state = Some(self.model.state().map_err(RecognitionError::Failed)?);
            self.has_heard = false;
        }
        Ok(())
    }

    fn state(&mut self) -> Result<&mut WhisperState, RecognitionError> {
        self.state
            .as_mut()
            .ok_or_else(|| RecognitionError::Failed("the state was lost".to_owned()))
    }

    /// One pass over the window.
    fn attempt(
        &mut self,
        samples: &[f32],
        settings: &Settings,
        attempt: Attempt,
        cancelled: &AtomicBool,
    ) -> Result<Vec<(i32, Token)>, RecognitionError> {
        let mut params = parameters(settings, attempt.temperature);
        params.set_audio_ctx(attempt.audio_context);
        let mut watch = Watch::new(cancelled);
        watch.attach(&mut params);
        self.has_heard = true;
        let outcome = self.state()?.full(params, samples);
        self.times += watch.times();
        if cancelled.load(Ordering::Acquire) {
            // An abort inside may leave a partial result and report success.
            return Err(RecognitionError::Cancelled);
        }
        outcome.map_err(|error| failed(&error))?;
        self.tokens()
    }

    /// The text tokens with their ids.
    fn tokens(&mut self) -> Result<Vec<(i32, Token)>, RecognitionError> {
        let end_of_text = self.model.context.token_eot();
        let mut tokens = Vec::new();
        for segment in self.state()?.as_iter() {
            for place in 0..segment.n_tokens() {
                let Some(token) = segment.get_token(place) else {
                    break;
                };
                let data = token.token_data();
                if data.id >= end_of_text {
                    continue;
                }
                let bytes = token.to_bytes().map_err(|error| failed(&error))?.to_vec();
                // whisper.cpp counts in hundredths of a second.
                let end = data.t_dtw.max(0) as f64 / 100.0;
                tokens.push((
                    data.id,
                    Token {
                        bytes,
                        end,
                        probability: data.p,
                    },
                ));
            }
        }
        Ok(tokens)
    }
}

fn parameters<'a>(settings: &'a Settings, temperature: Option<f32>) -> FullParams<'a, 'a> {
    let strategy = if settings.beam > 1 && temperature.is_none() {
        SamplingStrategy::BeamSearch {
            beam_size: settings.beam as i32,
            patience: -1.0,
        }
    } else {
        SamplingStrategy::Greedy { best_of: 1 }
    };
    let mut params = FullParams::new(strategy);
    params.set_n_threads(1);
    params.set_language(Some(&settings.language));
    params.set_translate(settings.translate);
    params.set_no_context(true);
    // One pass over the window: otherwise whisper.cpp would encode the rest after the last time
    // stamp again, and its alignment aborts the process on short rests.
    params.set_single_segment(true);
    // Measured on the long files: without time stamps the text is better (7.1% word errors instead
    // of 7.9%) at the same cost; times come from the alignment.
    params.set_no_timestamps(true);
    // Temperature fallback is implemented in `recognize`.
    params.set_temperature(temperature.unwrap_or(0.0));
    params.set_temperature_inc(temperature.unwrap_or(0.0));
    params.set_print_special(false);
    params.set_print_progress(false);
    params.set_print_realtime(false);
    params.set_print_timestamps(false);
    params.set_suppress_blank(true);
    let prompt = settings.prompts.of(&settings.language);
    if !prompt.is_empty() {
        params.set_tokens(prompt);
    }
    params
}

/// Encoder positions for a window: its audio and some silence instead of the full 30 s.
fn audio_context(samples: usize) -> i32 {
    context_with(samples, MARGIN)
}

/// Encoder positions for audio and so many positions of silence.
fn context_with(samples: usize, margin: usize) -> i32 {
    let needed = samples.div_ceil(SAMPLE_RATE / POSITIONS_PER_SECOND);
    let context = if needed > MAX_GROUPED {
        MAX_POSITIONS
    } else {
        (needed + margin).next_multiple_of(STEP).min(MAX_GROUPED)
    };
    context as i32
}

fn softmax(logits: &[f32]) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let shares: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f32 = shares.iter().sum();
    shares.iter().map(|share| share / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn audio_contexts_cover_the_sound_and_fit_the_kernels() {
        assert_eq!(audio_context(SAMPLE_RATE), 320);
        assert_eq!(audio_context(28 * SAMPLE_RATE), 1472);
        assert_eq!(audio_context(30 * SAMPLE_RATE), 1500);
        for seconds in 1..=30 {
            assert!(
                audio_context(seconds * SAMPLE_RATE) as usize >= seconds * POSITIONS_PER_SECOND
            );
        }
    }
}
