//! The cost of cracking a stolen password hash.

use clap::Args;

/// Cost of a password's hash (argon2id); never below what OWASP's password storage cheat sheet asks
#[derive(Args, Clone, Copy, Debug)]
pub struct HashCost {
    /// Memory for one password hash, in KiB
    #[arg(
        long = "argon2-memory",
        env = "SLOVO_ARGON2_MEMORY",
        value_name = "KIB",
        default_value_t = 19 * 1024
    )]
    pub memory: u32,
    /// Passes over that memory
    #[arg(
        long = "argon2-passes",
        env = "SLOVO_ARGON2_PASSES",
        value_name = "N",
        default_value_t = 2
    )]
    pub passes: u32,
    /// Lanes of one password hash
    #[arg(
        long = "argon2-lanes",
        env = "SLOVO_ARGON2_LANES",
        value_name = "N",
        default_value_t = 1
    )]
    pub lanes: u32,
}

impl HashCost {
    /// Memory in KiB and passes that OWASP's cheat sheet lists as equivalent.
    const MINIMA: [(u32, u32); 5] = [
        (46 * 1024, 1),
        (19 * 1024, 2),
        (12 * 1024, 3),
        (9 * 1024, 4),
        (7 * 1024, 5),
    ];

    /// Whether this cost meets the recommendation of OWASP.
    pub fn is_enough(self) -> bool {
        let reaches = |(memory, passes)| self.memory >= memory && self.passes >= passes;
        Self::MINIMA.into_iter().any(reaches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_cost_must_reach_the_owasp_minimum() {
        let enough = |memory, passes| {
            let lanes = 1;
            HashCost {
                memory,
                passes,
                lanes,
            }
            .is_enough()
        };
        assert!(enough(19 * 1024, 2), "the default");
        assert!(enough(7 * 1024, 5) && enough(65536, 3) && enough(47104, 1));
        assert!(!enough(7 * 1024, 4) && !enough(19 * 1024, 1) && !enough(6 * 1024, 50));
    }
}
