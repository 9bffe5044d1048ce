//! NeMo's transducers (Parakeet-TDT, FastConformer) from their ONNX exports: audio in, tokens
//! with times out.
//!
//! A model is three files, as onnx-asr publishes them: the encoder, the decoder with its joint
//! network, and the vocabulary. [`Transducer::load`] checks that they fit together, and
//! [`Transducer::recognize`] turns up to 30 s of audio into tokens:
//!
//! 1. [`features`]: 80 or 128 log mel bands, every 10 ms, each normalised over the window;
//! 2. the encoder: one vector for every 80 ms;
//! 3. greedy decoding, of a transducer (RNN-T) or of one that also predicts durations (TDT).
//!
//! Every stage is compared with onnx-asr; see `tests/reference/make.py`.

mod decoding;
mod error;
pub mod features;
mod network;
mod quantized;
mod transducer;
mod vocabulary;

pub use decoding::Piece;
pub use error::{LoadError, RecognitionError};
pub use transducer::{Encoded, Files, Kind, Transducer};
pub use vocabulary::Vocabulary;

/// Samples per second of the audio.
pub const SAMPLE_RATE: usize = 16_000;

/// The longest audio for one call, in samples: 30 s. Memory grows with the square of the length.
pub const MAX_SAMPLES: usize = 30 * SAMPLE_RATE;

/// Seconds from one encoder frame to the next.
pub const FRAME_SECONDS: f64 = 0.08;
