//! Problems for errors of the server settings.

use axum::http::StatusCode;
use slovo_server_settings::SwitchedOff;

use crate::http::Problem;

impl From<SwitchedOff> for Problem {
    fn from(SwitchedOff { code }: SwitchedOff) -> Self {
        Self::new(StatusCode::FORBIDDEN, code)
    }
}
