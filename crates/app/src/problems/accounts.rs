//! Problems for errors of accounts.

use axum::http::StatusCode;
use slovo_accounts::auth::proof::ProofError;
use slovo_accounts::site_messages::{LinkError, SubmissionError};
use slovo_rules::codes::ProblemCode;

use crate::http::Problem;

impl From<ProofError> for Problem {
    fn from(reason: ProofError) -> Self {
        match reason {
            ProofError::Limited(limited) => Self::from(limited),
            ProofError::WrongPassword => {
                Self::new(StatusCode::FORBIDDEN, ProblemCode::WrongPassword)
            }
            ProofError::SessionOver => Self::unauthorized(),
            ProofError::Internal(error) => Self::internal(error),
        }
    }
}

impl From<SubmissionError> for Problem {
    fn from(reason: SubmissionError) -> Self {
        match reason {
            SubmissionError::Off(code) => Self::new(StatusCode::FORBIDDEN, code),
            SubmissionError::Invalid(violations) => Self::from(violations),
            SubmissionError::Limited(limited) => Self::from(limited),
            SubmissionError::Internal(error) => Self::internal(error),
        }
    }
}

impl From<LinkError> for Problem {
    fn from(reason: LinkError) -> Self {
        match reason {
            LinkError::Unknown => Self::new(StatusCode::GONE, ProblemCode::NewsletterLinkInvalid),
            LinkError::Internal(error) => Self::internal(error),
        }
    }
}
