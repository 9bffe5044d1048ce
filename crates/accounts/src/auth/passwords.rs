//! Hashes and verifies passwords on blocking threads, with limited concurrency.

mod memory;
mod strength;

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;

use memory::Memory;
use strength::too_weak;

use slovo_platform::random::Random;

/// Bytes of salt, as RFC 9106 recommends.
const SALT_BYTES: usize = 16;

/// Result of verifying a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is correct.
    Right,
    /// It is correct, but its hash has weaker parameters than the current ones: store this new
    /// hash.
    RightButRehash(String),
    /// It is wrong.
    Wrong,
}

/// Hashes passwords with argon2id. Cheap to clone.
#[derive(Clone)]
pub struct Passwords {
    params: Params,
    memory: Arc<Memory>,
    /// Verified when there is no account, so that the response takes equally long.
    decoy: Arc<str>,
    /// Number of hashes so far, for tests.
    #[cfg(any(test, feature = "testing"))]
    work: Arc<std::sync::atomic::AtomicUsize>,
    /// Each hash takes 19 MiB and a core: running more than there are cores would only use memory.
    places: Arc<Semaphore>,
}

impl Passwords {
    /// With this cost: memory in KiB, passes, lanes.
    ///
    /// # Errors
    /// If argon2 does not work on this machine, or rejects the cost.
    pub fn with_cost(memory: u32, passes: u32, lanes: u32, random: &dyn Random) -> Result<Self> {
        let params =
            Params::new(memory, passes, lanes, None).map_err(|error| anyhow!("{error}"))?;
        let mut decoy_password = [0; 32];
        random.fill(&mut decoy_password);
        let memory = Arc::new(Memory::new(params.block_count()));
        let decoy = hash(&memory, &params, &decoy_password, &salt(random))?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let places = Arc::new(Semaphore::new(cores.clamp(1, 4)));
        Ok(Self {
            params,
            memory,
            decoy: decoy.into(),
            #[cfg(any(test, feature = "testing"))]
            work: Arc::default(),
            places,
        })
    }

    /// The hash of a new password: a PHC string with parameters and salt; `None` if the password is
    /// too easy to guess. `about` is what an attacker may know about its owner.
    ///
    /// # Errors
    /// If argon2 fails, which it does not for passwords that meet the rules.
    pub async fn choose(
        &self,
        password: &str,
        about: &[&str],
        random: &dyn Random,
    ) -> Result<Option<String>> {
        let (params, password, salt) = (self.params.clone(), password.to_owned(), salt(random));
        let about: Vec<String> = about.iter().map(|&known| known.to_owned()).collect();
        let memory = Arc::clone(&self.memory);
        self.blocking(move || {
            if too_weak(&password, &about) {
                return Ok(None);
            }
            hash(&memory, &params, password.as_bytes(), &salt).map(Some)
        })
        .await
    }

    /// Verifies a password against an account's hash; against a decoy if there is no account.
    ///
    /// # Errors
    /// If the stored hash is not argon2id.
    pub async fn verify(
        &self,
        password: &str,
        stored: Option<&str>,
        random: &dyn Random,
    ) -> Result<Verdict> {
        let has_account = stored.is_some();
        let stored = stored.unwrap_or(&self.decoy).to_owned();
        let (params, password, salt) = (self.params.clone(), password.to_owned(), salt(random));
        let memory = Arc::clone(&self.memory);
        self.blocking(move || {
            let (used, right) = check(&memory, &stored, password.as_bytes())
                .context("a stored password hash cannot be checked")?;
            if !(has_account && right) {
                return Ok(Verdict::Wrong);
            }
            if same_cost(&used, &params) {
                return Ok(Verdict::Right);
            }
            let new = hash(&memory, &params, password.as_bytes(), &salt)?;
            Ok(Verdict::RightButRehash(new))
        })
        .await
    }

    /// Number of hashes computed.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn work(&self) -> usize {
        self.work.load(std::sync::atomic::Ordering::SeqCst)
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let place = Arc::clone(&self.places).acquire_owned().await?;
        #[cfg(any(test, feature = "testing"))]
        self.work.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        tokio::task::spawn_blocking(move || {
            // Released when the hash is done, even if the request was dropped before.
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

fn hash(memory: &Memory, params: &Params, password: &[u8], salt: &[u8]) -> Result<String> {
    let output = run(memory, params, Version::default(), password, salt)?;
    let params = ParamsString::try_from(params).map_err(|error| anyhow!("{error}"))?;
    let hashed = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::default().into()),
        params,
        salt: Some(Salt::new(salt).map_err(|error| anyhow!("{error}"))?),
        hash: Some(output),
    };
    Ok(hashed.to_string())
}

/// The cost of a stored hash, and whether it matches this password.
fn check(memory: &Memory, stored: &str, password: &[u8]) -> Result<(Params, bool)> {
    let phc = PasswordHash::new(stored).map_err(|error| anyhow!("{error}"))?;
    if phc.algorithm != Algorithm::Argon2id.ident() {
        anyhow::bail!("it is not an argon2id hash");
    }
    let version = match phc.version {
        Some(version) => Version::try_from(version).map_err(|error| anyhow!("{error}"))?,
        None => Version::default(),
    };
    let params = Params::try_from(&phc).map_err(|error| anyhow!("{error}"))?;
    let (Some(salt), Some(expected)) = (phc.salt, phc.hash) else {
        anyhow::bail!("it has no salt or no hash");
    };
    let output = run(memory, &params, version, password, salt.as_ref())?;
    // Compares in constant time.
    Ok((params, output == expected))
}

fn run(
    memory: &Memory,
    params: &Params,
    version: Version,
    password: &[u8],
    salt: &[u8],
) -> Result<Output> {
    let argon2 = Argon2::new(Algorithm::Argon2id, version, params.clone());
    let mut buffer = [0; Output::MAX_LENGTH];
    let length = params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN);
    let out = buffer
        .get_mut(..length)
        .context("a hash of this length cannot be stored")?;
    memory
        .with(params.block_count(), |blocks| {
            argon2.hash_password_into_with_memory(password, salt, out, blocks)
        })
        .map_err(|error| anyhow!("{error}"))?;
    Output::new(out).map_err(|error| anyhow!("{error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use slovo_platform::testing::SeededRandom;

    fn cheap(random: &dyn Random) -> Passwords {
        Passwords::with_cost(8, 1, 1, random).unwrap()
    }

    const RIGHT: &str = "a right password";

    async fn hash_of(passwords: &Passwords, password: &str) -> String {
        let random = SeededRandom::new(2);
        let hash = passwords.choose(password, &[], &random).await;
        hash.unwrap().expect("it is not weak")
    }

    #[tokio::test]
    async fn a_weak_password_is_not_hashed() {
        let random = SeededRandom::new(1);
        let passwords = cheap(&random);
        let weak = passwords.choose("Password123!", &[], &random).await;
        assert_eq!(weak.unwrap(), None);
    }

    #[tokio::test]
    async fn the_right_password_passes_and_others_do_not() {
        let random = SeededRandom::new(1);
        let passwords = cheap(&random);
        let stored = hash_of(&passwords, "Кориця-2026!").await;
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
        let again = passwords.choose("Кориця-2026!", &[], &random).await;
        let again = again.unwrap().unwrap();
        assert_ne!(stored, again, "every hash has a salt of its own");
    }

    #[tokio::test]
    async fn without_an_account_no_password_is_right() {
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
        let stored = hash_of(&cheap(&random), RIGHT).await;
        let today = Passwords::with_cost(16, 2, 1, &random).unwrap();
        let verdict = today.verify(RIGHT, Some(&stored), &random).await.unwrap();
        let Verdict::RightButRehash(new) = verdict else {
            panic!("{verdict:?}")
        };
        assert!(new.contains("m=16,t=2"));
        assert_eq!(
            today.verify(RIGHT, Some(&new), &random).await.unwrap(),
            Verdict::Right
        );
        let wrong = today.verify("wrong", Some(&stored), &random).await.unwrap();
        assert_eq!(wrong, Verdict::Wrong);
    }

    #[tokio::test]
    async fn a_damaged_hash_is_an_error() {
        let random = SeededRandom::new(1);
        for damaged in ["", "plain", "$argon2id$v=19$m=8,t=1,p=1$", "$1$abc$def"] {
            let outcome = cheap(&random).verify("plain", Some(damaged), &random).await;
            assert!(outcome.is_err(), "{damaged:?}: {outcome:?}");
        }
    }

    #[tokio::test]
    async fn each_check_computes_one_hash_with_or_without_an_account() {
        let random = SeededRandom::new(1);
        let passwords = cheap(&random);
        let stored = hash_of(&passwords, RIGHT).await;
        let before = passwords.work();
        for stored in [Some(stored.as_str()), None] {
            let verdict = passwords.verify("wrong", stored, &random).await.unwrap();
            assert_eq!(verdict, Verdict::Wrong);
        }
        assert_eq!(passwords.work() - before, 2);
    }
}
