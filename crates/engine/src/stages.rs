//! Time spent per stage of a transcription.

use std::ops::AddAssign;
use std::time::Duration;

/// Time spent per stage, summed over all threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Reading, decoding and resampling the file.
    pub media: Duration,
    /// Voice activity detection.
    pub vad: Duration,
    /// The spectrogram.
    pub mel: Duration,
    /// The encoder, including the decoder's processing of the prompt.
    pub encoder: Duration,
    /// The decoder.
    pub decoder: Duration,
    /// Aligning the words with the audio.
    pub alignment: Duration,
}

impl StageTimes {
    /// The sum of all stages.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.media + self.vad + self.mel + self.encoder + self.decoder + self.alignment
    }
}

impl AddAssign for StageTimes {
    fn add_assign(&mut self, other: Self) {
        self.media += other.media;
        self.vad += other.vad;
        self.mel += other.mel;
        self.encoder += other.encoder;
        self.decoder += other.decoder;
        self.alignment += other.alignment;
    }
}
