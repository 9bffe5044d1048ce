//! Problems for errors of transcripts, their links and their files.

use axum::http::StatusCode;
use slovo_export::TemplateRejection;
use slovo_rules::codes::ProblemCode;
use slovo_transcripts::edits::EditError;
use slovo_transcripts::exports::templates::TemplateError;
use slovo_transcripts::shares::VisitError;

use crate::http::Problem;

impl From<VisitError> for Problem {
    fn from(error: VisitError) -> Self {
        match error {
            VisitError::NotFound => Self::not_found(),
            VisitError::PasswordRequired => {
                Self::new(StatusCode::FORBIDDEN, ProblemCode::SharePasswordRequired)
            }
            VisitError::Storage(error) => error.into(),
            VisitError::Internal(error) => error.into(),
        }
    }
}

impl From<TemplateError> for Problem {
    fn from(error: TemplateError) -> Self {
        match error {
            TemplateError::Missing => {
                Self::new(StatusCode::CONFLICT, ProblemCode::DocxTemplateMissing)
            }
            TemplateError::Refused(refusal) => template_refused(refusal),
            TemplateError::Storage(error) => error.into(),
            TemplateError::Internal(error) => error.into(),
        }
    }
}

/// The problem for a file that cannot be used as a template.
pub fn template_refused(refusal: TemplateRejection) -> Problem {
    let status = match refusal {
        TemplateRejection::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        TemplateRejection::NotWord
        | TemplateRejection::TooMuch
        | TemplateRejection::Encrypted
        | TemplateRejection::Active
        | TemplateRejection::External
        | TemplateRejection::Declares
        | TemplateRejection::Broken
        | TemplateRejection::Path => StatusCode::UNPROCESSABLE_ENTITY,
    };
    Problem::new(status, refusal.code())
}

impl From<EditError> for Problem {
    fn from(error: EditError) -> Self {
        match error {
            EditError::NotReady => Self::new(StatusCode::CONFLICT, ProblemCode::TranscriptNotReady),
            EditError::Conflict(conflicts) => {
                Self::new(StatusCode::CONFLICT, ProblemCode::EditConflict).conflicts(conflicts)
            }
            EditError::TooDeep => Self::new(StatusCode::CONFLICT, ProblemCode::SplitTooDeep),
            EditError::NothingToUndo => Self::new(StatusCode::CONFLICT, ProblemCode::NothingToUndo),
            EditError::NothingToRedo => Self::new(StatusCode::CONFLICT, ProblemCode::NothingToRedo),
            EditError::Invalid(violations) => violations.into(),
            EditError::Storage(error) => error.into(),
        }
    }
}
