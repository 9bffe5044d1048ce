//! Rate limits of sign-in, sign-up and other actions. They are kept in memory: a restart resets
//! them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use super::limiter::{Allowance, Limiter, RateLimited};
use slovo_platform::clock::Clock;
use slovo_rules::api_key::REQUESTS_PER_MINUTE;

/// Maximum number of sign-in attempts for one account per hour, from all networks together: enough
/// that guesses from one network cannot lock the owner out, few enough that many networks together
/// cannot guess the password.
const ACCOUNT_TRIES_PER_HOUR: u32 = 200;

/// Maximum number of links to an archive of all data that one account may create per hour: each
/// makes the server read all data of the account.
const EXPORTS_PER_HOUR: u32 = 10;

/// Maximum number of avatars that one account may upload per hour: decoding one takes a core and
/// some 450 MB.
const AVATARS_PER_HOUR: u32 = 60;

/// Maximum number of templates that one account may upload per hour: each is unpacked and parsed.
const DOCX_TEMPLATES_PER_HOUR: u32 = 60;

/// Maximum number of URLs that one account may have probed per hour: a form probes each URL that is
/// entered, and these are too few to scan other networks.
const URL_PROBES_PER_HOUR: u32 = 120;

/// Maximum number of analyses that one account may request per hour: the endpoint may charge for
/// each.
const ANALYSES_PER_HOUR: u32 = 120;

/// Maximum number of recordings whose language one account may have found per hour. It uses the
/// engine for some seconds, but no minutes.
const DETECTIONS_PER_HOUR: u32 = 120;
/// Maximum number of requests that one account may send to its webhooks at will per hour: tests and
/// deliveries that are sent again.
const WEBHOOK_CALLS_PER_HOUR: u32 = 120;

/// Maximum number of stretches of recordings, of at most five minutes each, that one account may
/// have recognised again per hour.
const STRETCHES_PER_HOUR: u32 = 30;

/// Maximum number of voices that one account may have remembered, and texts that it may have
/// compared with them, per hour: each decodes a recording.
const VOICES_PER_HOUR: u32 = 120;

/// Maximum number of questions that one account may ask about its transcripts per hour.
const QUESTIONS_PER_HOUR: u32 = 120;

/// Maximum number of share links that one network may open per minute: enough for a school class,
/// too few to search for other links.
const SHARES_PER_MINUTE: u32 = 120;

/// Maximum number of parts of shared recordings that one network may request per minute: a player
/// requests one for every seek.
const SHARED_MEDIA_PER_MINUTE: u32 = 600;

/// Maximum number of comments that one network may write through one link per hour: enough for a
/// school class.
const COMMENTS_PER_HOUR: u32 = 60;

/// Maximum number of edits that one visit may send through a link per hour: a line every ten
/// seconds.
const SHARED_EDITS_PER_HOUR: u32 = 360;

/// Maximum number of edits that one network may send through one link per hour: enough for a school
/// class.
const SHARED_EDITS_OF_NETWORK: u32 = 1000;

/// Maximum number of attempts at a link's password from one network in 15 minutes: enough for a
/// school class behind one address, too few to guess the password.
const SHARE_TRIES: u32 = 60;

/// Maximum number of attempts at a link's password per hour, from all networks together.
const SHARE_TRIES_PER_HOUR: u32 = 200;

/// Maximum number of link passwords that one account may set per hour: each is hashed, in the slots
/// that all sign-ins share.
const SHARE_PASSWORDS_PER_HOUR: u32 = 60;

/// Maximum number of test mails that one administrator may have sent to themselves per hour: enough
/// to fix the SMTP configuration, too few to be treated as spam by the mail provider.
const MAIL_TESTS_PER_HOUR: u32 = 20;

/// Maximum number of password confirmations within the sessions of one account per hour, from all
/// networks together: a stolen session must not allow guessing the password.
const PROOFS_PER_HOUR: u32 = 50;

/// Maximum number of contact form messages that one network may send per hour: enough for an
/// office.
const CONTACT_MESSAGES_PER_HOUR: u32 = 10;

/// Maximum number of addresses that one network may subscribe to the newsletter per hour.
const NEWSLETTERS_PER_HOUR: u32 = 20;

/// Maximum number of page visits per minute that are counted for one network.
const VISITS_PER_MINUTE: u32 = 120;

/// Maximum number of newsletter confirmation mails to one address per hour, whoever requests them:
/// enough if the first was lost, too few to harass the owner.
const CONFIRMATIONS_PER_HOUR: u32 = 3;

/// Maximum number of mails to one address per hour from all networks together, given the maximum
/// from one network.
const fn from_all(from_one: u32) -> u32 {
    from_one.saturating_mul(5)
}

/// The configured limits.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// Sign-ups per hour from one network.
    pub signups_per_hour: u32,
    /// Attempts to sign in per minute from one network.
    pub logins_per_minute: u32,
    /// Attempts to sign in per 15 minutes to one account from one network.
    pub logins_per_account: u32,
    /// Mails per hour to one address, caused from one network.
    pub mails_per_hour: u32,
}

/// The limits of one server.
pub struct Limits {
    signup: Limiter<IpAddr>,
    login: Limiter<IpAddr>,
    login_pair: Limiter<u64>,
    login_account: Limiter<u64>,
    code_pair: Limiter<u64>,
    code: Limiter<u64>,
    link_pair: Limiter<u64>,
    link: Limiter<u64>,
    proof: Limiter<u64>,
    export: Limiter<u64>,
    avatar: Limiter<u64>,
    docx_template: Limiter<u64>,
    url_probe: Limiter<u64>,
    analysis: Limiter<u64>,
    stretch: Limiter<u64>,
    detection: Limiter<u64>,
    webhook_call: Limiter<u64>,
    voice: Limiter<u64>,
    question: Limiter<u64>,
    mail_test: Limiter<u64>,
    share: Limiter<IpAddr>,
    share_try_pair: Limiter<u64>,
    share_try: Limiter<u64>,
    share_secret: Limiter<u64>,
    shared_media: Limiter<IpAddr>,
    comment_pair: Limiter<u64>,
    comment: Limiter<u64>,
    shared_edit_visit: Limiter<Uuid>,
    shared_edit_pair: Limiter<u64>,
    shared_edit: Limiter<Uuid>,
    contact: Limiter<IpAddr>,
    newsletter: Limiter<IpAddr>,
    confirmation: Limiter<u64>,
    visit: Limiter<IpAddr>,
    note: Limiter<IpAddr>,
    api_request: Limiter<u64>,
    key_use: Limiter<u64>,
}

impl Limits {
    /// Limits with these configured values.
    pub fn new(rates: Rates, clock: &Arc<dyn Clock>) -> Self {
        const MINUTE: Duration = Duration::from_secs(60);
        let limiter = |count, period| Limiter::new(count, period, clock);
        Self {
            signup: limiter(rates.signups_per_hour, 60 * MINUTE),
            login: limiter(rates.logins_per_minute, MINUTE),
            login_pair: Limiter::new(rates.logins_per_account, 15 * MINUTE, clock),
            login_account: Limiter::new(ACCOUNT_TRIES_PER_HOUR, 60 * MINUTE, clock),
            code_pair: Limiter::new(rates.mails_per_hour, 60 * MINUTE, clock),
            code: Limiter::new(from_all(rates.mails_per_hour), 60 * MINUTE, clock),
            link_pair: Limiter::new(rates.mails_per_hour, 60 * MINUTE, clock),
            link: Limiter::new(from_all(rates.mails_per_hour), 60 * MINUTE, clock),
            proof: Limiter::new(PROOFS_PER_HOUR, 60 * MINUTE, clock),
            export: Limiter::new(EXPORTS_PER_HOUR, 60 * MINUTE, clock),
            avatar: Limiter::new(AVATARS_PER_HOUR, 60 * MINUTE, clock),
            docx_template: Limiter::new(DOCX_TEMPLATES_PER_HOUR, 60 * MINUTE, clock),
            url_probe: Limiter::new(URL_PROBES_PER_HOUR, 60 * MINUTE, clock),
            analysis: Limiter::new(ANALYSES_PER_HOUR, 60 * MINUTE, clock),
            stretch: Limiter::new(STRETCHES_PER_HOUR, 60 * MINUTE, clock),
            detection: Limiter::new(DETECTIONS_PER_HOUR, 60 * MINUTE, clock),
            webhook_call: Limiter::new(WEBHOOK_CALLS_PER_HOUR, 60 * MINUTE, clock),
            voice: Limiter::new(VOICES_PER_HOUR, 60 * MINUTE, clock),
            question: Limiter::new(QUESTIONS_PER_HOUR, 60 * MINUTE, clock),
            mail_test: Limiter::new(MAIL_TESTS_PER_HOUR, 60 * MINUTE, clock),
            share: Limiter::new(SHARES_PER_MINUTE, MINUTE, clock),
            share_try_pair: Limiter::new(SHARE_TRIES, 15 * MINUTE, clock),
            share_try: Limiter::new(SHARE_TRIES_PER_HOUR, 60 * MINUTE, clock),
            share_secret: Limiter::new(SHARE_PASSWORDS_PER_HOUR, 60 * MINUTE, clock),
            shared_media: Limiter::new(SHARED_MEDIA_PER_MINUTE, MINUTE, clock),
            comment_pair: Limiter::new(COMMENTS_PER_HOUR, 60 * MINUTE, clock),
            comment: Limiter::new(from_all(COMMENTS_PER_HOUR), 60 * MINUTE, clock),
            shared_edit_visit: Limiter::new(SHARED_EDITS_PER_HOUR, 60 * MINUTE, clock),
            shared_edit_pair: Limiter::new(SHARED_EDITS_OF_NETWORK, 60 * MINUTE, clock),
            shared_edit: Limiter::new(from_all(SHARED_EDITS_OF_NETWORK), 60 * MINUTE, clock),
            contact: Limiter::new(CONTACT_MESSAGES_PER_HOUR, 60 * MINUTE, clock),
            newsletter: Limiter::new(NEWSLETTERS_PER_HOUR, 60 * MINUTE, clock),
            confirmation: Limiter::new(CONFIRMATIONS_PER_HOUR, 60 * MINUTE, clock),
            visit: Limiter::new(VISITS_PER_MINUTE, MINUTE, clock),
            note: Limiter::new(1, MINUTE, clock),
            api_request: Limiter::new(REQUESTS_PER_MINUTE, MINUTE, clock),
            key_use: Limiter::new(1, MINUTE, clock),
        }
    }

    /// Whether this address may sign up now.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn signup(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.signup.check(&network(address))
    }

    /// Whether to record again that this address tries to sign in too often.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn note(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.note.check(&network(address))
    }

    /// Whether this address may try to sign in now, to any account.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn login(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.login.check(&network(address))
    }

    /// Whether a password may be tried for this (normalised) e-mail address from this address.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn login_to(&self, email: &str, address: IpAddr) -> Result<(), RateLimited> {
        self.login_pair.check(&key(&(email, network(address))))
    }

    /// Whether a password may be tried for this (normalised) e-mail address, counted over all
    /// networks. Does not apply to networks where the owner has been signed in: otherwise many
    /// strangers together could lock the owner out.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn login_from_new_networks(&self, email: &str) -> Result<(), RateLimited> {
        self.login_account.check(&key(&email))
    }

    /// Whether a sign-up code may be sent to this (normalised) e-mail address, requested from this
    /// address. Each network has its own limit, so that it cannot use up the limit of all.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn code_to(&self, email: &str, address: IpAddr) -> Result<(), RateLimited> {
        self.code_pair.check(&key(&(email, network(address))))?;
        self.code.check(&key(&email))
    }

    /// Whether a password reset link may be sent to this (normalised) e-mail address, requested
    /// from this address; like [`Limits::code_to`], but counted separately.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn link_to(&self, email: &str, address: IpAddr) -> Result<(), RateLimited> {
        self.link_pair.check(&key(&(email, network(address))))?;
        self.link.check(&key(&email))
    }

    /// Whether a session of this account may try its password once more, from any network.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn proof_of(&self, user_id: &str) -> Result<(), RateLimited> {
        self.proof.check(&key(&user_id))
    }

    /// Counts a request with an API key of this account; the first value is what is left of the
    /// limit, also if the request is refused.
    pub fn api_request(&self, user_id: &str) -> (Allowance, Result<(), RateLimited>) {
        match self.api_request.take(&key(&user_id)) {
            Ok(allowance) => (allowance, Ok(())),
            Err(limited) => (self.api_request.allowance(0), Err(limited)),
        }
    }

    /// Whether to note again that this API key is used: once a minute, because each note is a write.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn note_key_use(&self, key_id: &str) -> Result<(), RateLimited> {
        self.key_use.check(&key(&key_id))
    }

    /// Whether this account may request an archive of its data.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn export(&self, user_id: &str) -> Result<(), RateLimited> {
        self.export.check(&key(&user_id))
    }

    /// Whether this account may upload another avatar.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn avatar(&self, user_id: &str) -> Result<(), RateLimited> {
        self.avatar.check(&key(&user_id))
    }

    /// Whether this account may upload another template.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn docx_template(&self, user_id: &str) -> Result<(), RateLimited> {
        self.docx_template.check(&key(&user_id))
    }

    /// Whether this account may have another URL probed.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn url_probe(&self, user_id: &str) -> Result<(), RateLimited> {
        self.url_probe.check(&key(&user_id))
    }

    /// Whether this account may request another analysis.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn analysis(&self, user_id: &str) -> Result<(), RateLimited> {
        self.analysis.check(&key(&user_id))
    }

    /// Whether this account may have the language of another recording found.
    ///
    /// # Errors
    /// It had too many found in the last hour.
    pub fn detection(&self, user_id: &str) -> Result<(), RateLimited> {
        self.detection.check(&key(&user_id))
    }

    /// Whether this account may test a webhook, or have a delivery sent again.
    ///
    /// # Errors
    /// It did so too often in the last hour.
    pub fn webhook_call(&self, user_id: &str) -> Result<(), RateLimited> {
        self.webhook_call.check(&key(&user_id))
    }

    /// Whether this account may have another stretch of a recording recognised again.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn stretch(&self, user_id: &str) -> Result<(), RateLimited> {
        self.stretch.check(&key(&user_id))
    }

    /// Whether this account may have another voice remembered, or another text compared.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn voice(&self, user_id: &str) -> Result<(), RateLimited> {
        self.voice.check(&key(&user_id))
    }

    /// Whether this account may ask another question.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn question(&self, user_id: &str) -> Result<(), RateLimited> {
        self.question.check(&key(&user_id))
    }

    /// Whether this account may have another test mail sent to itself.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn mail_test(&self, user_id: &str) -> Result<(), RateLimited> {
        self.mail_test.check(&key(&user_id))
    }

    /// Whether this address may open or try another share link.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn share(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.share.check(&network(address))
    }

    /// Whether this address may request another part of a shared recording.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn shared_media(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.shared_media.check(&network(address))
    }

    /// Whether the password of a shared link may be tried once more from this address.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn share_password(&self, share: Uuid, address: IpAddr) -> Result<(), RateLimited> {
        self.share_try_pair
            .check(&key(&(share, network(address))))?;
        self.share_try.check(&key(&share))
    }

    /// Whether this account may set another password of a link.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn share_secret(&self, user_id: &str) -> Result<(), RateLimited> {
        self.share_secret.check(&key(&user_id))
    }

    /// Whether this address may write another comment through a share link.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn comment(&self, share: Uuid, address: IpAddr) -> Result<(), RateLimited> {
        self.comment_pair.check(&key(&(share, network(address))))?;
        self.comment.check(&key(&share))
    }

    /// Whether this visit may send another edit through its link, from this address.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn shared_edit(
        &self,
        share: Uuid,
        visit: Uuid,
        address: IpAddr,
    ) -> Result<(), RateLimited> {
        self.shared_edit_visit.check(&visit)?;
        let pair = key(&(share, network(address)));
        self.shared_edit_pair.check(&pair)?;
        self.shared_edit.check(&share)
    }

    /// Whether this address may send another contact form message.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn contact(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.contact.check(&network(address))
    }

    /// Whether this address may subscribe this (normalised) e-mail address to the newsletter once
    /// more. Checked whether or not a mail will be sent, so that the response does not reveal who
    /// is subscribed.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn newsletter(&self, email: &str, address: IpAddr) -> Result<(), RateLimited> {
        self.newsletter.check(&network(address))?;
        self.confirmation.check(&key(&email))
    }

    /// Whether another visit from this address is counted.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn visit(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.visit.check(&network(address))
    }

    /// Drops the state of all keys whose limits are fully refilled.
    pub fn forget_idle(&self) {
        self.signup.forget_idle();
        self.login.forget_idle();
        self.login_pair.forget_idle();
        self.login_account.forget_idle();
        self.code_pair.forget_idle();
        self.code.forget_idle();
        self.link_pair.forget_idle();
        self.link.forget_idle();
        self.proof.forget_idle();
        self.export.forget_idle();
        self.avatar.forget_idle();
        self.docx_template.forget_idle();
        self.url_probe.forget_idle();
        self.analysis.forget_idle();
        self.stretch.forget_idle();
        self.detection.forget_idle();
        self.webhook_call.forget_idle();
        self.voice.forget_idle();
        self.question.forget_idle();
        self.mail_test.forget_idle();
        self.share.forget_idle();
        self.share_try_pair.forget_idle();
        self.share_try.forget_idle();
        self.share_secret.forget_idle();
        self.shared_media.forget_idle();
        self.comment_pair.forget_idle();
        self.comment.forget_idle();
        self.shared_edit_visit.forget_idle();
        self.shared_edit_pair.forget_idle();
        self.shared_edit.forget_idle();
        self.contact.forget_idle();
        self.newsletter.forget_idle();
        self.confirmation.forget_idle();
        self.visit.forget_idle();
        self.note.forget_idle();
        self.api_request.forget_idle();
        self.key_use.forget_idle();
    }
}

/// The network of an address: the address itself for IPv4, its /64 for IPv6, because one customer
/// has at least a /64.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX))),
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// A hash as the key, so that no e-mail addresses are kept in memory.
fn key(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn ipv6_addresses_are_grouped_by_network_and_ipv4_addresses_are_not() {
        assert_eq!(
            network(address("2001:db8::1")),
            network(address("2001:db8::ffff:1"))
        );
        assert_ne!(
            network(address("2001:db8:0:1::1")),
            network(address("2001:db8:0:2::1"))
        );
        assert_eq!(network(address("::ffff:192.0.2.1")), address("192.0.2.1"));
        assert_ne!(network(address("192.0.2.1")), network(address("192.0.2.2")));
    }
}
