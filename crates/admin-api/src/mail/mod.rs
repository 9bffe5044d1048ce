//! Mail configuration and its test: `/api/v1/admin/mail`.

use serde::Serialize;
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_mail::DeliveryMethod;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

mod get;
mod test;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(get::get))
        .routes(routes!(test::test))
}

/// How mails are delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MailCarrier)]
pub(super) enum CarrierKind {
    /// An SMTP server.
    Smtp,
    /// They are not sent but kept in a folder.
    Outbox,
}

/// How mail leaves the server.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MailWay)]
pub(super) struct View {
    /// How mails are delivered.
    carrier: CarrierKind,
    /// Host and port of the SMTP server, or the folder.
    place: String,
    /// The sender of all mails.
    from: String,
}

impl View {
    fn of(state: &AppState) -> Self {
        let (carrier, place) = match state.mail.delivery_method() {
            DeliveryMethod::Smtp(place) => (CarrierKind::Smtp, place),
            DeliveryMethod::Outbox(folder) => (CarrierKind::Outbox, folder.display().to_string()),
        };
        Self {
            carrier,
            place,
            from: state.mail.sender(),
        }
    }
}
