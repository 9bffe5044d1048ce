//! The memory for hashing, reused between hashes.
//!
//! In fresh memory a 19 MiB hash spends as long on page faults (4,865, measured) as on argon2
//! itself, and whether the allocator returns fresh memory varies.

use std::sync::{Mutex, PoisonError};

use argon2::Block;

/// Blocks of 1 KiB. Keeps as many sets as the most hashes that ever ran at once.
pub(super) struct Memory {
    blocks: usize,
    free: Mutex<Vec<Vec<Block>>>,
}

impl Memory {
    /// For hashes of this many blocks; other sizes get memory that is not kept.
    pub(super) const fn new(blocks: usize) -> Self {
        let free = Mutex::new(Vec::new());
        Self { blocks, free }
    }

    /// Lends this many blocks. Their old content does not matter: argon2 writes each block before
    /// it reads it.
    pub(super) fn with<T>(&self, blocks: usize, work: impl FnOnce(&mut [Block]) -> T) -> T {
        if blocks != self.blocks {
            return work(&mut vec![Block::default(); blocks]);
        }
        let reused = self.lock().pop();
        let mut set = reused.unwrap_or_else(|| vec![Block::default(); blocks]);
        let result = work(&mut set);
        self.lock().push(set);
        result
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Vec<Block>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_reused_and_grows_only_with_concurrent_use() {
        let memory = Memory::new(8);
        for _ in 0..3 {
            memory.with(8, |outer| {
                memory.with(8, |inner| assert_eq!((outer.len(), inner.len()), (8, 8)));
            });
        }
        assert_eq!(memory.lock().len(), 2);
        memory.with(16, |others| assert_eq!(others.len(), 16));
        assert_eq!(memory.lock().len(), 2);
    }
}
