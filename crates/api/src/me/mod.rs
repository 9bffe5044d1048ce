//! The caller's own account: `/api/v1/me`.

use axum::extract::DefaultBodyLimit;
use slovo_app::http::time_limit;
use slovo_app::routes;
use slovo_app::state::AppState;
use utoipa_axum::router::OpenApiRouter;

pub mod api_keys;
mod avatar;
mod dashboard;
mod delete;
mod docx_template;
mod email;
pub mod export;
pub mod minutes;
mod own;
mod plan_request;
mod preferences;
mod profile;
mod sources;
mod subscription;
mod sync;
mod targets;
mod tour;
pub mod usage;
pub(crate) mod voices;
pub(crate) mod webhooks;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let files = OpenApiRouter::new()
        .routes(routes!(avatar::get, avatar::set, avatar::remove))
        .routes(routes!(
            docx_template::get,
            docx_template::set,
            docx_template::remove
        ))
        .layer(DefaultBodyLimit::max(avatar::MAX_BODY));
    let short = OpenApiRouter::new()
        .routes(routes!(profile::set))
        .merge(files)
        .routes(routes!(docx_template::download))
        .routes(routes!(docx_template::example))
        .routes(routes!(preferences::get, preferences::set))
        .routes(routes!(dashboard::dashboard))
        .routes(routes!(minutes::minutes))
        .routes(routes!(subscription::get))
        .routes(routes!(plan_request::create, plan_request::withdraw))
        .routes(routes!(usage::by_day))
        .routes(routes!(usage::history))
        .routes(routes!(sync::sync))
        .routes(routes!(tour::get))
        .routes(routes!(tour::end))
        .routes(routes!(export::link))
        .routes(routes!(email::get, email::begin, email::cancel))
        .routes(routes!(email::confirm))
        .routes(routes!(voices::list))
        .routes(routes!(voices::rename, voices::remove))
        .routes(routes!(voices::merge))
        .routes(routes!(voices::export))
        .routes(routes!(api_keys::list, api_keys::create))
        .routes(routes!(api_keys::revoke))
        .routes(routes!(webhooks::list, webhooks::create))
        .routes(routes!(webhooks::update, webhooks::remove))
        .routes(routes!(webhooks::rotate))
        .routes(routes!(webhooks::test))
        .routes(routes!(webhooks::list_deliveries))
        .routes(routes!(webhooks::resend))
        .routes(routes!(sources::list, sources::create))
        .routes(routes!(sources::get, sources::update, sources::remove))
        .routes(routes!(sources::check_now))
        .routes(routes!(sources::recordings::list))
        .routes(routes!(sources::recordings::start))
        .routes(routes!(targets::list, targets::create))
        .routes(routes!(targets::get, targets::update, targets::remove))
        .routes(routes!(targets::run_now))
        .routes(routes!(targets::files::list))
        .routes(routes!(targets::files::write_again))
        .routes(routes!(delete::delete));
    // No time limit: a large archive may take long.
    let long = OpenApiRouter::new().routes(routes!(export::download));
    time_limit(short).merge(long)
}
