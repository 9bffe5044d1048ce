//! Rate limits of sign-in, sign-up and other actions. They are kept in memory: a restart resets
//! them. Processes on one PostgreSQL database tell each other of attempts ([`Limits::gather`]), so that
//! several web processes together allow what one does, but for what is attempted within a fraction of a
//! second.

mod attempts;
mod table;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

use uuid::Uuid;

use self::table::Limit;
use super::limiter::{Allowance, Limiter, RateLimited};
use slovo_platform::clock::Clock;

pub use attempts::{Attempts, NoAttempts};

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

/// Kinds of attempts whose numbers wait to be told; more are not told.
const MAX_GATHERED: usize = 10_000;

/// The limits of one server.
pub struct Limits {
    /// In the order of [`Limit::ALL`].
    limiters: Vec<Limiter<u64>>,
    /// Attempts that other processes have yet to be told of; `None` if there are none to tell.
    gathered: Mutex<Option<HashMap<(Limit, u64), u32>>>,
}

impl Limits {
    /// Limits with these configured values.
    pub fn new(rates: Rates, clock: &Arc<dyn Clock>) -> Self {
        let all = Limit::ALL.iter();
        Self {
            limiters: all.map(|limit| limit.limiter(rates, clock)).collect(),
            gathered: Mutex::default(),
        }
    }

    fn limiter(&self, limit: Limit) -> &Limiter<u64> {
        &self.limiters[limit as usize]
    }

    /// Counts an attempt.
    fn check(&self, limit: Limit, of: &impl Hash) -> Result<(), RateLimited> {
        self.take(limit, of).map(drop)
    }

    /// Counts an attempt, and says what is left.
    fn take(&self, limit: Limit, of: &impl Hash) -> Result<Allowance, RateLimited> {
        let key = key(of);
        let allowance = self.limiter(limit).take(&key)?;
        let mut gathered = self.gathered();
        if limit.is_shared()
            && let Some(gathered) = &mut *gathered
            && (gathered.len() < MAX_GATHERED || gathered.contains_key(&(limit, key)))
        {
            *gathered.entry((limit, key)).or_default() += 1;
        }
        Ok(allowance)
    }

    fn gathered(&self) -> std::sync::MutexGuard<'_, Option<HashMap<(Limit, u64), u32>>> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The attempts since the last call, which other processes should be told of; the first call begins
    /// to gather them.
    pub fn gather(&self) -> Vec<Attempts> {
        let gathered = self.gathered().replace(HashMap::new()).unwrap_or_default();
        let attempts = gathered.into_iter();
        attempts
            .map(|((limit, key), count)| Attempts { limit, key, count })
            .collect()
    }

    /// Counts attempts at another process.
    pub fn count(&self, attempts: &Attempts) {
        let limiter = self.limiter(attempts.limit);
        for _ in 0..attempts.count {
            if limiter.check(&attempts.key).is_err() {
                return;
            }
        }
    }

    /// Whether this address may sign up now.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn signup(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.check(Limit::Signup, &network(address))
    }

    /// Whether to record again that this address tries to sign in too often.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn note(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.check(Limit::Note, &network(address))
    }

    /// Whether this address may try to sign in now, to any account.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn login(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.check(Limit::Login, &network(address))
    }

    /// Whether a password may be tried for this (normalised) e-mail address from this address.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn login_to(&self, email: &str, address: IpAddr) -> Result<(), RateLimited> {
        self.check(Limit::LoginPair, &(email, network(address)))
    }

    /// Whether a password may be tried for this (normalised) e-mail address, counted over all
    /// networks. Does not apply to networks where the owner has been signed in: otherwise many
    /// strangers together could lock the owner out.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn login_from_new_networks(&self, email: &str) -> Result<(), RateLimited> {
        self.check(Limit::LoginAccount, &email)
    }

    /// Whether a sign-up code may be sent to this (normalised) e-mail address, requested from this
    /// address. Each network has its own limit, so that it cannot use up the limit of all.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn code_to(&self, email: &str, address: IpAddr) -> Result<(), RateLimited> {
        self.check(Limit::CodePair, &(email, network(address)))?;
        self.check(Limit::Code, &email)
    }

    /// Whether a password reset link may be sent to this (normalised) e-mail address, requested
    /// from this address; like [`Limits::code_to`], but counted separately.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn link_to(&self, email: &str, address: IpAddr) -> Result<(), RateLimited> {
        self.check(Limit::LinkPair, &(email, network(address)))?;
        self.check(Limit::Link, &email)
    }

    /// Whether a session of this account may try its password once more, from any network.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn proof_of(&self, user_id: &str) -> Result<(), RateLimited> {
        self.check(Limit::Proof, &user_id)
    }

    /// Counts a request with an API key of this account; the first value is what is left of the
    /// limit, also if the request is refused.
    pub fn api_request(&self, user_id: &str) -> (Allowance, Result<(), RateLimited>) {
        match self.take(Limit::ApiRequest, &user_id) {
            Ok(allowance) => (allowance, Ok(())),
            Err(limited) => (self.limiter(Limit::ApiRequest).allowance(0), Err(limited)),
        }
    }

    /// Whether to note again that this API key is used: once a minute, because each note is a write.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn note_key_use(&self, key_id: &str) -> Result<(), RateLimited> {
        self.check(Limit::KeyUse, &key_id)
    }

    /// Whether this account may request an archive of its data.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn export(&self, user_id: &str) -> Result<(), RateLimited> {
        self.check(Limit::Export, &user_id)
    }

    /// Whether this account may upload another avatar.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn avatar(&self, user_id: &str) -> Result<(), RateLimited> {
        self.check(Limit::Avatar, &user_id)
    }

    /// Whether this account may upload another template.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn docx_template(&self, user_id: &str) -> Result<(), RateLimited> {
        self.check(Limit::DocxTemplate, &user_id)
    }

    /// Whether this account may have another URL probed.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn url_probe(&self, user_id: &str) -> Result<(), RateLimited> {
        self.check(Limit::UrlProbe, &user_id)
    }

    /// Whether this account may request another analysis.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn analysis(&self, user_id: &str) -> Result<(), RateLimited> {
        self.check(Limit::Analysis, &user_id)
    }

    /// Whether this account may have the language of another recording found.
    ///
    /// # Errors
    /// It had too many found in the last hour.
    pub fn detection(&self, user_id: &str) -> Result<(), RateLimited> {
        self.check(Limit::Detection, &user_id)
    }

    /// Whether this account may test a webhook, or have a delivery sent again.
    ///
    /// # Errors
    /// It did so too often in the last hour.
    pub fn webhook_call(&self, user_id: &str) -> Result<(), RateLimited> {
        self.check(Limit::WebhookCall, &user_id)
    }

    /// Whether this account may have another stretch of a recording recognised again.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn stretch(&self, user_id: &str) -> Result<(), RateLimited> {
        self.check(Limit::Stretch, &user_id)
    }

    /// Whether this account may have another voice remembered, or another text compared.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn voice(&self, user_id: &str) -> Result<(), RateLimited> {
        self.check(Limit::Voice, &user_id)
    }

    /// Whether this account may ask another question.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn question(&self, user_id: &str) -> Result<(), RateLimited> {
        self.check(Limit::Question, &user_id)
    }

    /// Whether this account may have another test mail sent to itself.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn mail_test(&self, user_id: &str) -> Result<(), RateLimited> {
        self.check(Limit::MailTest, &user_id)
    }

    /// Whether this address may open or try another share link.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn share(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.check(Limit::Share, &network(address))
    }

    /// Whether this address may request another part of a shared recording.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn shared_media(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.check(Limit::SharedMedia, &network(address))
    }

    /// Whether the password of a shared link may be tried once more from this address.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn share_password(&self, share: Uuid, address: IpAddr) -> Result<(), RateLimited> {
        self.check(Limit::ShareTryPair, &(share, network(address)))?;
        self.check(Limit::ShareTry, &share)
    }

    /// Whether this account may set another password of a link.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn share_secret(&self, user_id: &str) -> Result<(), RateLimited> {
        self.check(Limit::ShareSecret, &user_id)
    }

    /// Whether this address may write another comment through a share link.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn comment(&self, share: Uuid, address: IpAddr) -> Result<(), RateLimited> {
        self.check(Limit::CommentPair, &(share, network(address)))?;
        self.check(Limit::Comment, &share)
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
        self.check(Limit::SharedEditVisit, &visit)?;
        self.check(Limit::SharedEditPair, &(share, network(address)))?;
        self.check(Limit::SharedEdit, &share)
    }

    /// Whether this address may send another contact form message.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn contact(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.check(Limit::Contact, &network(address))
    }

    /// Whether this address may subscribe this (normalised) e-mail address to the newsletter once
    /// more. Checked whether or not a mail will be sent, so that the response does not reveal who
    /// is subscribed.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn newsletter(&self, email: &str, address: IpAddr) -> Result<(), RateLimited> {
        self.check(Limit::Newsletter, &network(address))?;
        self.check(Limit::Confirmation, &email)
    }

    /// Whether another visit from this address is counted.
    ///
    /// # Errors
    /// [`RateLimited`] if not.
    pub fn visit(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.check(Limit::Visit, &network(address))
    }

    /// Drops the state of all keys whose limits are fully refilled.
    pub fn forget_idle(&self) {
        for limiter in &self.limiters {
            limiter.forget_idle();
        }
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
    use slovo_platform::testing::TestClock;

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

    #[test]
    fn attempts_at_another_process_count() {
        let clock: Arc<dyn Clock> = Arc::new(TestClock::new());
        let rates = Rates {
            signups_per_hour: 5,
            logins_per_minute: 20,
            logins_per_account: 3,
            mails_per_hour: 3,
        };
        let [one, other] = [(); 2].map(|()| Limits::new(rates, &clock));
        let from = address("192.0.2.1");
        one.login_to("a@example.com", from).unwrap();
        assert_eq!(one.gather(), [], "from now on");
        one.login_to("a@example.com", from).unwrap();
        one.login_to("a@example.com", from).unwrap();
        one.login_to("a@example.com", from).unwrap_err();
        one.note(from).unwrap();
        let told = one.gather();
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(told[0].count, 2, "what was refused is not counted");
        assert_eq!(one.gather(), []);
        let word = told[0].to_string();
        assert!(!word.contains("example"), "{word}");
        assert_eq!(word.parse(), Ok(told[0]));
        other.count(&told[0]);
        other.login_to("a@example.com", from).unwrap();
        other.login_to("a@example.com", from).unwrap_err();
        other.login_to("b@example.com", from).unwrap();
        // However many are claimed, one limit is full.
        let many = Attempts {
            count: u32::MAX,
            ..told[0]
        };
        other.count(&many);
        for strange in [
            "",
            "login",
            "login:1",
            "login:1:x",
            "login:x:1",
            "other:1:1",
            "login:1:1:1",
        ] {
            assert_eq!(strange.parse::<Attempts>(), Err(NoAttempts), "{strange}");
        }
    }
}
