//! The private PostgreSQL that `cargo xtask test` starts for all test programs together.

pub use slovo_test_postgres::{Cluster, VARIABLE};
