//! `GET /api/v1/capabilities`: what the engines of this server can do.

use std::env;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;

use serde::Serialize;
use slovo_rules::matrix::Feature;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::Caller;
use crate::http::{Document, Json, time_limit};
use crate::state::AppState;

/// The program that fetches recordings from media pages.
const DOWNLOADER: &str = "yt-dlp";

/// The action of this file.
pub(super) fn router() -> OpenApiRouter<AppState> {
    time_limit(OpenApiRouter::new().routes(routes!(capabilities)))
}

/// What can be had here. What the rules allow in a mode and a language can be had only if some
/// engine of the server does it.
#[derive(Serialize, ToSchema)]
struct Capabilities {
    /// The features of the rules, by their names.
    features: Features,
    /// Words the recogniser should expect.
    vocabulary: bool,
    /// Translation to English by the recognition model.
    translate: bool,
    /// Each channel on its own.
    multichannel: bool,
    /// Recordings from media pages, YouTube among them.
    media_pages: bool,
}

/// Whether an engine does it, for each of the rules' features.
#[derive(Serialize, ToSchema)]
struct Features {
    /// Speech to text.
    transcription: bool,
    /// Times of sentences and words.
    timestamps: bool,
    /// Who speaks.
    diarization: bool,
    /// Summary of a given number of words.
    summarization: bool,
    /// Translation of the text by the language model.
    llm_translation: bool,
    /// Translation of the subtitles.
    srt_translation: bool,
    /// Overall sentiment.
    sentiment: bool,
    /// Classification by the given labels.
    classification: bool,
    /// Answers to the custom prompt.
    insights: bool,
}

/// Whether some engine of this server does it.
const fn is_done(feature: Feature) -> bool {
    match feature {
        Feature::Transcription | Feature::Timestamps => true,
        Feature::Diarization
        | Feature::Summarization
        | Feature::LlmTranslation
        | Feature::SrtTranslation
        | Feature::Sentiment
        | Feature::Classification
        | Feature::Insights => false,
    }
}

/// What the engines of this server can do at the moment.
#[utoipa::path(get, path = "/capabilities", tag = "server", operation_id = "get_capabilities",
    responses(
        (status = OK, body = Capabilities),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
async fn capabilities(_caller: Caller) -> Json<Capabilities> {
    let places = env::var_os("PATH").unwrap_or_default();
    Json(Capabilities {
        features: Features {
            transcription: is_done(Feature::Transcription),
            timestamps: is_done(Feature::Timestamps),
            diarization: is_done(Feature::Diarization),
            summarization: is_done(Feature::Summarization),
            llm_translation: is_done(Feature::LlmTranslation),
            srt_translation: is_done(Feature::SrtTranslation),
            sentiment: is_done(Feature::Sentiment),
            classification: is_done(Feature::Classification),
            insights: is_done(Feature::Insights),
        },
        vocabulary: true,
        translate: true,
        multichannel: false,
        media_pages: is_installed(DOWNLOADER, &places).await,
    })
}

/// Whether a program is in one of these places, as `PATH` lists them.
async fn is_installed(program: &str, places: &OsStr) -> bool {
    for place in env::split_paths(places) {
        if let Ok(found) = tokio::fs::metadata(place.join(program)).await
            && found.is_file()
            && found.permissions().mode() & 0o111 != 0
        {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};

    use axum::http::StatusCode;

    use super::*;
    use crate::testing::each_server;

    #[test]
    fn every_feature_of_the_rules_is_told() {
        each_server(async |server| {
            let me = server.signup("a@example.com").await;
            let answer = server.get_as(&me, "/api/v1/capabilities").await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            let told = answer.json();
            let features = told["features"].as_object().unwrap();
            assert_eq!(features.len(), Feature::ALL.len());
            for feature in Feature::ALL {
                assert_eq!(features[feature.as_str()], is_done(*feature), "{feature}");
            }
            assert_eq!(told["multichannel"], false);
            assert!(told["media_pages"].is_boolean());
        });
    }

    #[tokio::test]
    async fn a_program_is_installed_where_it_can_be_run() {
        let empty = tempfile::tempdir().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let places = env::join_paths([empty.path(), folder.path()]).unwrap();
        let program = folder.path().join(DOWNLOADER);
        assert!(!is_installed(DOWNLOADER, &places).await);
        fs::create_dir(&program).unwrap();
        assert!(!is_installed(DOWNLOADER, &places).await);
        fs::remove_dir(&program).unwrap();
        fs::write(&program, "").unwrap();
        assert!(!is_installed(DOWNLOADER, &places).await);
        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        assert!(is_installed(DOWNLOADER, &places).await);
        assert!(!is_installed(DOWNLOADER, OsStr::new("")).await);
    }
}
