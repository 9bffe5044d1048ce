//! Errors of the server's settings as answers.

use axum::http::StatusCode;
use slovo_server_settings::SwitchedOff;

use crate::http::Problem;

impl From<SwitchedOff> for Problem {
    fn from(SwitchedOff { code }: SwitchedOff) -> Self {
        Self::new(StatusCode::FORBIDDEN, code)
    }
}
