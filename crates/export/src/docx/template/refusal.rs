//! Why a file is no template.

/// What is wrong with a file that is to be a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is no zip, or no Word document is in it.
    #[error("it is not a Word document (.docx)")]
    NotWord,
    /// Its own size.
    #[error("it is larger than 2 MB")]
    TooLarge,
    /// What is packed in it.
    #[error("it unpacks to more than 20 MB or 200 parts, or is too complex")]
    TooMuch,
    /// It has a password.
    #[error("it is encrypted")]
    Encrypted,
    /// It could do something when it is opened.
    #[error("it has macros, controls or embedded objects")]
    Active,
    /// It would load something from elsewhere when it is opened.
    #[error("it loads something from outside the file")]
    External,
    /// Its XML declares a document type or entities.
    #[error("its XML has a document type declaration")]
    Declares,
    /// Its zip or its XML cannot be read.
    #[error("it is damaged")]
    Broken,
    /// A part has a name that leads out of the file.
    #[error("a part of it has a name that is not allowed")]
    Path,
}

impl Refusal {
    /// All of them.
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
