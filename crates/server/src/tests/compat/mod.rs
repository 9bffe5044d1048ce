//! Tests of other services' APIs.

mod openai;
mod refused;
mod support;
