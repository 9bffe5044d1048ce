//! The models that Slovo knows, and the checksums of their files.
//!
//! Checksums have two sources only: SHA-1 from the table that the whisper.cpp project publishes in
//! its model repository, and SHA-256 of the files that `cargo xtask models` makes.

use slovo_rules::settings::TranscriptionType;

use super::shape::{ENGLISH_EXTRA, Precision, Shape};

/// Id of the default model for Full.
pub const DEFAULT_FULL: &str = "base-q8_0";
/// Id of the default model for Lite.
pub const DEFAULT_LITE: &str = "tiny.en-q8_0";
/// Id of the voice activity model, used by both modes.
pub const VOICE_ACTIVITY: &str = "silero-v6.2.0";
/// Id of the speaker segmentation model, which finds voices in ten seconds of audio.
pub const SPEAKER_SEGMENTATION: &str = "segmentation-3.0";
/// Id of the speaker embedding model, which distinguishes voices.
pub const SPEAKER_EMBEDDING: &str = "campplus-zh-en";
/// Id of the sentence embedding model, required for analysis without an endpoint.
pub const SENTENCES: &str = "e5-small-q4";
/// The default hub from which models are downloaded.
pub const HUB: &str = "https://huggingface.co";
/// Repository of the speech models in the hub.
const REPOSITORY: &str = "ggerganov/whisper.cpp";

/// What a model does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Recognises speech.
    Speech {
        /// The dimensions of the network.
        shape: Shape,
        /// The format of its weights.
        precision: Precision,
    },
    /// Detects speech.
    VoiceActivity,
    /// Finds up to three voices in ten seconds of audio.
    SpeakerSegmentation,
    /// Computes an embedding vector of a voice.
    SpeakerEmbedding,
    /// Computes embedding vectors of sentences.
    Sentences,
}

/// A checksum of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checksum {
    /// As published by the whisper.cpp project.
    Sha1(&'static str),
    /// Pinned here.
    Sha256(&'static str),
}

/// One model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Id, as in the file name: `ggml-<id>.bin`.
    pub id: &'static str,
    /// Its purpose.
    pub kind: Kind,
    /// Repository in the hub; `None` if the file is not published.
    pub hub_repository: Option<&'static str>,
    /// Checksum of the published file, or of the file that `cargo xtask models` makes if none is
    /// published.
    pub published: Checksum,
    /// SHA-256 of the file that `cargo xtask models` makes, if it can make this model. The weights
    /// equal those of the published file; the bytes may differ.
    pub converted: Option<&'static str>,
}

/// Name of a model's file in the models folder.
#[must_use]
pub fn file_name(id: &str) -> String {
    format!("ggml-{id}.bin")
}

impl Model {
    /// Name of the file in the models folder and in the repository.
    #[must_use]
    pub fn file_name(&self) -> String {
        match self.kind {
            Kind::SpeakerSegmentation | Kind::SpeakerEmbedding => format!("{}.onnx", self.id),
            _ => file_name(self.id),
        }
    }

    /// Path of the file in the hub.
    #[must_use]
    pub fn hub_path(&self) -> String {
        match self.kind {
            Kind::SpeakerSegmentation => "onnx/model.onnx".to_owned(),
            _ => self.file_name(),
        }
    }

    /// Size of the published file in bytes. For `small.en-tdrz`, whose exact size is not published,
    /// the size of the model it was made from.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match self.kind {
            Kind::Speech { shape, precision } => {
                let extra = if shape.multilingual() {
                    0
                } else {
                    ENGLISH_EXTRA
                };
                shape.file_bytes(precision) + extra
            }
            Kind::VoiceActivity => 885_098,
            Kind::SpeakerSegmentation => 5_986_908,
            Kind::SpeakerEmbedding => 27_411_241,
            Kind::Sentences => 71_622_400,
        }
    }

    /// Whether it can be used for this mode: Full needs a multilingual model, Lite any speech
    /// recognition model.
    #[must_use]
    pub const fn serves(&self, mode: TranscriptionType) -> bool {
        match (self.kind, mode) {
            (Kind::Speech { shape, .. }, TranscriptionType::Full) => shape.multilingual(),
            (Kind::Speech { .. }, TranscriptionType::Lite) => true,
            _ => false,
        }
    }

    /// Whether its encoder may see less than 30 s; see [`Shape::allows_short_context`].
    #[must_use]
    pub fn allows_short_context(&self) -> bool {
        match self.kind {
            Kind::Speech { shape, .. } => shape.allows_short_context(),
            _ => false,
        }
    }

    /// The licence of the weights: MIT for those of OpenAI, tinydiarize, Silero, pyannote and E5,
    /// Apache-2.0 for those of 3D-Speaker.
    #[must_use]
    pub const fn licence(&self) -> &'static str {
        match self.kind {
            Kind::SpeakerEmbedding => "Apache-2.0",
            _ => "MIT",
        }
    }

    /// All valid checksums of the file.
    pub fn checksums(&self) -> impl Iterator<Item = Checksum> {
        let converted = self.converted.map(Checksum::Sha256);
        std::iter::once(self.published).chain(converted)
    }

    const fn speech(
        id: &'static str,
        shape: Shape,
        precision: Precision,
        sha1: &'static str,
    ) -> Self {
        Self {
            id,
            kind: Kind::Speech { shape, precision },
            hub_repository: Some(REPOSITORY),
            published: Checksum::Sha1(sha1),
            converted: None,
        }
    }

    const fn or_converted(self, sha256: &'static str) -> Self {
        Self {
            converted: Some(sha256),
            ..self
        }
    }

    const fn at(self, repository: &'static str) -> Self {
        Self {
            hub_repository: Some(repository),
            ..self
        }
    }
}

/// The model with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.id == id)
}

const BASE_SHA256: &str = "7b1aacf11fd3401eb660909662f652fe02ef08d0c4aec52255b4a41a8e9c85bf";
const TINY_EN_SHA256: &str = "c4a5a739651dd550652655f82ad0b95b72cc9ebf2156d2ffd5efb8157f70b7cb";
const SILERO_SHA256: &str = "2aa269b785eeb53a82983a20501ddf7c1d9c48e33ab63a41391ac6c9f7fb6987";
const SEGMENTATION_SHA256: &str =
    "9361d7317a0cb6a69bb5d88e2cda9950970d3b2e09e5baadc250103fbf8b423c";
const CAMPPLUS_SHA256: &str = "3eef3884ace47911a8cd7bdaf78d03c9980d02a3cbbdabc2d2ca5877a4d822ac";
const SENTENCES_SHA256: &str = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f";

use Precision::{F16, Q5_0, Q5_1, Q8_0};

const fn speech(id: &'static str, shape: Shape, precision: Precision, sha1: &'static str) -> Model {
    Model::speech(id, shape, precision, sha1)
}

/// All models, in order of size.
#[rustfmt::skip]
pub const MODELS: &[Model] = &[
    speech("tiny", Shape::TINY, F16, "bd577a113a864445d4c299885e0cb97d4ba92b5f"),
    speech("tiny-q5_1", Shape::TINY, Q5_1, "2827a03e495b1ed3048ef28a6a4620537db4ee51"),
    speech("tiny-q8_0", Shape::TINY, Q8_0, "19e8118f6652a650569f5a949d962154e01571d9"),
    speech("tiny.en", Shape::TINY_EN, F16, "c78c86eb1a8faa21b369bcd33207cc90d64ae9df"),
    speech("tiny.en-q5_1", Shape::TINY_EN, Q5_1, "3fb92ec865cbbc769f08137f22470d6b66e071b6"),
    speech("tiny.en-q8_0", Shape::TINY_EN, Q8_0, "802d6668e7d411123e672abe4cb6c18f12306abb").or_converted(TINY_EN_SHA256),
    speech("base", Shape::BASE, F16, "465707469ff3a37a2b9b8d8f89f2f99de7299dac"),
    speech("base-q5_1", Shape::BASE, Q5_1, "a3733eda680ef76256db5fc5dd9de8629e62c5e7"),
    speech("base-q8_0", Shape::BASE, Q8_0, "7bb89bb49ed6955013b166f1b6a6c04584a20fbe").or_converted(BASE_SHA256),
    speech("base.en", Shape::BASE_EN, F16, "137c40403d78fd54d454da0f9bd998f78703390c"),
    speech("base.en-q5_1", Shape::BASE_EN, Q5_1, "d26d7ce5a1b6e57bea5d0431b9c20ae49423c94a"),
    speech("base.en-q8_0", Shape::BASE_EN, Q8_0, "bb1574182e9b924452bf0cd1510ac034d323e948"),
    speech("small", Shape::SMALL, F16, "55356645c2b361a969dfd0ef2c5a50d530afd8d5"),
    speech("small-q5_1", Shape::SMALL, Q5_1, "6fe57ddcfdd1c6b07cdcc73aaf620810ce5fc771"),
    speech("small-q8_0", Shape::SMALL, Q8_0, "bcad8a2083f4e53d648d586b7dbc0cd673d8afad"),
    speech("small.en", Shape::SMALL_EN, F16, "db8a495a91d927739e50b3fc1cc4c6b8f6c2d022"),
    speech("small.en-q5_1", Shape::SMALL_EN, Q5_1, "20f54878d608f94e4a8ee3ae56016571d47cba34"),
    speech("small.en-q8_0", Shape::SMALL_EN, Q8_0, "9d75ff4ccfa0a8217870d7405cf8cef0a5579852"),
    speech("small.en-tdrz", Shape::SMALL_EN, F16, "b6c6e7e89af1a35c08e6de56b66ca6a02a2fdfa1").at("akashmjn/tinydiarize-whisper.cpp"),
    speech("medium", Shape::MEDIUM, F16, "fd9727b6e1217c2f614f9b698455c4ffd82463b4"),
    speech("medium-q5_0", Shape::MEDIUM, Q5_0, "7718d4c1ec62ca96998f058114db98236937490e"),
    speech("medium-q8_0", Shape::MEDIUM, Q8_0, "e66645948aff4bebbec71b3485c576f3d63af5d6"),
    speech("medium.en", Shape::MEDIUM_EN, F16, "8c30f0e44ce9560643ebd10bbe50cd20eafd3723"),
    speech("medium.en-q5_0", Shape::MEDIUM_EN, Q5_0, "bb3b5281bddd61605d6fc76bc5b92d8f20284c3b"),
    speech("medium.en-q8_0", Shape::MEDIUM_EN, Q8_0, "b1cf48c12c807e14881f634fb7b6c6ca867f6b38"),
    speech("large-v1", Shape::LARGE, F16, "b1caaf735c4cc1429223d5a74f0f4d0b9b59a299"),
    speech("large-v2", Shape::LARGE, F16, "0f4c8e34f21cf1a914c59d8b3ce882345ad349d6"),
    speech("large-v2-q5_0", Shape::LARGE, Q5_0, "00e39f2196344e901b3a2bd5814807a769bd1630"),
    speech("large-v2-q8_0", Shape::LARGE, Q8_0, "da97d6ca8f8ffbeeb5fd147f79010eeea194ba38"),
    speech("large-v3", Shape::LARGE_V3, F16, "ad82bf6a9043ceed055076d0fd39f5f186ff8062"),
    speech("large-v3-q5_0", Shape::LARGE_V3, Q5_0, "e6e2ed78495d403bef4b7cff42ef4aaadcfea8de"),
    speech("large-v3-turbo", Shape::LARGE_V3_TURBO, F16, "4af2b29d7ec73d781377bfd1758ca957a807e941"),
    speech("large-v3-turbo-q5_0", Shape::LARGE_V3_TURBO, Q5_0, "e050f7970618a659205450ad97eb95a18d69c9ee"),
    speech("large-v3-turbo-q8_0", Shape::LARGE_V3_TURBO, Q8_0, "01bf15bedffe9f39d65c1b6ff9b687ea91f59e0e"),
    Model {
        id: VOICE_ACTIVITY,
        kind: Kind::VoiceActivity,
        hub_repository: Some("ggml-org/whisper-vad"),
        published: Checksum::Sha256(SILERO_SHA256),
        converted: Some(SILERO_SHA256),
    },
    Model {
        id: SPEAKER_SEGMENTATION,
        kind: Kind::SpeakerSegmentation,
        hub_repository: Some("onnx-community/pyannote-segmentation-3.0"),
        published: Checksum::Sha256("057ee564753071c0b09b5b611648b50ac188d50846bff5f01e9f7bbf1591ea25"),
        converted: Some(SEGMENTATION_SHA256),
    },
    Model {
        id: SPEAKER_EMBEDDING,
        kind: Kind::SpeakerEmbedding,
        hub_repository: None,
        published: Checksum::Sha256(CAMPPLUS_SHA256),
        converted: Some(CAMPPLUS_SHA256),
    },
    Model {
        id: SENTENCES,
        kind: Kind::Sentences,
        hub_repository: None,
        published: Checksum::Sha256(SENTENCES_SHA256),
        converted: Some(SENTENCES_SHA256),
    },
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_id_and_checksum_is_unique_and_well_formed() {
        let ids: HashSet<&str> = MODELS.iter().map(|model| model.id).collect();
        assert_eq!(ids.len(), MODELS.len());
        assert_eq!(MODELS.len(), 38);
        let sums: Vec<&str> = MODELS
            .iter()
            .flat_map(|model| match model.published {
                Checksum::Sha1(sum) => {
                    assert_eq!(sum.len(), 40, "{}", model.id);
                    vec![sum]
                }
                Checksum::Sha256(sum) => {
                    assert_eq!(sum.len(), 64, "{}", model.id);
                    vec![sum]
                }
            })
            .collect();
        assert_eq!(sums.iter().collect::<HashSet<_>>().len(), sums.len());
        for sum in sums {
            assert!(
                sum.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')),
                "{sum}"
            );
        }
    }

    /// The "Disk" column of the table published by the whisper.cpp project, in MiB.
    #[test]
    fn sizes_agree_with_the_published_table() {
        for (id, mib) in [
            ("tiny", 75),
            ("tiny-q5_1", 31),
            ("tiny-q8_0", 42),
            ("tiny.en-q5_1", 31),
            ("tiny.en-q8_0", 42),
            ("base", 142),
            ("base-q5_1", 57),
            ("base-q8_0", 78),
            ("base.en", 142),
            ("base.en-q5_1", 57),
            ("small", 466),
            ("small-q5_1", 181),
            ("small-q8_0", 252),
            ("small.en-tdrz", 465),
            ("medium-q5_0", 514),
            ("medium-q8_0", 785),
            ("medium.en-q5_0", 514),
            ("medium.en-q8_0", 785),
            ("large-v3-turbo-q5_0", 547),
            ("large-v3-turbo-q8_0", 834),
        ] {
            let bytes = find(id).unwrap().bytes();
            assert!(bytes.div_ceil(1 << 20).abs_diff(mib) <= 1, "{id}: {bytes}");
        }
    }

    #[test]
    fn the_default_models_exist_and_serve_their_modes() {
        assert!(find(DEFAULT_FULL).unwrap().serves(TranscriptionType::Full));
        assert!(find(DEFAULT_LITE).unwrap().serves(TranscriptionType::Lite));
        assert!(!find(DEFAULT_LITE).unwrap().serves(TranscriptionType::Full));
        assert!(
            !find(VOICE_ACTIVITY)
                .unwrap()
                .serves(TranscriptionType::Lite)
        );
        assert!(!find(SENTENCES).unwrap().serves(TranscriptionType::Full));
        for id in [
            DEFAULT_FULL,
            DEFAULT_LITE,
            VOICE_ACTIVITY,
            SPEAKER_SEGMENTATION,
            SPEAKER_EMBEDDING,
            SENTENCES,
        ] {
            assert!(find(id).unwrap().converted.is_some(), "{id}");
        }
        for model in MODELS {
            assert!(model.hub_repository.is_some() || model.converted.is_some());
        }
    }
}
