//! The private PostgreSQL that `cargo xtask test` starts for all test programs.

pub use slovo_test_postgres::{Cluster, VARIABLE};
