//! Tests of uploads through the router, on both databases.

mod deferred;
mod recordings;
mod refusals;
mod support;
mod transfer;
mod trouble;
