//! Transducers: models of NVIDIA's NeMo that recognise speech in some languages, beside a Whisper
//! model for all others. Each is a folder of three files in the models folder, named by its id.
//!
//! `slovo models` does not fetch them; `docs/transducers.md` says how to put them into the folder.

use crate::catalogue::DEFAULT_FULL;

/// A transducer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transducer {
    /// Id, which is also the name of its folder.
    pub id: &'static str,
    /// Licence of the weights.
    pub licence: &'static str,
    /// Codes of the languages that it recognises, without those that Slovo does not offer.
    pub languages: &'static [&'static str],
    /// The encoder, the decoder with its joint network, and the vocabulary.
    pub files: [TransducerFile; 3],
    /// Word error rate as its authors published it. It was not measured with Slovo.
    pub published: &'static str,
}

/// A file of a transducer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransducerFile {
    /// Name in the folder.
    pub name: &'static str,
    /// Length in bytes, if there is one published file.
    pub bytes: Option<u64>,
    /// Its SHA-256, as others published it: the file could not be fetched to compute it here.
    pub sha256: Option<&'static str>,
}

impl TransducerFile {
    const fn published(name: &'static str, bytes: u64, sha256: &'static str) -> Self {
        Self {
            name,
            bytes: Some(bytes),
            sha256: Some(sha256),
        }
    }

    /// A file that everybody exports anew.
    const fn exported(name: &'static str) -> Self {
        Self {
            name,
            bytes: None,
            sha256: None,
        }
    }
}

/// All transducers.
pub const TRANSDUCERS: &[Transducer] = &[
    // https://huggingface.co/istupakov/parakeet-tdt-0.6b-v3-onnx, revision 8f23f0c03c87.
    Transducer {
        id: "parakeet-tdt-0.6b-v3",
        licence: "CC-BY-4.0",
        languages: &[
            "uk", "ru", "en", "de", "es", "fr", "it", "pl", "pt", "nl", "cs", "hu", "fi", "el",
            "da",
        ],
        files: [
            TransducerFile::published(
                "encoder-model.int8.onnx",
                652_183_999,
                "6139d2fa7e1b086097b277c7149725edbab89cc7c7ae64b23c741be4055aff09",
            ),
            TransducerFile::published(
                "decoder_joint-model.onnx",
                72_520_893,
                "e978ddf6688527182c10fde2eb4b83068421648985ef23f7a86be732be8706c1",
            ),
            TransducerFile::published(
                "vocab.txt",
                93_939,
                "d58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d",
            ),
        ],
        published: "7.2 % on FLEURS, Ukrainian",
    },
    // https://huggingface.co/theodotus/stt_ua_fastconformer_hybrid_large_pc, to be exported.
    Transducer {
        id: "stt_ua_fastconformer_hybrid_large_pc",
        licence: "MIT",
        languages: &["uk"],
        files: [
            TransducerFile::exported("encoder-model.onnx"),
            TransducerFile::exported("decoder_joint-model.onnx"),
            TransducerFile::exported("vocab.txt"),
        ],
        published: "7.1 % on Common Voice 10, Ukrainian",
    },
];

/// The transducer with this id.
#[must_use]
pub fn find_transducer(id: &str) -> Option<&'static Transducer> {
    TRANSDUCERS.iter().find(|model| model.id == id)
}

/// The Whisper model that a model needs: itself, or for a transducer the default one of Full, which
/// serves what the transducer cannot do.
#[must_use]
pub fn whisper_of(id: &str) -> &str {
    if find_transducer(id).is_some() {
        DEFAULT_FULL
    } else {
        id
    }
}

#[cfg(test)]
mod tests {
    use slovo_rules::language::LANGUAGES;

    use super::*;
    use crate::catalogue::find;

    #[test]
    fn ids_are_those_of_no_other_model_and_languages_are_offered() {
        for model in TRANSDUCERS {
            assert!(find(model.id).is_none());
            assert_eq!(find_transducer(model.id), Some(model));
            assert_eq!(whisper_of(model.id), DEFAULT_FULL);
            assert!(model.languages.contains(&"uk"));
            for language in model.languages {
                assert!(LANGUAGES.contains(language), "{language}");
            }
            for file in model.files {
                assert_eq!(file.sha256.is_some(), file.bytes.is_some());
                if let Some(sum) = file.sha256 {
                    assert_eq!(sum.len(), 64);
                    assert!(sum.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')));
                }
            }
        }
    }
}
