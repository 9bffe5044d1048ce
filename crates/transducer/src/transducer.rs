//! A loaded model, and recognition with it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use rten::{Value, ValueView};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, NdTensorView, Tensor};

use crate::MAX_SAMPLES;
use crate::decoding::{Decoder, Piece, decode};
use crate::error::{LoadError, RecognitionError};
use crate::features::{FeatureExtractor, Features};
use crate::network::Network;
use crate::vocabulary::Vocabulary;

/// Feature frames for one encoder frame.
const SUBSAMPLING: usize = 8;

/// Numbers of mel bands that NeMo's models use.
const BANDS: [usize; 2] = [80, 128];

/// The most values in a state of the decoder; Parakeet's has 1280.
const MAX_STATE: usize = 1 << 16;

/// The most values in an encoder frame; Parakeet's has 1024.
const MAX_WIDTH: usize = 1 << 14;

/// The most durations that a TDT predicts; Parakeet has 5.
const MAX_DURATIONS: usize = 16;

/// The files of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// `encoder-model.onnx` or `encoder-model.int8.onnx`.
    pub encoder: PathBuf,
    /// `decoder_joint-model.onnx`, in float32.
    pub decoder: PathBuf,
    /// `vocab.txt`.
    pub vocabulary: PathBuf,
}

/// What a model predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Tokens, frame by frame.
    RnnT,
    /// Tokens and their durations.
    Tdt,
}

/// A loaded model. Its methods can be called from several threads at the same time, each of which
/// uses one core.
pub struct Transducer {
    features: FeatureExtractor,
    encoder: Network,
    decoder: Network,
    vocabulary: Vocabulary,
    kind: Kind,
    width: usize,
    states: [[usize; 3]; 2],
}

/// What the encoder made of audio.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoded {
    /// Values by frame: `frames` times `width`.
    pub values: Vec<f32>,
    /// Frames that belong to the audio, one for every 80 ms.
    pub frames: usize,
    /// Values in each frame.
    pub width: usize,
}

impl Transducer {
    /// Loads a model and checks that its files fit together: the decoder is run once.
    ///
    /// # Errors
    /// When a file is missing, is damaged, or does not fit the others.
    pub fn load(files: &Files) -> Result<Self, LoadError> {
        let vocabulary = Vocabulary::load(&files.vocabulary)?;
        let encoder = Network::load(
            &files.encoder,
            &["audio_signal", "length"],
            &["outputs", "encoded_lengths"],
        )?;
        let decoder = Network::load(
            &files.decoder,
            &[
                "encoder_outputs",
                "targets",
                "target_length",
                "input_states_1",
                "input_states_2",
            ],
            &["outputs", "output_states_1", "output_states_2"],
        )?;
        let bands = encoder.fixed_size(0, 1).filter(|size| BANDS.contains(size));
        let bands = bands.ok_or_else(|| {
            LoadError::unusable(&files.encoder, "it does not take 80 or 128 mel bands")
        })?;
        let unusable = |reason: String| LoadError::unusable(&files.decoder, reason);
        let (width, states) = sizes(&decoder).map_err(unusable)?;
        let mut model = Self {
            features: FeatureExtractor::new(bands),
            encoder,
            decoder,
            vocabulary,
            kind: Kind::RnnT,
            width,
            states,
        };
        model.kind = model.probe().map_err(unusable)?;
        Ok(model)
    }

    /// What the model predicts.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The vocabulary.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The tokens of 16 kHz audio with values from -1 to 1. The encoder runs to its end even if
    /// `cancelled` is set meanwhile.
    ///
    /// # Errors
    /// When the audio is longer than 30 s, the network fails, or `cancelled` is set.
    pub fn recognize(
        &self,
        samples: &[f32],
        cancelled: &AtomicBool,
    ) -> Result<Vec<Piece>, RecognitionError> {
        let encoded = self.encode(&self.features(samples)?)?;
        if cancelled.load(Ordering::Acquire) {
            return Err(RecognitionError::Cancelled);
        }
        self.decode(&encoded, cancelled)
    }

    /// The first stage: features of audio.
    ///
    /// # Errors
    /// When the audio is longer than 30 s, or has samples that are no numbers.
    pub fn features(&self, samples: &[f32]) -> Result<Features, RecognitionError> {
        if samples.len() > MAX_SAMPLES {
            return Err(RecognitionError::TooLong {
                samples: samples.len(),
            });
        }
        if samples.iter().any(|sample| !sample.is_finite()) {
            let reason = "the audio has samples that are no numbers".to_owned();
            return Err(RecognitionError::Network(reason));
        }
        Ok(self.features.extract(samples))
    }

    /// The second stage: the encoder. Audio of less than two feature frames gives none.
    ///
    /// # Errors
    /// When the network fails or its result has an unexpected size.
    pub fn encode(&self, features: &Features) -> Result<Encoded, RecognitionError> {
        let width = self.width;
        let size = self.features.bands() * features.frames;
        if features.values.len() != size || features.valid > features.frames {
            let reason = "the features are not of this model".to_owned();
            return Err(RecognitionError::Network(reason));
        }
        if features.valid < 2 {
            return Ok(Encoded {
                values: Vec::new(),
                frames: 0,
                width,
            });
        }
        self.run_encoder(features)
            .map_err(RecognitionError::Network)
    }

    fn run_encoder(&self, features: &Features) -> Result<Encoded, String> {
        let shape = [1, self.features.bands(), features.frames];
        let signal = NdTensorView::from_data(shape, features.values.as_slice());
        let length = NdTensor::from_data([1], vec![features.valid as i32]);
        let results = self.encoder.run(vec![signal.into(), length.into()])?;
        let [outputs, lengths]: [Value; 2] = results
            .try_into()
            .map_err(|_| "the encoder gave too few results")?;
        let outputs = numbers::<3>(outputs, "outputs")?;
        let lengths: Tensor<i32> = lengths
            .try_into()
            .map_err(|_| "the encoder's lengths are not integers")?;
        let [batch, width, available] = outputs.shape();
        let frames = lengths.iter().next().copied().unwrap_or(-1);
        let frames = usize::try_from(frames).map_err(|_| "the encoder gave no length")?;
        let expected = features.valid.div_ceil(SUBSAMPLING);
        if batch != 1 || width != self.width || frames > available || frames.abs_diff(expected) > 1
        {
            return Err(format!(
                "the encoder gave {frames} of {available} frames with {width} values; \
                 about {expected} with {} were expected",
                self.width
            ));
        }
        let by_frame = outputs
            .slice((0, .., ..frames))
            .permuted([1_usize, 0])
            .to_vec();
        Ok(Encoded {
            values: by_frame,
            frames,
            width,
        })
    }

    /// The third stage: greedy decoding.
    ///
    /// # Errors
    /// When the network fails or `cancelled` is set.
    pub fn decode(
        &self,
        encoded: &Encoded,
        cancelled: &AtomicBool,
    ) -> Result<Vec<Piece>, RecognitionError> {
        let size = encoded.frames.saturating_mul(encoded.width);
        if encoded.width != self.width || encoded.values.len() < size {
            let reason = "the encoder's frames are not of this model".to_owned();
            return Err(RecognitionError::Network(reason));
        }
        let blank = self.vocabulary.blank();
        let mut decoder = Running::new(self, encoded);
        decode(
            &mut decoder,
            encoded.frames,
            self.vocabulary.len(),
            blank,
            cancelled,
        )
    }

    /// Runs the decoder once and finds out what it predicts.
    fn probe(&self) -> Result<Kind, String> {
        let silence = Encoded {
            values: vec![0.0; self.width],
            frames: 1,
            width: self.width,
        };
        let mut decoder = Running::new(self, &silence);
        let scores = decoder.scores(0)?.len();
        let tokens = self.vocabulary.len();
        match scores.checked_sub(tokens) {
            Some(0) => Ok(Kind::RnnT),
            Some(2..=MAX_DURATIONS) => Ok(Kind::Tdt),
            _ => Err(format!(
                "it gives {scores} scores, which does not fit a vocabulary of {tokens} tokens"
            )),
        }
    }
}

/// The values in an encoder frame, and the shapes of both states.
fn sizes(decoder: &Network) -> Result<(usize, [[usize; 3]; 2]), String> {
    let width = decoder.fixed_size(0, 1);
    let width = width.filter(|width| (1..=MAX_WIDTH).contains(width));
    let width = width.ok_or("the size of encoder_outputs is not fixed, or too large")?;
    let mut states = [[0; 3]; 2];
    for (place, state) in states.iter_mut().enumerate() {
        let sizes = decoder
            .fixed_size(3 + place, 0)
            .zip(decoder.fixed_size(3 + place, 2));
        let sizes =
            sizes.filter(|(layers, size)| (1..=MAX_STATE).contains(&layers.saturating_mul(*size)));
        let (layers, size) = sizes.ok_or("the size of a state is not fixed, or too large")?;
        *state = [layers, 1, size];
    }
    Ok((width, states))
}

/// The decoder over one recording.
struct Running<'a> {
    model: &'a Transducer,
    encoded: &'a Encoded,
    last: i32,
    states: [NdTensor<f32, 3>; 2],
    next_states: Option<[NdTensor<f32, 3>; 2]>,
    scores: Vec<f32>,
}

impl<'a> Running<'a> {
    fn new(model: &'a Transducer, encoded: &'a Encoded) -> Self {
        Self {
            model,
            encoded,
            last: model.vocabulary.blank() as i32,
            states: [
                NdTensor::zeros(model.states[0]),
                NdTensor::zeros(model.states[1]),
            ],
            next_states: None,
            scores: Vec::new(),
        }
    }
}

impl Decoder for Running<'_> {
    fn scores(&mut self, frame: usize) -> Result<&[f32], String> {
        let width = self.encoded.width;
        let frame = &self.encoded.values[frame * width..(frame + 1) * width];
        let inputs: Vec<ValueView> = vec![
            NdTensorView::from_data([1, width, 1], frame).into(),
            NdTensorView::from_data([1, 1], std::slice::from_ref(&self.last)).into(),
            NdTensorView::from_data([1], &[1_i32]).into(),
            self.states[0].view().into(),
            self.states[1].view().into(),
        ];
        let inputs = inputs.into_iter().map(Into::into).collect();
        let results = self.model.decoder.run(inputs)?;
        let [scores, first, second]: [Value; 3] = results
            .try_into()
            .map_err(|_| "the decoder gave too few results")?;
        let scores: Tensor<f32> = scores
            .try_into()
            .map_err(|_| "the decoder's scores are not numbers")?;
        let (first, second) = (
            numbers::<3>(first, "states")?,
            numbers::<3>(second, "states")?,
        );
        if [first.shape(), second.shape()] != self.model.states {
            return Err("the decoder's states changed their size".to_owned());
        }
        self.scores = scores.to_vec();
        self.next_states = Some([first, second]);
        Ok(&self.scores)
    }

    fn accept(&mut self, token: u32) {
        self.last = token as i32;
        if let Some(states) = self.next_states.take() {
            self.states = states;
        }
    }
}

fn numbers<const N: usize>(value: Value, name: &str) -> Result<NdTensor<f32, N>, String> {
    value
        .try_into()
        .map_err(|_| format!("{name} is not a tensor of {N} dimensions with numbers"))
}
