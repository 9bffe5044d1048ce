//! Recordings with several audio tracks: the chosen one is recognised.

use axum::http::StatusCode;
use serde_json::json;
use slovo_test_media::speech::error_rate;
use slovo_test_media::tracks::{self, FIRST, LANGUAGES, SECOND, TITLES};

use super::support::{events, lite, path, upload};
use crate::testing::{Backend, with_server};

// On one database: it plays no part.
#[test]
fn only_the_chosen_track_is_recognised() {
    with_server(Backend::Sqlite, async |server| {
        server.start_work().await;
        let me = server.signup("a@example.com").await;
        let folder = tempfile::tempdir().unwrap();
        let kind = tracks::KINDS.iter().find(|kind| kind.name == "two.mkv");
        let file = std::fs::read(tracks::make(kind.unwrap(), folder.path())).unwrap();
        for (track, speech) in [(None, FIRST), (Some(0), FIRST), (Some(1), SECOND)] {
            let upload = upload(&server, &me, "two.mkv", &file).await;
            let upload_path = format!("/api/v1/uploads/{upload}");
            let media = server.get_as(&me, &upload_path).await.json()["media"].clone();
            assert_eq!(
                media["audio_tracks"][1],
                json!({"index": 1, "codec": "flac", "language": LANGUAGES[1], "title": TITLES[1],
                    "channels": 2, "sample_rate": 48_000, "default": false})
            );
            assert_eq!(media["audio_tracks"][0]["default"], true);
            let mut body = json!({"upload_id": upload, "settings": lite()});
            for beyond in [2, u32::MAX] {
                body["audio_track"] = beyond.into();
                let refused = server.post_as(&me, "/api/v1/jobs", &body).await;
                refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
                assert_eq!(
                    refused.json()["errors"][0],
                    json!({"field": "audio_track", "code": "audio_track_unknown",
                        "params": {"tracks": 2}})
                );
            }
            for junk in [json!(-1), json!(1.5), json!("1"), json!(1_u64 << 32)] {
                body["audio_track"] = junk;
                let refused = server.post_as(&me, "/api/v1/jobs", &body).await;
                assert!(refused.status.is_client_error(), "{}", refused.text());
            }
            body["audio_track"] = track.into();
            let created = server.post_as(&me, "/api/v1/jobs", &body).await;
            assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
            let created = created.json();
            let received = events(&server, &me, &created).await;
            assert_eq!(received.last().unwrap().0, "completed", "{received:?}");
            let text = format!("{}/export?format=txt&timestamps=false", path(&created));
            let text = server.get_as(&me, &text).await.text();
            // In percent. Measured: 0 and 2 of 13 words wrong; with the other track hardly any word
            // is right.
            assert!(error_rate(speech.text, &text) <= 30.0, "{track:?}: {text}");
        }
        server.state.shutdown.cancel();
        server.state.tasks.close();
        server.state.tasks.wait().await;
    });
}
