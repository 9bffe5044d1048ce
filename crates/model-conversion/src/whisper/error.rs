//! Why a conversion failed.

use std::io;

use slovo_model_catalogue::Precision;

/// Why a conversion failed. The output must then be discarded.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The input does not match its checksum or is not this model.
    #[error("the model to be converted is malformed: {0}")]
    Malformed(String),
    /// The input could not be read.
    #[error("the model to be converted could not be read: {0}")]
    Reading(#[source] io::Error),
    /// The output could not be written.
    #[error("the converted model could not be written: {0}")]
    Writing(#[source] io::Error),
    /// Only 16-bit and 8-bit files can be written here.
    #[error("no conversion to {0:?}")]
    Precision(Precision),
}

impl ConvertError {
    pub(super) const fn malformed(what: String) -> Self {
        Self::Malformed(what)
    }

    pub(super) fn reading(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            Self::Malformed("the file ends too early".to_owned())
        } else {
            Self::Reading(error)
        }
    }

    pub(super) const fn writing(error: io::Error) -> Self {
        Self::Writing(error)
    }
}
