//! Converts the published weights of the speaker models.

mod campplus;
mod onnx;
mod pyannet;
mod torch;

/// Why weights could not be converted.
#[derive(Debug, thiserror::Error)]
pub enum SpeakerConvertError {
    /// The file is not in PyTorch's format.
    #[error("the weights cannot be read: {0}")]
    Unreadable(String),
    /// A tensor is missing.
    #[error("the weights lack {0}")]
    Missing(String),
    /// A tensor has fewer numbers than the network needs.
    #[error("{name} has fewer than {wanted} numbers")]
    TooShort {
        /// Its name.
        name: String,
        /// Number of values that the network needs.
        wanted: usize,
    },
}

/// Makes the ONNX file of the speaker embedding CAM++ from PyTorch's weights. Equal weights give
/// equal bytes.
///
/// # Errors
/// When the file cannot be read or contains other tensors.
pub fn convert_embedding(file: &[u8]) -> Result<Vec<u8>, SpeakerConvertError> {
    campplus::convert(file)
}

/// Makes the ONNX file of the segmentation model from PyTorch's weights. Equal weights give equal
/// bytes.
///
/// # Errors
/// When the file cannot be read or contains other tensors.
pub fn convert_segmentation(file: &[u8]) -> Result<Vec<u8>, SpeakerConvertError> {
    pyannet::convert(file)
}
