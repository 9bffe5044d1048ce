//! Why a file cannot be used as a template.

/// The reason why a file cannot be used as a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
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

impl Refusal {
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

    /// Its stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotWord => "docx_template_not_word",
            Self::TooLarge => "docx_template_too_large",
            Self::TooMuch => "docx_template_too_much",
            Self::Encrypted => "docx_template_encrypted",
            Self::Active => "docx_template_active",
            Self::External => "docx_template_external",
            Self::Declares => "docx_template_declares",
            Self::Broken => "docx_template_broken",
            Self::Path => "docx_template_path",
        }
    }
}
