//! Passages that the engine removed because nobody said them or they were not recognised, with
//! acoustic evidence. They are stored with the transcript and can be restored.

use serde::{Deserialize, Serialize};

wire_enum! {
    /// Why a passage was removed. The locale files have a text for each reason.
    RemovedReason {
        /// More words than fit into the voiced sound at this place.
        Silence => "silence",
        /// Noise or music without a voice, to which the model gave a low probability.
        LowProbability => "low_probability",
        /// A voice whose words the model did not recognise: it gave them a low probability.
        Unrecognised => "unrecognised",
        /// The same words repeated; the first occurrence stays in the text.
        Loop => "loop",
        /// A phrase that models write for noise, without the sound of anyone saying it.
        PhantomPhrase => "phantom_phrase",
        /// A note of a sound, as in subtitles: `[MUSIC]`, `♪`.
        SoundMark => "sound_mark",
    }
}

/// A passage that was removed from the text, with the evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Removed {
    /// Start in seconds.
    #[serde(serialize_with = "crate::seconds::thousandths")]
    pub start: f64,
    /// End in seconds, not before `start`.
    #[serde(serialize_with = "crate::seconds::thousandths")]
    pub end: f64,
    /// `SPEAKER_n` of the turn that it is in, if speakers were identified and it is speech that was
    /// not recognised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub speaker: Option<String>,
    /// The text that the model wrote.
    pub text: String,
    /// The reason.
    pub reason: RemovedReason,
    /// Share of its time in which the voice detector hears a voice, 0 to 1.
    #[serde(serialize_with = "crate::seconds::thousandths")]
    pub voiced: f64,
    /// Mean probability that the model assigned to its words, 0 to 1.
    #[serde(serialize_with = "crate::seconds::thousandths")]
    pub confidence: f64,
    /// Compression ratio of its text: original bytes divided by compressed bytes. Above 2.4 the
    /// text repeats itself.
    #[serde(serialize_with = "crate::seconds::thousandths")]
    pub compression: f64,
}

/// The id of the segment for a restored passage: a UUID of version 8 derived from the passage's
/// number, so that it cannot be restored twice.
#[must_use]
pub fn segment_id(number: u32) -> String {
    format!("{SEGMENT_PREFIX}{number:012x}")
}

/// The number of the removed passage that a segment was restored from, if any.
#[must_use]
pub fn number_of(segment_id: &str) -> Option<u32> {
    let digits = segment_id.strip_prefix(SEGMENT_PREFIX)?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    (self::segment_id(number) == segment_id).then_some(number)
}

/// The letters `remove` in ASCII, then the version and variant of the UUID.
const SEGMENT_PREFIX: &str = "72656d6f-7665-8000-8000-";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_id_encodes_the_passage_number() {
        for number in [0, 7, 4095, u32::MAX] {
            assert_eq!(number_of(&segment_id(number)), Some(number));
        }
        for other in [
            "0",
            "",
            "72656d6f-7665-8000-8000-",
            "72656d6f-7665-8000-8000-00000000000G",
            "72656d6f-7665-8000-8000-+00000000001",
            "72656d6f-7665-8000-8000-0000000000001",
            "72656d6f-7665-8000-8000-0fffffffffff",
            "11111111-7665-8000-8000-000000000001",
        ] {
            assert_eq!(number_of(other), None, "{other}");
        }
    }
}
