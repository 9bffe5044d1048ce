//! The setup steps of the server, done and left: `/api/v1/admin/setup`.

use serde::{Deserialize, Serialize};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_models::tasks::ModelUse;
use slovo_work::endpoint_test::Outcome;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

mod get;
mod steps;

/// The route of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get::get))
}

/// The address that the reader uses.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Reader {
    /// Scheme, host and port under which the reader's browser has opened the server. They are
    /// compared with its public address.
    origin: Option<String>,
}

/// The progress of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SetupState)]
enum Progress {
    /// Nothing is left to do.
    Done,
    /// Something that users expect does not work.
    ToDo,
    /// The server works without it.
    Optional,
}

/// The reason for the state of mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SetupMailCause)]
enum MailCause {
    /// The last test mail was accepted.
    Works,
    /// No SMTP server is configured.
    NoServer,
    /// No test mail has been sent through this server yet.
    Untested,
    /// The last test mail was not accepted.
    Fails,
}

/// Mail.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SetupMail)]
struct MailStep {
    state: Progress,
    cause: MailCause,
    /// Host and port of the SMTP server.
    #[schema(required)]
    place: Option<String>,
    /// Stable name of the reason why the last test mail was not sent.
    #[schema(required)]
    failure: Option<String>,
}

/// The reason for the state of the models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SetupModelsCause)]
enum ModelsCause {
    /// All are on the disk.
    Ready,
    /// Some are being downloaded.
    Pulling,
    /// Some are missing.
    Missing,
}

/// A model that recognition needs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SetupModel)]
struct NeededModel {
    id: &'static str,
    /// What uses it.
    used_by: Vec<ModelUse>,
    /// Whether its file exists.
    on_disk: bool,
}

/// A model with which Full would make clearly fewer errors, and which keeps up with speech on this
/// machine.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SetupBetterModel)]
struct BetterModel {
    id: &'static str,
    /// The language that it was chosen for: the first of the server's default languages.
    language: String,
    /// Its word error rate in percent.
    percent: f64,
    /// That of the model in use, if known.
    #[schema(required)]
    current_percent: Option<f64>,
    /// Seconds for an hour of speech on this machine, measured or estimated.
    #[schema(required)]
    seconds_per_hour: Option<f64>,
    /// Size of its file in bytes.
    bytes: u64,
    /// Whether its file exists.
    on_disk: bool,
}

/// The models for recognition.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SetupModels)]
struct ModelsStep {
    state: Progress,
    cause: ModelsCause,
    /// The models that recognition needs.
    models: Vec<NeededModel>,
    /// A better one, if there is one and it can be downloaded or is there.
    #[schema(required)]
    better: Option<BetterModel>,
}

/// The reason for the state of the language model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SetupAnalysisCause)]
enum AnalysisCause {
    /// The endpoint responds.
    Answers,
    /// There is no endpoint: the built-in analysis is used.
    NotSet,
    /// The settings cannot be used with the server's configuration.
    Unusable,
    /// The endpoint does not respond as expected.
    Fails,
}

/// The language model.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SetupAnalysis)]
struct AnalysisStep {
    state: Progress,
    cause: AnalysisCause,
    /// The endpoint's host.
    #[schema(required)]
    host: Option<String>,
    /// The outcome of asking it for its models; no text was sent.
    #[schema(required)]
    outcome: Option<Outcome>,
}

/// The reason for the state of the public address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SetupAddressCause)]
enum AddressCause {
    /// It is set and is the address that the reader uses.
    Right,
    /// The server is used only on its own machine.
    Local,
    /// It is not set, and links would lead to an address other than the one that the reader uses.
    Unset,
    /// It is set, but the reader uses another address.
    Other,
    /// Browsers connect to it without TLS.
    Insecure,
}

/// The public address.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SetupAddress)]
struct AddressStep {
    state: Progress,
    cause: AddressCause,
    /// The base address of links in mails.
    url: String,
    /// Whether it is set in the server's configuration; otherwise it is the address on which the
    /// server listens.
    configured: bool,
}

/// The information that the law requires on the public pages.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SetupLegal)]
struct LegalStep {
    state: Progress,
    /// Names of the empty fields.
    missing: Vec<&'static str>,
}

/// The steps of the setup.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Setup)]
struct Body {
    mail: MailStep,
    models: ModelsStep,
    analysis: AnalysisStep,
    address: AddressStep,
    legal: LegalStep,
}
