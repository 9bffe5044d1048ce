//! Problems for errors of the work on jobs.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use slovo_rules::codes::ProblemCode;
use slovo_work::minutes::ExportError;

use crate::http::Problem;

impl From<ExportError> for Problem {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::NotInPlan(format) => {
                let format = format.name().to_uppercase();
                Self::new(StatusCode::FORBIDDEN, ProblemCode::FormatNotInPlan)
                    .params(BTreeMap::from([("format".to_owned(), format.into())]))
            }
            ExportError::Storage(error) => error.into(),
        }
    }
}
