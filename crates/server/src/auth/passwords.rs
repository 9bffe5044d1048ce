//! Hashing and checking of passwords, off the async threads and a few at a time.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use tokio::sync::Semaphore;

use crate::config::HashCost;
use crate::random::Random;

/// Bytes of salt, as RFC 9106 recommends.
const SALT_BYTES: usize = 16;

/// What became of checking a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is the right one.
    Right,
    /// It is the right one, but hashed with weaker parameters than today's: store this instead.
    RightButRehash(String),
    /// It is not.
    Wrong,
}

/// Hashes passwords with argon2id. Cheap to clone.
#[derive(Clone)]
pub struct Passwords {
    params: Params,
    /// Compared when there is no account, so that this takes as long as when there is one.
    decoy: Arc<str>,
    /// Hashes made so far, for the tests that count them.
    #[cfg(test)]
    work: Arc<std::sync::atomic::AtomicUsize>,
    /// Each hash takes 19 MiB and a core: more at once than cores would only use up memory.
    places: Arc<Semaphore>,
}

impl Passwords {
    /// With the configured cost; by default about 20 ms on one core of a small server.
    ///
    /// # Errors
    /// If argon2 does not work on this machine, or refuses the cost.
    pub fn new(cost: HashCost, random: &dyn Random) -> Result<Self> {
        Self::with_cost(cost.memory, cost.passes, cost.lanes, random)
    }

    /// With other parameters: memory in KiB, passes, lanes.
    ///
    /// # Errors
    /// If argon2 refuses them.
    pub fn with_cost(memory: u32, passes: u32, lanes: u32, random: &dyn Random) -> Result<Self> {
        let params =
            Params::new(memory, passes, lanes, None).map_err(|error| anyhow!("{error}"))?;
        let mut nobody = [0; 32];
        random.fill(&mut nobody);
        let decoy = hash(&params, &nobody, &salt(random))?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let places = Arc::new(Semaphore::new(cores.clamp(1, 4)));
        Ok(Self {
            params,
            decoy: decoy.into(),
            #[cfg(test)]
            work: Arc::default(),
            places,
        })
    }

    /// A new password's hash: a PHC string with parameters and salt.
    ///
    /// # Errors
    /// If argon2 fails, which it does not for passwords within the rules.
    pub async fn hash(&self, password: &str, random: &dyn Random) -> Result<String> {
        let (params, password, salt) = (self.params.clone(), password.to_owned(), salt(random));
        self.blocking(move || hash(&params, password.as_bytes(), &salt))
            .await
    }

    /// Compares a password with an account's hash; with a decoy where there is no account.
    ///
    /// # Errors
    /// If the stored hash is not one of argon2id.
    pub async fn verify(
        &self,
        password: &str,
        stored: Option<&str>,
        random: &dyn Random,
    ) -> Result<Verdict> {
        let known = stored.is_some();
        let stored = stored.unwrap_or(&self.decoy).to_owned();
        let (params, password, salt) = (self.params.clone(), password.to_owned(), salt(random));
        self.blocking(move || {
            let phc = PasswordHash::new(&stored).map_err(|error| anyhow!("{error}"))?;
            match Argon2::default().verify_password(password.as_bytes(), &phc) {
                Ok(()) if !known => Ok(Verdict::Wrong),
                Ok(()) if Params::try_from(&phc).is_ok_and(|used| same_cost(&used, &params)) => {
                    Ok(Verdict::Right)
                }
                Ok(()) => Ok(Verdict::RightButRehash(hash(
                    &params,
                    password.as_bytes(),
                    &salt,
                )?)),
                Err(argon2::password_hash::Error::PasswordInvalid) => Ok(Verdict::Wrong),
                Err(error) => Err(anyhow!("a stored password hash cannot be checked: {error}")),
            }
        })
        .await
    }

    /// How many hashes have been made or compared.
    #[cfg(test)]
    pub fn work(&self) -> usize {
        self.work.load(std::sync::atomic::Ordering::SeqCst)
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let place = Arc::clone(&self.places).acquire_owned().await?;
        #[cfg(test)]
        self.work.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        tokio::task::spawn_blocking(move || {
            // Given back when the work is done, even if the request has been dropped by then.
            let _place = place;
            work()
        })
        .await
        .context("hashing was interrupted")?
    }
}

fn same_cost(left: &Params, right: &Params) -> bool {
    (left.m_cost(), left.t_cost(), left.p_cost())
        == (right.m_cost(), right.t_cost(), right.p_cost())
}

fn salt(random: &dyn Random) -> [u8; SALT_BYTES] {
    let mut salt = [0; SALT_BYTES];
    random.fill(&mut salt);
    salt
}

fn hash(params: &Params, password: &[u8], salt: &[u8]) -> Result<String> {
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
    let hashed: PasswordHash = argon2
        .hash_password_with_salt(password, salt)
        .map_err(|error| anyhow!("{error}"))?;
    Ok(hashed.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::SeededRandom;

    fn cheap(random: &dyn Random) -> Passwords {
        Passwords::with_cost(8, 1, 1, random).unwrap()
    }

    #[tokio::test]
    async fn the_right_password_passes_and_others_do_not() {
        let random = SeededRandom::new(1);
        let passwords = cheap(&random);
        let stored = passwords.hash("Кориця-2026!", &random).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=8,t=1,p=1$"));
        let verdict = async |password| {
            passwords
                .verify(password, Some(&stored), &random)
                .await
                .unwrap()
        };
        assert_eq!(verdict("Кориця-2026!").await, Verdict::Right);
        for wrong in ["", "Кориця-2026", "кориця-2026!", "Кориця-2026! ", "\0"] {
            assert_eq!(verdict(wrong).await, Verdict::Wrong, "{wrong:?}");
        }
        let again = passwords.hash("Кориця-2026!", &random).await.unwrap();
        assert_ne!(stored, again, "every hash has a salt of its own");
    }

    #[tokio::test]
    async fn without_an_account_nothing_is_right() {
        let random = SeededRandom::new(1);
        let verdict = cheap(&random)
            .verify("anything", None, &random)
            .await
            .unwrap();
        assert_eq!(verdict, Verdict::Wrong);
    }

    #[tokio::test]
    async fn an_old_hash_is_replaced_by_a_stronger_one() {
        let random = SeededRandom::new(1);
        let stored = cheap(&random).hash("right", &random).await.unwrap();
        let today = Passwords::with_cost(16, 2, 1, &random).unwrap();
        let verdict = today.verify("right", Some(&stored), &random).await.unwrap();
        let Verdict::RightButRehash(new) = verdict else {
            panic!("{verdict:?}")
        };
        assert!(new.contains("m=16,t=2"));
        assert_eq!(
            today.verify("right", Some(&new), &random).await.unwrap(),
            Verdict::Right
        );
        let wrong = today.verify("wrong", Some(&stored), &random).await.unwrap();
        assert_eq!(wrong, Verdict::Wrong);
    }

    #[tokio::test]
    async fn a_damaged_hash_is_an_error_and_not_an_open_door() {
        let random = SeededRandom::new(1);
        for damaged in ["", "plain", "$argon2id$v=19$m=8,t=1,p=1$", "$1$abc$def"] {
            let outcome = cheap(&random).verify("plain", Some(damaged), &random).await;
            assert!(outcome.is_err(), "{damaged:?}: {outcome:?}");
        }
    }

    #[tokio::test]
    async fn each_check_is_one_hash_with_or_without_an_account() {
        let random = SeededRandom::new(1);
        let passwords = cheap(&random);
        let stored = passwords.hash("right", &random).await.unwrap();
        let before = passwords.work();
        for stored in [Some(stored.as_str()), None] {
            let verdict = passwords.verify("wrong", stored, &random).await.unwrap();
            assert_eq!(verdict, Verdict::Wrong);
        }
        assert_eq!(passwords.work() - before, 2);
    }
}
