//! The peer of `cargo xtask bench upload`: axum's body, frame by frame, into a file, and nothing
//! else. `plain_upload FILE` prints its address and overwrites the file with every PUT.

use std::path::PathBuf;

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::routing::put;
use axum::{Router, serve};
use futures_util::StreamExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

async fn receive(State(path): State<PathBuf>, body: Body) -> Result<StatusCode, StatusCode> {
    let failed = |_| StatusCode::INTERNAL_SERVER_ERROR;
    let mut file = tokio::fs::File::create(path).await.map_err(failed)?;
    let mut frames = body.into_data_stream();
    while let Some(frame) = frames.next().await {
        let frame = frame.map_err(|_| StatusCode::BAD_REQUEST)?;
        file.write_all(&frame).await.map_err(failed)?;
    }
    file.flush().await.map_err(failed)?;
    file.sync_all().await.map_err(failed)?;
    Ok(StatusCode::NO_CONTENT)
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let path = std::env::args_os().nth(1).map(PathBuf::from);
    let path = path.ok_or_else(|| std::io::Error::other("name the file to write"))?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let router = Router::new()
        .route("/", put(receive))
        .layer(DefaultBodyLimit::disable());
    serve(listener, router.with_state(path)).await
}
