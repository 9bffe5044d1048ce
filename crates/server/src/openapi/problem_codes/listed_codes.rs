//! What a finished document lists, as text that tests can keep in a file.

use std::collections::HashSet;
use std::fmt::Write as _;

use axum::http::Method;
use slovo_rules::codes::ProblemCode;
use utoipa::openapi::{OpenApi, RefOr};

use super::super::operations;
use super::{LIST, OF_EVERY_ADDRESS};

/// The paths of a document and the codes of their responses.
pub(crate) struct ListedCodes(HashSet<String>);

impl ListedCodes {
    /// A line for each path, and one for each code of a response: `GET /path 404 not_found`.
    pub(crate) fn text_of(document: &OpenApi) -> String {
        let mut text = String::new();
        for (path, item) in &document.paths.paths {
            writeln!(text, "{path}").unwrap();
            for (method, operation) in operations(&mut item.clone()) {
                for (status, response) in &operation.responses.responses {
                    let RefOr::T(response) = response else {
                        continue;
                    };
                    let extensions = response.extensions.as_ref();
                    let codes = extensions.and_then(|extensions| extensions.get(LIST)?.as_array());
                    for code in codes.into_iter().flatten() {
                        let code = code.as_str().unwrap();
                        writeln!(text, "{method} {path} {status} {code}").unwrap();
                    }
                }
            }
        }
        text
    }

    /// Reads what [`ListedCodes::text_of`] has written.
    pub(crate) fn read(text: &str) -> Self {
        Self(text.lines().map(str::to_owned).collect())
    }

    /// Whether a code is listed for an action's status, or for every address. An action of the
    /// document that does not find something has to list `not_found` itself.
    pub(crate) fn permits(
        &self,
        method: &Method,
        path: &str,
        status: &str,
        code: ProblemCode,
    ) -> bool {
        let of_every_address = OF_EVERY_ADDRESS.iter().any(|(common_code, common_status)| {
            *common_code == code && common_status.as_str() == status
        });
        let of_the_action = code == ProblemCode::NotFound && self.0.contains(path);
        let listed = format!("{method} {path} {status} {}", code.as_str());
        (of_every_address && !of_the_action) || self.0.contains(&listed)
    }
}
