//! The models that tell speakers apart: conversion of their published weights.

mod campplus;
mod onnx;
mod pyannet;
mod torch;

/// Why weights could not be converted.
#[derive(Debug, thiserror::Error)]
pub enum SpeakerConvertError {
    /// The file is not what PyTorch writes.
    #[error("the weights cannot be read: {0}")]
    Unreadable(String),
    /// A tensor is not there.
    #[error("the weights have no {0}")]
    Missing(String),
    /// A tensor has fewer numbers than the network needs.
    #[error("{name} has fewer than {wanted} numbers")]
    TooShort {
        /// Its name.
        name: String,
        /// Numbers that the network needs.
        wanted: usize,
    },
}

/// Makes the ONNX file of the speaker embedding CAM++ from the weights that PyTorch
/// wrote. Equal weights make equal bytes.
///
/// # Errors
/// When the file cannot be read or holds other tensors.
pub fn convert_embedding(file: &[u8]) -> Result<Vec<u8>, SpeakerConvertError> {
    campplus::convert(file)
}

/// Makes the ONNX file of the segmentation model from the weights that PyTorch wrote.
/// Equal weights make equal bytes.
///
/// # Errors
/// When the file cannot be read or holds other tensors.
pub fn convert_segmentation(file: &[u8]) -> Result<Vec<u8>, SpeakerConvertError> {
    pyannet::convert(file)
}
