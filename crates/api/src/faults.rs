//! Errors of a job or an upload, as clients see them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use slovo_rules::media::Fault;
use utoipa::ToSchema;

/// An error, as data; its text comes from the locale files by code.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Fault)]
pub struct FaultBody {
    /// Stable code in snake case.
    pub code: String,
    /// Figures and names for the text.
    #[schema(value_type = std::collections::HashMap<String, Value>)]
    pub params: BTreeMap<String, Value>,
}

impl From<Fault> for FaultBody {
    fn from(Fault { code, params }: Fault) -> Self {
        Self { code, params }
    }
}
