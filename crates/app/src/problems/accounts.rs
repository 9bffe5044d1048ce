//! Errors of accounts as answers.

use axum::http::StatusCode;
use slovo_accounts::auth::proof::NotProven;
use slovo_accounts::site_messages::{LinkRefused, Refused};
use slovo_rules::codes::ProblemCode;

use crate::http::Problem;

impl From<NotProven> for Problem {
    fn from(reason: NotProven) -> Self {
        match reason {
            NotProven::Limited(limited) => Self::from(limited),
            NotProven::WrongPassword => {
                Self::new(StatusCode::FORBIDDEN, ProblemCode::WrongPassword)
            }
            NotProven::SessionOver => Self::unauthorized(),
            NotProven::Internal(error) => Self::internal(error),
        }
    }
}

impl From<Refused> for Problem {
    fn from(reason: Refused) -> Self {
        match reason {
            Refused::Off(code) => Self::new(StatusCode::FORBIDDEN, code),
            Refused::Invalid(violations) => Self::from(violations),
            Refused::Limited(limited) => Self::from(limited),
            Refused::Internal(error) => Self::internal(error),
        }
    }
}

impl From<LinkRefused> for Problem {
    fn from(reason: LinkRefused) -> Self {
        match reason {
            LinkRefused::Unknown => Self::new(StatusCode::GONE, ProblemCode::NewsletterLinkInvalid),
            LinkRefused::Internal(error) => Self::internal(error),
        }
    }
}
