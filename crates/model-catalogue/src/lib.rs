//! The known models, the properties of their files, their memory and time needs, and the models
//! folder with its records. No network.

mod catalogue;
mod choice;
mod fit;
mod measurements;
mod origin;
mod quality;
mod recommend;
mod shape;
mod store;
mod transducers;
mod word_errors;

pub use catalogue::{
    Checksum, DEFAULT_FULL, DEFAULT_LITE, HUB, Kind, MODELS, Model, SENTENCES, SPEAKER_EMBEDDING,
    SPEAKER_SEGMENTATION, VOICE_ACTIVITY, file_name, find,
};
pub use choice::Choice;
pub use fit::{Fit, MachineResources};
pub use measurements::{Measurement, Measurements};
pub use origin::{AcquisitionMethod, Origin};
pub use quality::{larger, speech_models};
pub use recommend::{Basis, Candidate, Improvement, improvement, rate_of, recommend};
pub use shape::{AUDIO_CONTEXT, FREQUENCY_BINS, Precision, Shape, Storage, TEXT_CONTEXT, Tensor};
pub use store::{
    Digests, Record, State, StoreError, default_dir, install, lock_path, record, remove, state,
    verify,
};
pub use transducers::{
    TRANSDUCERS, Transducer, TransducerFile, find_transducer, quality_of, whisper_of,
};
pub use word_errors::{plain, word_errors};
