//! A refused request, before a protocol puts it into its own form of errors.

use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use slovo_app::http::{Problem, in_words};
use slovo_engine::EngineError;
use slovo_rules::codes::ProblemCode;
use slovo_rules::media::Fault;
use slovo_rules::violation::Code;

use crate::run::Failure;

/// The field of a refusal that concerns the recording; each protocol has its own name for it.
pub(crate) const RECORDING: &str = "recording";

/// Why a request was refused, or failed.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub status: StatusCode,
    pub headers: Box<HeaderMap>,
    /// A code of this server's problems or violations, or of the protocol.
    pub code: String,
    /// What is wrong, with the field if it is known: one of the protocol's, or of the settings.
    reasons: Vec<(Option<String>, String)>,
}

impl Refusal {
    /// A refusal that concerns no field. `message` is in English.
    pub(crate) fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        Self {
            status,
            headers: Box::default(),
            code: code.to_owned(),
            reasons: vec![(None, message.into())],
        }
    }

    /// A field that cannot be used.
    pub(crate) fn of_field(field: &str, code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message).field(field)
    }

    /// A value that a field does not take.
    pub(crate) fn invalid(field: &str, message: impl Into<String>) -> Self {
        Self::of_field(field, "invalid_value", message)
    }

    /// A field that a request needs.
    pub(crate) fn missing(field: &str) -> Self {
        let message = format!("You must provide the parameter {field}.");
        Self::of_field(field, "missing_required_parameter", message)
    }

    /// A recording that the engine could not use.
    pub(crate) fn of_engine(error: &EngineError) -> Self {
        let mut refusal = of_fault(&Fault {
            code: error.code().to_owned(),
            params: error.params(),
        });
        match error {
            EngineError::NoSpeech => refusal.status = StatusCode::BAD_REQUEST,
            EngineError::Cancelled => return Failure::Stopping.into(),
            _ if refusal.status.is_server_error() => {
                tracing::error!(%error, "a recording could not be examined");
            }
            _ => {}
        }
        refusal
    }

    /// Names the field.
    pub(crate) fn field(mut self, name: &str) -> Self {
        for (field, _) in &mut self.reasons {
            *field = Some(name.to_owned());
        }
        self
    }

    /// The first field that is concerned; `rename` gives the protocol's name for a field of the
    /// settings.
    pub(crate) fn first_field(&self, rename: fn(&str) -> &str) -> Option<String> {
        let first = self.reasons.first()?.0.as_deref()?;
        Some(rename(first).to_owned())
    }

    /// What is wrong, in English.
    pub(crate) fn message(&self, rename: fn(&str) -> &str) -> String {
        let each = self.reasons.iter().map(|(field, reason)| match field {
            Some(field) if !reason.contains(rename(field)) => {
                format!("{}: {reason}", rename(field))
            }
            _ => reason.clone(),
        });
        each.collect::<Vec<_>>().join("; ")
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        problem.log();
        let violations = problem.violations();
        let first = violations.first().map(|it| it.code);
        let status = match (first, problem.status()) {
            (Some(Code::MinutesExceeded), _) => StatusCode::PAYMENT_REQUIRED,
            (Some(Code::FeatureNotInPlan), _) => StatusCode::FORBIDDEN,
            // Clients of these protocols expect 400 where the input breaks a rule.
            (_, StatusCode::UNPROCESSABLE_ENTITY | StatusCode::UNSUPPORTED_MEDIA_TYPE) => {
                StatusCode::BAD_REQUEST
            }
            (_, status) => status,
        };
        let code = first.map_or(problem.code().as_str(), |code| code.as_str());
        let reasons = if violations.is_empty() {
            let detail = problem.detail_text().map(str::to_owned);
            vec![(None, detail.unwrap_or_else(|| problem.title() + "."))]
        } else {
            let each = violations.iter().map(|it| {
                let field = it.field.as_str();
                let field = field.strip_prefix("settings.").unwrap_or(field);
                let reason = in_words(it.code.as_str(), &it.params);
                (Some(field.to_owned()), reason)
            });
            each.collect()
        };
        Self {
            status,
            headers: Box::new(problem.headers().clone()),
            code: code.to_owned(),
            reasons,
        }
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Problem(problem) => problem.into(),
            Failure::Failed(fault) => of_fault(&fault),
            // Clients repeat a request that is answered with 409.
            Failure::Cancelled => Self::new(
                StatusCode::GONE,
                "cancelled",
                "The transcription was cancelled or deleted.",
            )
            .field(RECORDING),
            Failure::Stopping => Problem::unavailable()
                .detail("The server restarts. The transcription goes on and stays in the library.")
                .into(),
            Failure::AccessLost => Problem::unauthorized()
                .detail("The API key was revoked, or the account was blocked.")
                .into(),
        }
    }
}

/// The error of a job that failed: the recording is the reason, or the server.
fn of_fault(fault: &Fault) -> Refusal {
    let is_of_file = ProblemCode::parse(&fault.code).is_some_and(ProblemCode::is_of_file);
    let status = if is_of_file {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::INTERNAL_SERVER_ERROR
    };
    let reason = in_words(&fault.code, &fault.params);
    let message = format!("The recording could not be transcribed: {reason}.");
    Refusal::new(status, &fault.code, message).field(RECORDING)
}

impl IntoResponse for Refusal {
    /// Stored as an extension, for the layer that puts it into the form of the protocol.
    fn into_response(self) -> Response {
        let mut response = (self.status, (*self.headers).clone()).into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Puts refusals, and problems of extractors and layers, into the form of a protocol.
pub(crate) fn in_form(mut response: Response, form: impl FnOnce(&Refusal) -> Response) -> Response {
    let extensions = response.extensions_mut();
    let problem = extensions.remove::<Problem>().map(Refusal::from);
    let Some(refusal) = problem.or_else(|| extensions.remove::<Refusal>()) else {
        return response;
    };
    let mut response = form(&refusal);
    for (name, value) in refusal.headers.iter() {
        response.headers_mut().insert(name, value.clone());
    }
    response
}
