//! Outputs requested by the settings.

use super::TranscriptionSettings;
use crate::plan::{PlanFeature, export_needs};

wire_enum! {
    /// A file that is created and stored when a text is completed.
    MadeFile {
        /// Plain text in paragraphs.
        Txt => "txt",
        /// SubRip subtitles.
        Srt => "srt",
    }
}

impl MadeFile {
    /// The plan feature it requires: the same as for an export in this format.
    #[must_use]
    pub fn plan_needs(self) -> Option<PlanFeature> {
        export_needs(self.as_str())
    }
}

impl TranscriptionSettings {
    /// Whether diarization is requested, by turn or by sentence.
    #[must_use]
    pub const fn wants_speakers(&self) -> bool {
        self.diarization || self.sentence_diarization
    }

    /// The files to be made on completion.
    #[must_use]
    pub fn made_files(&self) -> Vec<MadeFile> {
        let files = [
            (MadeFile::Txt, self.return_as_file),
            (MadeFile::Srt, self.srt),
        ];
        let requested = files.into_iter().filter(|(_, requested)| *requested);
        requested.map(|(file, _)| file).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::setting;
    use super::*;

    #[test]
    fn either_switch_requests_speakers() {
        for (diarization, sentence_diarization) in
            [(false, false), (true, false), (false, true), (true, true)]
        {
            let settings = TranscriptionSettings {
                diarization,
                sentence_diarization,
                ..TranscriptionSettings::default()
            };
            let expected = diarization || sentence_diarization;
            assert_eq!(settings.wants_speakers(), expected);
        }
        // The number alone does not request diarization.
        let counted = TranscriptionSettings {
            speakers: "2".to_owned(),
            ..TranscriptionSettings::default()
        };
        assert!(!counted.wants_speakers());
    }

    /// The plan's rule for a stored file equals that for an export of its format.
    #[test]
    fn a_stored_file_needs_the_same_plan_as_its_export() {
        for (name, file) in [("return_as_file", MadeFile::Txt), ("srt", MadeFile::Srt)] {
            let needs = setting(name).and_then(|setting| setting.plan);
            assert_eq!(needs, file.plan_needs(), "{name}");
        }
    }

    #[test]
    fn each_switch_produces_its_file() {
        let files = |return_as_file, srt| {
            TranscriptionSettings {
                return_as_file,
                srt,
                ..TranscriptionSettings::default()
            }
            .made_files()
        };
        assert_eq!(files(false, false), []);
        assert_eq!(files(true, false), [MadeFile::Txt]);
        assert_eq!(files(false, true), [MadeFile::Srt]);
        assert_eq!(files(true, true), [MadeFile::Txt, MadeFile::Srt]);
    }
}
