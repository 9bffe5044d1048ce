//! Uploads through the real router, on both databases.

mod refusals;
mod support;
mod transfer;
mod trouble;
