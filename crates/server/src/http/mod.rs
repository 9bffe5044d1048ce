//! HTTP layers for every request: ids, logging, headers and the format of errors.

#[cfg(test)]
mod codes_tests;
pub(crate) mod cookies;
mod edge;
mod etag;
mod extract;
mod headers;
mod layers;
mod problem;

pub use edge::RequestId;
pub use etag::is_known;
pub use extract::{Json, Path, Query, object};
pub(crate) use headers::{REFERRER, ROBOTS};
pub(crate) use layers::finish;
pub use layers::time_limit;
pub(crate) use problem::ProblemDocument;
pub use problem::{Document, Problem};
