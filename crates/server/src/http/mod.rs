//! HTTP layers for every request: ids, logging, headers and the format of errors.

#[cfg(test)]
mod codes_tests;
mod edge;
mod etag;
mod extract;
mod problem;
mod router;
#[cfg(test)]
mod tests;
mod web;

pub use edge::RequestId;
pub use etag::is_known;
pub use extract::{Json, Path, Query, object};
pub(crate) use problem::ProblemDocument;
pub use problem::{Document, Problem};
pub use router::{router, time_limit};
