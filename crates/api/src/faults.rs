//! What went wrong with a job or an upload, as clients see it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use slovo_db::jobs::uploads::Fault;
use utoipa::ToSchema;

/// What is wrong, as data; the text comes from the locale files by code.
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
