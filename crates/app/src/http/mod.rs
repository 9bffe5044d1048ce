//! HTTP layers for every request: ids, logging, headers and the format of errors.

mod allowance;
pub mod cookies;
pub mod cursor;
mod edge;
mod etag;
mod extract;
mod headers;
mod layers;
pub mod list_query;
mod problem;
pub mod range;

pub(crate) use allowance::ReportedAllowance;
pub use edge::RequestId;
pub use etag::{is_known, is_meant};
pub use extract::{Json, Path, Query, object};
pub use headers::{REFERRER, ROBOTS};
pub use layers::{finish, time_limit};
pub use problem::{Document, Problem, ProblemDocument, in_words};
