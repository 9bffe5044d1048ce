//! The OpenID Connect provider for sign-in: its metadata, and the users it identifies.
//!
//! The metadata is fetched on first use, so that a provider that is down does not keep this server
//! from starting.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, anyhow, bail, ensure};
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreErrorResponseType, CoreIdToken, CoreIdTokenClaims,
    CoreJwsSigningAlgorithm, CoreProviderMetadata,
};
use openidconnect::{
    AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken,
    EndpointMaybeSet, EndpointNotSet, EndpointSet, IssuerUrl, LanguageTag, Nonce,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    SignatureVerificationError, StandardErrorResponse, TokenResponse,
};
use slovo_rules::locale::Locale;
use tokio::sync::Mutex;

use slovo_platform::clock::Clock;
use slovo_platform::public_url::PublicUrl;
use slovo_platform::redacted::Redacted;

use http::Http;

pub mod attempt;
mod http;
pub mod person;

/// The redirect URI's path.
pub const CALLBACK_PATH: &str = "/api/v1/auth/google/callback";

/// How long the provider's metadata is cached.
const METADATA_TTL_MS: i64 = 60 * 60 * 1000;

/// How long no new request is made after a failed one; concurrent callers fail at once with the
/// same error.
const RETRY_PAUSE_MS: i64 = 5 * 1000;

/// Timeout of all requests of one sign-in together; below the time limit of a request to this
/// server.
const TIMEOUT: Duration = Duration::from_secs(25);

/// Longest subject that a provider may give (OpenID Connect Core, section 2), in bytes.
const MAX_SUBJECT: usize = 255;

/// Accepted signature algorithms of ID tokens: asymmetric ones only.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 4] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EdDsa,
];

type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

type TokenError = RequestTokenError<http::Error, StandardErrorResponse<CoreErrorResponseType>>;

/// The secrets of one sign-in attempt. Each is known to this server and, where the protocol needs
/// it, to one other party only.
pub struct Secrets {
    /// Returned in the callback's query.
    pub state: String,
    /// Returned in the ID token.
    pub nonce: String,
    /// Sent to the provider with the code (PKCE).
    pub verifier: String,
}

/// The user as identified by the provider.
pub struct Person {
    /// The provider.
    pub issuer: String,
    /// Their permanent id at the provider.
    pub subject: String,
    /// E-mail address, as the provider writes it.
    pub email: Option<String>,
    /// Whether the provider has verified the address.
    pub email_verified: bool,
    /// Full name.
    pub name: Option<String>,
}

/// A provider, and this server as its client.
#[derive(Clone, Debug)]
pub struct Provider {
    /// The issuer, as its ID tokens name it.
    pub issuer: String,
    /// The display name.
    pub name: String,
    /// Whether it is Google, which has its own logo.
    pub is_google: bool,
    /// Whether it runs on this machine, where TLS and a proxy are of no use.
    pub is_local: bool,
    /// The client's id.
    pub client_id: String,
    /// The client's secret.
    pub client_secret: Redacted,
}

/// The provider and its cached metadata.
pub struct OpenId {
    provider: Provider,
    redirect_url: RedirectUrl,
    http: Http,
    clock: Arc<dyn Clock>,
    client_cache: Mutex<Option<CachedClient>>,
}

/// Cached metadata and its expiry.
struct CachedClient {
    outcome: Result<Arc<Client>, String>,
    until: i64,
}

impl OpenId {
    /// This provider, for a server with this public URL. Makes no request.
    ///
    /// # Errors
    /// If the provider or the public URL is not usable.
    pub fn new(provider: Provider, public_url: &PublicUrl, clock: &Arc<dyn Clock>) -> Result<Self> {
        let redirect_url = format!("{}{CALLBACK_PATH}", public_url.as_str());
        Ok(Self {
            redirect_url: RedirectUrl::new(redirect_url).context("the public URL is not valid")?,
            http: Http::new(&provider).context("the HTTP client cannot be created")?,
            provider,
            clock: Arc::clone(clock),
            client_cache: Mutex::new(None),
        })
    }

    /// Its display name, and whether it is Google.
    pub fn name(&self) -> (&str, bool) {
        (&self.provider.name, self.provider.is_google)
    }

    /// The authorization URL for the browser.
    ///
    /// # Errors
    /// If the provider's metadata is not available.
    pub async fn sign_in_url(&self, secrets: Secrets, locale: Locale) -> Result<String> {
        let client = with_timeout(self.client()).await?;
        let verifier = PkceCodeVerifier::new(secrets.verifier);
        let (url, _, _) = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                move || CsrfToken::new(secrets.state),
                move || Nonce::new(secrets.nonce),
            )
            .add_scope(Scope::new("email".to_owned()))
            .add_scope(Scope::new("profile".to_owned()))
            .add_ui_locale(LanguageTag::new(locale.as_str().to_owned()))
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
            .url();
        Ok(url.into())
    }

    /// Identifies the user by the authorization code.
    ///
    /// # Errors
    /// If the provider rejects the code, or the ID token fails a check.
    pub async fn identify(&self, code: String, secrets: Secrets) -> Result<Person> {
        with_timeout(self.exchange(code, secrets)).await
    }

    async fn exchange(&self, code: String, secrets: Secrets) -> Result<Person> {
        let client = self.client().await?;
        let answer = client
            .exchange_code(AuthorizationCode::new(code))?
            .set_pkce_verifier(PkceCodeVerifier::new(secrets.verifier))
            .request_async(&self.http)
            .await
            .map_err(without_tokens)?;
        let token = answer.id_token().context("there is no ID token")?;
        let nonce = Nonce::new(secrets.nonce);
        let claims = match self.verify(&client, token, &nonce) {
            Err(ClaimsVerificationError::SignatureVerification(
                SignatureVerificationError::NoMatchingKey,
            )) => {
                // Signed with a key that is newer than the cached ones.
                let mut client_cache = self.client_cache.lock().await;
                let client = self.discover(&mut client_cache).await?;
                drop(client_cache);
                self.verify(&client, token, &nonce)
            }
            verified => verified,
        };
        person(claims.context("the ID token is not valid")?)
    }

    /// Checks signature, issuer, audience, nonce and expiry, by this server's clock.
    fn verify<'t>(
        &self,
        client: &Client,
        token: &'t CoreIdToken,
        nonce: &Nonce,
    ) -> Result<&'t CoreIdTokenClaims, ClaimsVerificationError> {
        let now = SystemTime::from(self.clock.now());
        let verifier = client
            .id_token_verifier()
            .set_allowed_algs(ALGORITHMS)
            .set_time_fn(move || now.into());
        token.claims(&verifier, nonce)
    }

    /// The client with the provider's metadata, cached.
    async fn client(&self) -> Result<Arc<Client>> {
        let mut client_cache = self.client_cache.lock().await;
        let now = self.clock.monotonic_ms();
        match &*client_cache {
            Some(CachedClient { outcome, until }) if now < *until => match outcome {
                Ok(client) => Ok(Arc::clone(client)),
                Err(why) => bail!("{why}"),
            },
            _ => self.discover(&mut client_cache).await,
        }
    }

    /// Fetches the provider's metadata, including its keys.
    async fn discover(&self, client_cache: &mut Option<CachedClient>) -> Result<Arc<Client>> {
        let found = self.ask_provider().await;
        let holds = if found.is_ok() {
            METADATA_TTL_MS
        } else {
            RETRY_PAUSE_MS
        };
        let until = self.clock.monotonic_ms() + holds;
        let outcome = match &found {
            Ok(client) => Ok(Arc::clone(client)),
            Err(error) => Err(format!("{error:#}")),
        };
        *client_cache = Some(CachedClient { outcome, until });
        found
    }

    async fn ask_provider(&self) -> Result<Arc<Client>> {
        let issuer = IssuerUrl::new(self.provider.issuer.clone())?;
        let metadata = CoreProviderMetadata::discover_async(issuer, &self.http)
            .await
            .context("the OpenID provider cannot be used")?;
        let id = ClientId::new(self.provider.client_id.clone());
        let secret = ClientSecret::new(self.provider.client_secret.expose().to_owned());
        let client = CoreClient::from_provider_metadata(metadata, id, Some(secret))
            .set_redirect_uri(self.redirect_url.clone());
        Ok(Arc::new(client))
    }
}

async fn with_timeout<T>(question: impl Future<Output = Result<T>>) -> Result<T> {
    let answer = tokio::time::timeout(TIMEOUT, question).await;
    answer.context("the OpenID provider takes too long")?
}

fn person(claims: &CoreIdTokenClaims) -> Result<Person> {
    let subject = claims.subject().as_str();
    ensure!(
        !subject.is_empty() && subject.len() <= MAX_SUBJECT,
        "the ID token has no usable subject"
    );
    let name = claims.name().and_then(|names| names.get(None));
    Ok(Person {
        issuer: claims.issuer().as_str().to_owned(),
        subject: subject.to_owned(),
        email: claims.email().map(|email| email.as_str().to_owned()),
        email_verified: claims.email_verified() == Some(true),
        name: name.map(|name| name.as_str().to_owned()),
    })
}

/// The error for the log. A response that could not be parsed may contain tokens, so it is left
/// out.
fn without_tokens(error: TokenError) -> anyhow::Error {
    match error {
        RequestTokenError::Parse(_, _) => anyhow!("the provider's answer cannot be read"),
        other => anyhow!(other).context("the provider rejects the code"),
    }
}
