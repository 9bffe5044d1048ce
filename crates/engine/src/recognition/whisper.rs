//! whisper.cpp behind the [`Recognizer`] interface.

use std::ffi::{c_int, c_void};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use whisper_rs::whisper_rs_sys::{whisper_context, whisper_state, whisper_token_data};
use whisper_rs::{
    DtwMode, DtwModelPreset, DtwParameters, FullParams, SamplingStrategy, WhisperContext,
    WhisperContextParameters, WhisperError, WhisperState,
};

use super::{RecognitionError, Recognizer, Settings, Token};
use crate::stages::StageTimes;
use crate::vad::SAMPLE_RATE;

/// Memory for aligning one window's words; the library's default is 128 MB.
const ALIGNMENT_BYTES: usize = 128 * 1024 * 1024;

/// Encoder positions per second of sound.
const POSITIONS_PER_SECOND: usize = 50;

/// Encoder positions of 30 s.
const MAX_POSITIONS: usize = 1500;

/// Positions of silence after the sound, 0.64 s at least: the model ends its text there.
const MARGIN: usize = 32;

/// The matrix kernels want whole groups of positions; with 1500 they fall back to slow ones.
const STEP: usize = 64;

/// Samples drawn where the most probable text was refused (loops, low probability).
const FALLBACK_SAMPLES: i32 = 1;

/// A loaded model, shared by all states made from it.
pub(crate) struct WhisperModel {
    context: WhisperContext,
}

impl WhisperModel {
    /// Reads the model file (80 MB and 0.1 s for base). `id` chooses the heads by
    /// which words are aligned with the sound, if `aligned`; that costs a tenth of the time.
    pub(crate) fn load(path: &Path, id: &str, aligned: bool) -> Result<Self, String> {
        let mut params = WhisperContextParameters::new();
        // Flash attention doubles the time on a CPU and excludes alignment.
        params.use_gpu(false).flash_attn(false);
        if aligned {
            params.dtw_parameters(DtwParameters {
                mode: alignment_heads(id),
                dtw_mem_size: ALIGNMENT_BYTES,
            });
        }
        WhisperContext::new_with_params(path, params)
            .map(|context| Self { context })
            .map_err(|error| error.to_string())
    }

    /// A state of its own (about 170 MB for base) for one thread.
    pub(crate) fn recognizer(&self) -> Result<WhisperRecognizer, String> {
        let state = self.context.create_state().map_err(|error| error.to_string())?;
        Ok(WhisperRecognizer {
            state,
            end_of_text: self.context.token_eot(),
            times: StageTimes::default(),
        })
    }

    /// The tokens of a text, for a prompt.
    pub(crate) fn tokenize(&self, text: &str) -> Result<Vec<i32>, String> {
        // A token is at least one byte; whisper.cpp may start a word with one more.
        self.context
            .tokenize(text, text.len() + 8)
            .map_err(|error| error.to_string())
    }
}

/// The alignment heads that OpenAI published, by model id (`base-q8_0`, `large-v3-turbo`…).
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
        .find(|(name, _)| id.strip_prefix(name).is_some_and(|rest| !rest.starts_with('.')))
        .map_or(DtwMode::TopMost { n_top: 1 }, |(_, model_preset)| {
            DtwMode::ModelPreset { model_preset }
        })
}

/// One state of whisper.cpp.
pub(crate) struct WhisperRecognizer {
    state: WhisperState,
    end_of_text: i32,
    times: StageTimes,
}

/// When whisper.cpp came to which stage, written by its callbacks.
struct Watch<'a> {
    cancelled: &'a AtomicBool,
    begun: Instant,
    encoder: Option<Instant>,
    first_token: Option<Instant>,
    last_token: Option<Instant>,
}

impl<'a> Watch<'a> {
    fn new(cancelled: &'a AtomicBool) -> Self {
        Self { cancelled, begun: Instant::now(), encoder: None, first_token: None, last_token: None }
    }

    fn times(&self) -> StageTimes {
        let ended = Instant::now();
        let encoder = self.encoder.unwrap_or(ended);
        let first_token = self.first_token.unwrap_or(ended);
        let last_token = self.last_token.unwrap_or(ended);
        StageTimes {
            mel: encoder - self.begun,
            encoder: first_token - encoder,
            decoder: last_token - first_token,
            alignment: ended - last_token,
            ..StageTimes::default()
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
        let mut params = parameters(settings);
        params.set_audio_ctx(audio_context(samples.len()));
        let mut watch = Watch::new(cancelled);
        #[expect(
            unsafe_code,
            reason = "the safe setters of whisper-rs 0.16 leak their closures, and the one for aborting \
                      calls them through a pointer of the wrong type"
        )]
        // SAFETY: `watch` outlives the call of `full`, which alone uses the pointer, on
        // this thread only (one thread per state).
        unsafe {
            let data: *mut c_void = std::ptr::from_mut(&mut watch).cast();
            params.set_abort_callback(Some(is_cancelled));
            params.set_abort_callback_user_data(data);
            params.set_start_encoder_callback(Some(encoder_begins));
            params.set_start_encoder_callback_user_data(data);
            params.set_filter_logits_callback(Some(token_comes));
            params.set_filter_logits_callback_user_data(data);
        }
        let outcome = self.state.full(params, samples);
        self.times += watch.times();
        match outcome {
            Ok(()) => {}
            Err(_) if cancelled.load(Ordering::Acquire) => return Err(RecognitionError::Cancelled),
            Err(error) => return Err(failed(&error)),
        }
        if cancelled.load(Ordering::Acquire) {
            // An abort inside leaves half a result and reports success.
            return Err(RecognitionError::Cancelled);
        }
        self.tokens()
    }

    fn detect_language(&mut self, samples: &[f32], codes: &[&str]) -> Result<Vec<f32>, RecognitionError> {
        self.state.pcm_to_mel(samples, 1).map_err(|error| failed(&error))?;
        let (_, all) = self.state.lang_detect(0, 1).map_err(|error| failed(&error))?;
        Ok(codes
            .iter()
            .map(|code| {
                whisper_rs::get_lang_id(code)
                    .and_then(|id| all.get(usize::try_from(id).ok()?))
                    .copied()
                    .unwrap_or(0.0)
            })
            .collect())
    }
}

impl WhisperRecognizer {
    /// Time spent since it was last asked.
    pub(crate) fn take_times(&mut self) -> StageTimes {
        std::mem::take(&mut self.times)
    }

    fn tokens(&self) -> Result<Vec<Token>, RecognitionError> {
        let mut tokens = Vec::new();
        for segment in self.state.as_iter() {
            for place in 0..segment.n_tokens() {
                let Some(token) = segment.get_token(place) else { break };
                let data = token.token_data();
                if data.id >= self.end_of_text {
                    continue;
                }
                tokens.push(Token {
                    bytes: token.to_bytes().map_err(|error| failed(&error))?.to_vec(),
                    // whisper.cpp counts in hundredths of a second.
                    end: data.t_dtw.max(0) as f64 / 100.0,
                    probability: data.p,
                });
            }
        }
        Ok(tokens)
    }
}

fn parameters<'a>(settings: &'a Settings) -> FullParams<'a, 'a> {
    let strategy = if settings.beam > 1 {
        SamplingStrategy::BeamSearch { beam_size: settings.beam as i32, patience: -1.0 }
    } else {
        SamplingStrategy::Greedy { best_of: FALLBACK_SAMPLES }
    };
    let mut params = FullParams::new(strategy);
    params.set_n_threads(1);
    params.set_language(Some(&settings.language));
    params.set_translate(settings.translate);
    params.set_no_context(true);
    // One pass over the window: without this, whisper.cpp would encode what follows the
    // last time mark once more, and its alignment aborts the process on short rests.
    params.set_single_segment(true);
    params.set_print_special(false);
    params.set_print_progress(false);
    params.set_print_realtime(false);
    params.set_print_timestamps(false);
    params.set_suppress_blank(true);
    if !settings.prompt.is_empty() {
        params.set_tokens(&settings.prompt);
    }
    params
}

fn audio_context(samples: usize) -> i32 {
    let needed = samples.div_ceil(SAMPLE_RATE / POSITIONS_PER_SECOND) + MARGIN;
    needed.next_multiple_of(STEP).min(MAX_POSITIONS) as i32
}

/// The callbacks' data as what it is.
///
/// # Safety
/// `data` must point to the `Watch` of a call of `full` in progress.
#[expect(unsafe_code, reason = "a C callback gets its data as a pointer")]
unsafe fn watch<'a>(data: *mut c_void) -> &'a mut Watch<'a> {
    // SAFETY: by the contract above.
    unsafe { &mut *data.cast::<Watch<'a>>() }
}

#[expect(unsafe_code, reason = "a C callback")]
unsafe extern "C" fn is_cancelled(data: *mut c_void) -> bool {
    // SAFETY: set in `recognize` to a live `Watch`.
    let watch = unsafe { watch(data) };
    watch.cancelled.load(Ordering::Acquire)
}

#[expect(unsafe_code, reason = "a C callback")]
unsafe extern "C" fn encoder_begins(_: *mut whisper_context, _: *mut whisper_state, data: *mut c_void) -> bool {
    // SAFETY: set in `recognize` to a live `Watch`.
    let watch = unsafe { watch(data) };
    watch.encoder.get_or_insert_with(Instant::now);
    true
}

#[expect(unsafe_code, reason = "a C callback")]
unsafe extern "C" fn token_comes(
    _: *mut whisper_context,
    _: *mut whisper_state,
    _: *const whisper_token_data,
    _: c_int,
    _: *mut f32,
    data: *mut c_void,
) {
    // SAFETY: set in `recognize` to a live `Watch`.
    let watch = unsafe { watch(data) };
    let now = Instant::now();
    watch.first_token.get_or_insert(now);
    watch.last_token = Some(now);
}

fn failed(error: &WhisperError) -> RecognitionError {
    RecognitionError::Failed(error.to_string())
}
