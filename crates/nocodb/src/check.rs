//! The connection test, and the creation of missing tables and fields.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_db::nocodb::{self, Config};
use tokio::time::timeout;
use utoipa::ToSchema;

use super::failure::Failure;
use crate::Parts;

/// Timeout of a whole test: shorter than that of an API request.
const TESTED_WITHIN: Duration = Duration::from_secs(25);
/// Timeout for creating seven tables on a slow server.
const PREPARED_WITHIN: Duration = Duration::from_secs(300);
/// Most table names that are returned.
const MAX_NAMES: usize = 200;

/// What a test of the connection found.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = NocodbTest)]
pub struct ConnectionTest {
    /// Whether a synchronisation can run.
    pub success: bool,
    /// What is wrong, in English, for developers.
    #[schema(required)]
    pub error: Option<String>,
    /// HTTP status of the answer that was wrong, where there was one.
    #[schema(required)]
    pub status_code: Option<u16>,
    /// Code of what to do; its text is `hints.<code>` of the locale file `admin-nocodb`.
    #[schema(required)]
    pub hint: Option<String>,
    /// What exactly is missing.
    #[schema(required)]
    pub details: Option<Details>,
    /// What was tested.
    pub config: TestedBase,
    /// `v3` or `v2`; null where nothing was found out.
    #[schema(required)]
    pub api_version: Option<String>,
    /// How many tables the base has.
    pub tables_found: usize,
    /// Their names, at most 200.
    pub table_names: Vec<String>,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub tested_at: Timestamp,
}

/// What the base lacks.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = NocodbDetails)]
pub struct Details {
    /// Names of tables.
    pub missing_tables: Vec<String>,
    /// Fields, as `table.field`.
    pub missing_fields: Vec<String>,
}

/// What is tested.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = NocodbWhere)]
pub struct TestedBase {
    /// Base address of the API.
    pub api_url: String,
    /// Id of the base.
    pub project_id: String,
    /// Whether the server has a token.
    pub token_configured: bool,
}

/// Tests the connection and stores the result.
///
/// # Errors
/// When the database fails.
pub async fn test(parts: &Parts, config: &Config) -> slovo_db::Result<ConnectionTest> {
    let tested = run_test(parts, config, false).await;
    store_result(parts, config, tested).await
}

/// Creates the tables and fields that the base lacks, then tests.
///
/// # Errors
/// When the database fails.
pub async fn prepare(parts: &Parts, config: &Config) -> slovo_db::Result<ConnectionTest> {
    let tested = run_test(parts, config, true).await;
    store_result(parts, config, tested).await
}

async fn store_result(
    parts: &Parts,
    config: &Config,
    tested: ConnectionTest,
) -> slovo_db::Result<ConnectionTest> {
    let now = parts.clock.now_ms();
    let mut transaction = parts.db.write().await?;
    let error = tested.error.as_deref();
    nocodb::record_test(&mut transaction, config, error, &tested, now).await?;
    transaction.commit().await?;
    Ok(tested)
}

async fn run_test(parts: &Parts, config: &Config, prepares: bool) -> ConnectionTest {
    let mut tested = ConnectionTest {
        success: false,
        error: None,
        status_code: None,
        hint: None,
        details: None,
        config: TestedBase {
            api_url: config.api_url.clone(),
            project_id: config.project_id.clone(),
            token_configured: parts.token.is_some(),
        },
        api_version: None,
        tables_found: 0,
        table_names: Vec::new(),
        tested_at: parts.clock.now(),
    };
    let result = timeout(
        if prepares {
            PREPARED_WITHIN
        } else {
            TESTED_WITHIN
        },
        inspect(parts, config, prepares, &mut tested),
    );
    let result = result.await.unwrap_or(Err(Failure::Timeout));
    match result {
        Ok(()) => tested.success = true,
        Err(failure) => {
            tested.status_code = failure.status();
            tested.hint = Some(failure.hint().to_owned());
            tested.error = Some(failure.to_string());
        }
    }
    tested
}

async fn inspect(
    parts: &Parts,
    config: &Config,
    prepares: bool,
    tested: &mut ConnectionTest,
) -> Result<(), Failure> {
    let limits = super::client_limits(parts);
    let limits = if prepares {
        limits
    } else {
        limits.for_connection_test()
    };
    let mut remote = super::open(parts, config, limits).await?;
    if prepares {
        remote.prepare().await?;
    }
    tested.api_version = Some(remote.api().as_str().to_owned());
    tested.table_names = remote.table_names();
    tested.tables_found = tested.table_names.len();
    tested.table_names.truncate(MAX_NAMES);
    let (missing_tables, missing_fields) = remote.missing().await?;
    if missing_tables.is_empty() && missing_fields.is_empty() {
        return Ok(());
    }
    let names = [missing_tables.clone(), missing_fields.clone()].concat();
    tested.details = Some(Details {
        missing_tables,
        missing_fields,
    });
    Err(Failure::Schema(names.join(", ")))
}
