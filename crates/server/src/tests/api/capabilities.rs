use axum::http::StatusCode;
use slovo_engine::media;
use slovo_rules::matrix::Feature;

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
        assert_eq!(more.contains(&"wma".into()), media::has_outside_decoder());
        // There are no API keys, and this test has no engine.
        let plans = ["translation", "realtime", "export_formats"];
        assert_eq!(capabilities["plan_features"], serde_json::json!(plans));
    });
}
