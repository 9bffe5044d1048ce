//! Why a file cannot be used as a template.

use slovo_rules::codes::ProblemCode;

/// The reason why a file cannot be used as a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateRejection {
    /// It is not a zip file, or does not contain a Word document.
    #[error("it is not a Word document (.docx)")]
    NotWord,
    /// The file is too large.
    #[error("it is larger than 2 MB")]
    TooLarge,
    /// Its contents are too large or too complex.
    #[error("it unpacks to more than 20 MB or 200 parts, or is too complex")]
    TooMuch,
    /// It is encrypted.
    #[error("it is encrypted")]
    Encrypted,
    /// It contains active content.
    #[error("it has macros, controls or embedded objects")]
    Active,
    /// It loads external content when it is opened.
    #[error("it loads something from outside the file")]
    External,
    /// Its XML has a document type declaration or entities.
    #[error("its XML has a document type declaration")]
    Declares,
    /// Its zip or its XML cannot be read.
    #[error("it is damaged")]
    Broken,
    /// A part has a name that leads outside the file.
    #[error("a part of it has a name that is not allowed")]
    Path,
}

impl TemplateRejection {
    /// All reasons.
    pub const ALL: [Self; 9] = [
        Self::NotWord,
        Self::TooLarge,
        Self::TooMuch,
        Self::Encrypted,
        Self::Active,
        Self::External,
        Self::Declares,
        Self::Broken,
        Self::Path,
    ];

    /// The code of its problem.
    #[must_use]
    pub const fn code(self) -> ProblemCode {
        match self {
            Self::NotWord => ProblemCode::DocxTemplateNotWord,
            Self::TooLarge => ProblemCode::DocxTemplateTooLarge,
            Self::TooMuch => ProblemCode::DocxTemplateTooMuch,
            Self::Encrypted => ProblemCode::DocxTemplateEncrypted,
            Self::Active => ProblemCode::DocxTemplateActive,
            Self::External => ProblemCode::DocxTemplateExternal,
            Self::Declares => ProblemCode::DocxTemplateDeclares,
            Self::Broken => ProblemCode::DocxTemplateBroken,
            Self::Path => ProblemCode::DocxTemplatePath,
        }
    }
}
