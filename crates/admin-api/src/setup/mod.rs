//! The setup steps of the server, done and left: `/api/v1/admin/setup`.

use serde::{Deserialize, Serialize};
use slovo_app::state::AppState;
use slovo_models::tasks::ModelUse;
use slovo_work::analysis::trial::Outcome;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

mod get;
mod steps;

/// The route of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get::get))
}

/// Where the reader is.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Reader {
    /// Scheme, host and port under which the reader's browser has the server open, to be compared
    /// with its public address.
    origin: Option<String>,
}

/// How far a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SetupState)]
enum Progress {
    /// Nothing is left to do.
    Done,
    /// Something of what people expect does not work.
    ToDo,
    /// The server works without it.
    Optional,
}

/// Why mail is as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SetupMailCause)]
enum MailCause {
    /// The last test mail was taken.
    Works,
    /// No SMTP server is configured.
    NoServer,
    /// Nobody has sent a test mail by this server yet.
    Untested,
    /// The last test mail was not taken.
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
    /// Stable name of why the last test mail did not get out.
    #[schema(required)]
    failure: Option<String>,
}

/// Why models are as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SetupModelsCause)]
enum ModelsCause {
    /// All are on the disk.
    Ready,
    /// Some are being fetched.
    Pulling,
    /// Some are missing.
    Missing,
}

/// A model that recognition needs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SetupModel)]
struct NeededModel {
    id: &'static str,
    /// Who uses it.
    used_by: Vec<ModelUse>,
    /// Whether its file is there.
    on_disk: bool,
}

/// Models of recognition.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SetupModels)]
struct ModelsStep {
    state: Progress,
    cause: ModelsCause,
    /// Those that recognition needs.
    models: Vec<NeededModel>,
}

/// Why the language model is as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SetupAnalysisCause)]
enum AnalysisCause {
    /// The endpoint answers.
    Answers,
    /// There is no endpoint: texts are analysed by what the program has in itself.
    NotSet,
    /// What is set cannot be used with the server's configuration.
    Unusable,
    /// The endpoint does not answer as it should.
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
    /// What came of asking it for its models; no text was sent.
    #[schema(required)]
    outcome: Option<Outcome>,
}

/// Why the public address is as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SetupAddressCause)]
enum AddressCause {
    /// It is set, and the one that the reader uses.
    Right,
    /// The server is used on its own machine only.
    Local,
    /// It is not set, and the reader uses another one than links would lead to.
    Unset,
    /// It is set, but the reader uses another one.
    Other,
    /// Browsers reach it without TLS.
    Insecure,
}

/// The public address.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SetupAddress)]
struct AddressStep {
    state: Progress,
    cause: AddressCause,
    /// Where links in mails lead.
    url: String,
    /// Whether the server's configuration says so; else it is where the server listens.
    configured: bool,
}

/// What the law wants visitors to be told.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SetupLegal)]
struct LegalStep {
    state: Progress,
    /// Fields of the public pages that are empty.
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
