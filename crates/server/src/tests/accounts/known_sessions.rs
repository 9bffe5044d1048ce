//! How long a looked-up session is cached.

use axum::http::StatusCode;
use slovo_db::Database;

use crate::testing::{Backend, apply, each_database, with_server};

/// Blocks through a second connection; a read that sees the change went to the database.
async fn block_elsewhere(database: &Database, user_id: &str) {
    // Bypasses `write`, as another process would.
    let mut connection = database.read().await.unwrap();
    let status = slovo_db::accounts::Status::Blocked;
    slovo_db::accounts::set_status(&mut connection, user_id, status)
        .await
        .unwrap();
}

#[apply(each_database!)]
fn a_session_is_cached_for_one_second_only(backend: Backend) {
    with_server(backend, async |server| {
        let signed = server.signup("a@example.com").await;
        assert_eq!(server.me(&signed).await.status, StatusCode::OK);
        block_elsewhere(&server.state.db, &signed.user_id).await;
        assert_eq!(server.me(&signed).await.status, StatusCode::OK);
        server.clock.advance_seconds(1);
        let refused = server.me(&signed).await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
    });
}

#[apply(each_database!)]
fn any_write_by_this_process_invalidates_cached_sessions(backend: Backend) {
    with_server(backend, async |server| {
        let signed = server.signup("a@example.com").await;
        assert_eq!(server.me(&signed).await.status, StatusCode::OK);
        block_elsewhere(&server.state.db, &signed.user_id).await;
        let transaction = server.state.db.write().await.unwrap();
        transaction.commit().await.unwrap();
        let refused = server.me(&signed).await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
    });
}
