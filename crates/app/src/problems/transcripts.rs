//! Problems for errors of transcripts, their links and their files.

use axum::http::StatusCode;
use slovo_export::Refusal;
use slovo_transcripts::edits::EditError;
use slovo_transcripts::exports::templates::TemplateError;
use slovo_transcripts::shares::VisitError;

use crate::http::Problem;

impl From<VisitError> for Problem {
    fn from(error: VisitError) -> Self {
        match error {
            VisitError::NotFound => Self::not_found(),
            VisitError::PasswordRequired => {
                Self::new(StatusCode::FORBIDDEN, "share_password_required")
            }
            VisitError::Storage(error) => error.into(),
            VisitError::Internal(error) => error.into(),
        }
    }
}

impl From<TemplateError> for Problem {
    fn from(error: TemplateError) -> Self {
        match error {
            TemplateError::Missing => Self::new(StatusCode::CONFLICT, "docx_template_missing"),
            TemplateError::Refused(refusal) => template_refused(refusal),
            TemplateError::Storage(error) => error.into(),
            TemplateError::Internal(error) => error.into(),
        }
    }
}

/// The problem for a file that cannot be used as a template.
pub fn template_refused(refusal: Refusal) -> Problem {
    let status = match refusal {
        Refusal::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    Problem::new(status, refusal.code())
}

impl From<EditError> for Problem {
    fn from(error: EditError) -> Self {
        match error {
            EditError::NotReady => Self::new(StatusCode::CONFLICT, "transcript_not_ready"),
            EditError::Conflict(conflicts) => {
                Self::new(StatusCode::CONFLICT, "edit_conflict").conflicts(conflicts)
            }
            EditError::TooDeep => Self::new(StatusCode::CONFLICT, "split_too_deep"),
            EditError::NothingToUndo => Self::new(StatusCode::CONFLICT, "nothing_to_undo"),
            EditError::NothingToRedo => Self::new(StatusCode::CONFLICT, "nothing_to_redo"),
            EditError::Invalid(violations) => violations.into(),
            EditError::Storage(error) => error.into(),
        }
    }
}
