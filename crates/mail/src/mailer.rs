//! Sending mails, immediately or in the background.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use lettre::Message;
use slovo_rules::locale::Locale;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

#[cfg(any(test, feature = "testing"))]
use crate::captured::{CapturedMail, CapturedMails};
use crate::content::{self, RenderContext, RenderedMail};
use crate::message::{self, Stamp};
use crate::outbox::{self, Outbox};
use crate::smtp::{Smtp, SmtpServer};
use crate::texts::Texts;
use crate::{Mail, MailError, Recipient, Sender};
use slovo_platform::clock::Clock;
use slovo_platform::public_url::PublicUrl;
use slovo_platform::random::Random;

/// Sends mails. Cheap to clone; all clones share their state.
#[derive(Clone)]
pub struct Mailer(Arc<Parts>);

/// The dependencies of a mailer.
pub struct Parts {
    /// The transport.
    pub transport: Transport,
    /// The sender.
    pub sender: Sender,
    /// The base URL of links.
    pub public_url: PublicUrl,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
    /// Timeouts and retries.
    pub retry: RetryPolicy,
    /// Cancelled when the server shuts down.
    pub shutdown: CancellationToken,
    /// Background tasks that the server waits for before it exits.
    pub tasks: TaskTracker,
}

/// Timeouts and retries.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    /// Timeout of one attempt.
    pub limit: Duration,
    /// The pauses between the attempts of [`Mailer::send_soon`].
    pub pauses: [Duration; 2],
}

impl Default for RetryPolicy {
    /// A person waits for the first attempt, so it ends within 15 s. The second one outlasts a
    /// restart of the mail server, the third one greylisting (RFC 6647, section 4.5 names minutes).
    fn default() -> Self {
        Self {
            limit: Duration::from_secs(15),
            pauses: [Duration::from_secs(10), Duration::from_secs(300)],
        }
    }
}

/// How mails are delivered.
pub enum Transport {
    /// By an SMTP server.
    Smtp(Box<Smtp>),
    /// Not at all: they are printed and stored.
    Outbox(Outbox),
    /// Captured by a test.
    #[cfg(any(test, feature = "testing"))]
    Caught(CapturedMails),
}

impl Transport {
    /// By this SMTP server; without one, mails are stored in the outbox of the data folder.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub fn new(server: Option<SmtpServer>, public_url: &PublicUrl, data: &Path) -> Result<Self> {
        let Some(server) = server else {
            return Ok(Self::Outbox(Outbox::new(data)));
        };
        Ok(Self::Smtp(Box::new(Smtp::new(server, public_url)?)))
    }

    /// A transport that captures mails.
    #[cfg(any(test, feature = "testing"))]
    pub fn caught() -> Self {
        Self::Caught(CapturedMails::default())
    }
}

/// How mails are delivered, without any secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryMethod {
    /// By the SMTP server at this host and port.
    Smtp(String),
    /// Not at all: they are stored in this folder.
    Outbox(PathBuf),
}

/// A mail that is built but not sent.
struct ComposedMail {
    to: Recipient,
    kind: &'static str,
    #[cfg(any(test, feature = "testing"))]
    locale: Locale,
    #[cfg(any(test, feature = "testing"))]
    reply_to: Option<Recipient>,
    rendered: RenderedMail,
    now_ms: i64,
    id: String,
    message: Message,
}

impl Mailer {
    /// A mailer with these dependencies.
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// How mails are delivered, as shown to administrators.
    pub fn delivery_method(&self) -> DeliveryMethod {
        match &self.0.transport {
            Transport::Smtp(smtp) => DeliveryMethod::Smtp(smtp.place()),
            Transport::Outbox(outbox) => DeliveryMethod::Outbox(outbox.folder().to_owned()),
            #[cfg(any(test, feature = "testing"))]
            Transport::Caught(_) => DeliveryMethod::Smtp("mail.test:25".to_owned()),
        }
    }

    /// The sender of mails.
    pub fn sender(&self) -> String {
        self.0.sender.to_string()
    }

    /// Whether mails leave the machine and reach their recipients.
    pub fn reaches_recipients(&self) -> bool {
        !matches!(self.0.transport, Transport::Outbox(_))
    }

    /// Sends a mail in the recipient's language; when this returns, the SMTP server or the outbox
    /// has it. One attempt of at most 15 s.
    ///
    /// # Errors
    /// Why it could not be sent. Error messages never contain the mail's content.
    pub async fn send(&self, to: &str, locale: Locale, mail: &Mail) -> Result<(), MailError> {
        self.deliver(&Arc::new(self.write(to, locale, mail)?)).await
    }

    /// Sends a mail in the background: up to three attempts, and a line in the log if all fail.
    /// When the server shuts down, the last attempt is made at once.
    pub fn send_soon(&self, to: &str, locale: Locale, mail: &Mail) {
        let kind = mail.kind();
        let written = match self.write(to, locale, mail) {
            Ok(written) => Arc::new(written),
            Err(error) => {
                tracing::warn!(kind, %error, "a mail was not sent");
                return;
            }
        };
        let mailer = self.clone();
        self.0.tasks.spawn(async move {
            if let Err(error) = mailer.send_with_retries(&written).await {
                tracing::error!(kind, id = written.id, %error, "a mail was not sent");
            }
        });
    }

    async fn send_with_retries(&self, written: &Arc<ComposedMail>) -> Result<(), MailError> {
        let parts = &self.0;
        for pause in parts.retry.pauses {
            match self.deliver(written).await {
                Err(error) if !error.is_permanent() => {
                    tracing::warn!(kind = written.kind, id = written.id, %error, "a mail is delayed");
                }
                ended => return ended,
            }
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = parts.shutdown.cancelled() => break,
            }
        }
        self.deliver(written).await
    }

    fn write(&self, to: &str, locale: Locale, mail: &Mail) -> Result<ComposedMail, MailError> {
        let parts = &self.0;
        let to = Recipient::parse(to)?;
        let context = RenderContext {
            texts: Texts::of(locale),
            to: to.as_str(),
            public_url: &parts.public_url,
        };
        let rendered = content::render(mail, &context)?;
        let now_ms = parts.clock.now_ms();
        let id = parts.random.uuid();
        let stamp = Stamp {
            now_ms,
            id: &id,
            host: parts.public_url.host(),
        };
        let reply_to = mail.reply_to();
        let message = message::build(&rendered, &parts.sender, &to, reply_to.as_ref(), &stamp)?;
        Ok(ComposedMail {
            to,
            kind: mail.kind(),
            #[cfg(any(test, feature = "testing"))]
            locale,
            #[cfg(any(test, feature = "testing"))]
            reply_to,
            rendered,
            now_ms,
            id,
            message,
        })
    }

    async fn deliver(&self, written: &Arc<ComposedMail>) -> Result<(), MailError> {
        let delivered = self.hand_over(written).await;
        slovo_platform::metrics::mail(written.kind, delivered.is_ok());
        delivered
    }

    async fn hand_over(&self, written: &Arc<ComposedMail>) -> Result<(), MailError> {
        match &self.0.transport {
            Transport::Smtp(smtp) => smtp.send(&written.message, self.0.retry.limit).await,
            Transport::Outbox(outbox) => store(outbox.clone(), Arc::clone(written)).await,
            #[cfg(any(test, feature = "testing"))]
            Transport::Caught(caught) => {
                caught.add(written.to_caught_mail());
                Ok(())
            }
        }
    }
}

/// Stores and prints a mail on a blocking thread.
async fn store(outbox: Outbox, written: Arc<ComposedMail>) -> Result<(), MailError> {
    let stored = tokio::task::spawn_blocking(move || {
        let mail = written.message.formatted();
        let path = outbox.store(written.now_ms, written.kind, &written.id, &mail)?;
        outbox::show(written.to.as_str(), &written.rendered, &path);
        Ok(())
    });
    stored
        .await
        .map_err(|error| MailError::Unwritable(error.to_string()))?
}

#[cfg(any(test, feature = "testing"))]
impl Mailer {
    /// The mails captured so far.
    pub fn caught(&self) -> Vec<CapturedMail> {
        match &self.0.transport {
            Transport::Caught(caught) => caught.all(),
            Transport::Smtp(_) | Transport::Outbox(_) => panic!("this mailer does not capture"),
        }
    }

    /// Waits until all background mails have been sent or abandoned.
    pub async fn wait_until_sent(&self) {
        self.0.tasks.close();
        self.0.tasks.wait().await;
        self.0.tasks.reopen();
    }

    /// The dependencies of a mailer that has no other clones.
    pub fn into_parts(self) -> Parts {
        Arc::into_inner(self.0).expect("the only one")
    }
}

#[cfg(any(test, feature = "testing"))]
impl ComposedMail {
    fn to_caught_mail(&self) -> CapturedMail {
        CapturedMail {
            to: self.to.as_str().to_owned(),
            kind: self.kind,
            locale: self.locale,
            reply_to: self.reply_to.as_ref().map(|to| to.as_str().to_owned()),
            subject: self.rendered.subject.clone(),
            text: self.rendered.text.clone(),
            html: self.rendered.html.clone(),
        }
    }
}
