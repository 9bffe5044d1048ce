use axum::http::StatusCode;
use slovo_db::webhooks::services;
use slovo_engine::media;
use slovo_rules::matrix::Feature;
use slovo_rules::mode::TranscriptionType;
use slovo_rules::warnings::SpeechModel;
use slovo_rules::webhook::{self, WebhookCategory, WebhookForm};
use uuid::Uuid;

use crate::testing::{Backend, apply, each_database, with_server};

#[apply(each_database!)]
fn capabilities_list_every_feature(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let answer = server.get_as(&me, "/api/v1/capabilities").await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        let capabilities = answer.json();
        let features = capabilities["features"].as_object().unwrap();
        assert_eq!(features.len(), Feature::ALL.len());
        for feature in Feature::ALL {
            let is_core = matches!(feature, Feature::Transcription | Feature::Timestamps);
            assert_eq!(features[feature.as_str()], is_core, "{feature}");
        }
        assert_eq!(capabilities["multichannel"], false);
        assert!(capabilities["media_pages"].is_boolean());
        assert!(capabilities["text_goes_to"].is_null());
        let more = capabilities["more_types"].as_array().unwrap();
        assert_eq!(more.contains(&"wma".into()), media::has_external_decoder());
        // This test has no engine.
        let plans = ["translation", "realtime", "api", "export_formats"];
        assert_eq!(capabilities["plan_features"], serde_json::json!(plans));
    });
}

#[apply(each_database!)]
fn what_is_known_of_the_models_is_listed_unless_a_service_recognises(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let models = async || {
            let answer = server.get_as(&me, "/api/v1/capabilities").await;
            answer.json()["speech_models"].clone()
        };
        let known = models().await;
        let full: SpeechModel = serde_json::from_value(known["full"].clone()).unwrap();
        let serving = server.state.models.serving().now();
        assert_eq!(full.id, serving.model(TranscriptionType::Full));
        assert_eq!(known["lite"]["english_only"], true);
        let mut transaction = server.state.db.write().await.unwrap();
        let form = WebhookForm {
            name: "Recogniser".to_owned(),
            url: "https://example.com/hook".to_owned(),
            category: WebhookCategory::Transcription,
            modes: vec![TranscriptionType::Full],
            ..WebhookForm::default()
        };
        let form = webhook::validate(&form).unwrap();
        services::insert(&mut transaction, Uuid::from_u128(1), &form, 1)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let served = models().await;
        assert!(served["full"].is_null());
        assert_eq!(served["larger"], serde_json::json!([]));
        assert_eq!(served["lite"], known["lite"]);
    });
}
