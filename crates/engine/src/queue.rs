//! A bounded queue between the threads of a job. It can be closed from outside, so that the threads
//! of a cancelled job do not wait for one another.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// First in, first out, at most `capacity` items.
pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    capacity: usize,
}

struct State<T> {
    items: VecDeque<T>,
    /// Whether the producer has finished; queued items are still returned.
    finished: bool,
    /// Whether the consumer no longer wants items.
    closed: bool,
}

impl<T> Queue<T> {
    pub(crate) fn new(capacity: usize) -> Self {
        let state = State {
            items: VecDeque::new(),
            finished: false,
            closed: false,
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            capacity,
        }
    }

    /// Waits for space; returns `false` if the queue was closed.
    pub(crate) fn push(&self, item: T) -> bool {
        let mut state = self.lock();
        while state.items.len() >= self.capacity && !state.closed {
            state = self.wait(state);
        }
        if state.closed {
            return false;
        }
        state.items.push_back(item);
        self.changed.notify_all();
        true
    }

    /// Waits for an item; `None` if there will be no more.
    pub(crate) fn pop(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some(item) = state.items.pop_front() {
                self.changed.notify_all();
                return Some(item);
            }
            if state.finished {
                return None;
            }
            state = self.wait(state);
        }
    }

    /// Marks that no more items follow.
    pub(crate) fn finish(&self) {
        self.lock().finished = true;
        self.changed.notify_all();
    }

    /// Drops the queued items and wakes all waiting threads.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.items.clear();
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // A panic in another thread cannot leave the queue in an inconsistent state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, guard: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
        self.changed
            .wait(guard)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_out_in_order_until_the_queue_is_finished() {
        let queue = Queue::new(2);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for item in 0..100 {
                    assert!(queue.push(item));
                }
                queue.finish();
            });
            let all: Vec<i32> = std::iter::from_fn(|| queue.pop()).collect();
            assert_eq!(all, (0..100).collect::<Vec<_>>());
        });
    }

    #[test]
    fn closing_wakes_the_writer_of_a_full_queue() {
        let queue = Queue::new(1);
        assert!(queue.push(1));
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| queue.push(2));
            queue.close();
            assert!(!writer.join().expect("no panic"));
        });
        assert_eq!(queue.pop(), None);
    }

    #[test]
    fn closing_wakes_the_reader_of_an_empty_queue() {
        let queue: Queue<i32> = Queue::new(1);
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| queue.pop());
            queue.close();
            assert_eq!(reader.join().expect("no panic"), None);
        });
    }
}
