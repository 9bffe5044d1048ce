//! A page that edits at random, and keeps what was acknowledged.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::program::Program;
use crate::user::User;

/// Edits that must be acknowledged.
pub const EDITS: usize = 1000;
/// Words that texts are made of.
pub const WORDS: [&str; 8] = [
    "рада",
    "п’ять",
    "місто",
    "і",
    "розмова",
    "день",
    "the",
    "їжак",
];

/// An edit by what its page called it, and what it changed.
pub type Done = (Uuid, Value);

/// What a page does: a request that is sent until it is answered.
pub struct Request {
    action: &'static str,
    pub body: Value,
}

/// One page.
pub struct Page {
    client: Uuid,
    random: StdRng,
    /// Its idea of the text, which may be old: segments by id.
    seen: BTreeMap<String, Value>,
    /// A request that was sent and not answered, because the program was killed.
    pub open: Option<Request>,
    /// What was acknowledged: changes by the edit's number.
    pub acknowledged: BTreeMap<u64, Done>,
    pub refused: usize,
    pub cut_off: usize,
}

impl Page {
    pub fn new(seed: u64) -> Self {
        Self {
            client: Uuid::new_v4(),
            random: StdRng::seed_from_u64(seed),
            seen: BTreeMap::new(),
            open: None,
            acknowledged: BTreeMap::new(),
            refused: 0,
            cut_off: 0,
        }
    }

    /// Edits until the program does not answer any more or enough is acknowledged.
    pub fn edit(
        &mut self,
        program: &Program,
        user: &User,
        job: &str,
        acknowledged_count: &AtomicUsize,
    ) {
        while acknowledged_count.load(Ordering::SeqCst) < EDITS {
            if self.seen.is_empty() {
                let path = format!("{job}/transcript?times=all");
                let Some(read) = user.try_get(program, &path) else {
                    return;
                };
                let read = read.json();
                let segments = read["segments"].as_array().unwrap().iter();
                self.seen = segments
                    .map(|segment| (text(&segment["id"]), segment.clone()))
                    .collect();
            }
            let request = match self.open.take() {
                Some(request) => request,
                None => self.next(),
            };
            let path = format!("{job}{}", request.action);
            let Some(answer) = user.try_post(program, &path, &request.body) else {
                self.open = Some(request);
                self.cut_off += 1;
                return;
            };
            let body = answer.json();
            match answer.status {
                200 => {
                    let id = match request.body["edit_id"].as_str() {
                        Some(id) => id.to_owned(),
                        None => text(&request.body["edits"][0]["edit_id"]),
                    };
                    self.learn(&body["changes"]);
                    let seq = body["seq"].as_u64().unwrap();
                    let acknowledged = (id.parse().unwrap(), body["changes"].clone());
                    let before = self.acknowledged.insert(seq, acknowledged);
                    assert!(before.is_none(), "{seq} was acknowledged twice");
                    acknowledged_count.fetch_add(1, Ordering::SeqCst);
                }
                409 if body["conflicts"].is_array() => {
                    self.refused += 1;
                    self.learn(&body["conflicts"]);
                    // What this page undoes may stay in conflict: it looks anew.
                    if request.action != "/edits" {
                        self.seen.clear();
                    }
                }
                409 => self.refused += 1,
                422 => {
                    self.refused += 1;
                    self.seen.clear();
                }
                other => panic!("{other}: {body}"),
            }
        }
    }

    fn learn(&mut self, changes: &Value) {
        for change in changes.as_array().unwrap() {
            let id = text(&change["id"]);
            if change["segment"].is_null() {
                self.seen.remove(&id);
            } else {
                self.seen.insert(id, change["segment"].clone());
            }
        }
    }

    fn words(&mut self) -> String {
        let count = self.random.random_range(1..10);
        let words: Vec<&str> = (0..count)
            .map(|_| WORDS[self.random.random_range(0..WORDS.len())])
            .collect();
        words.join(" ")
    }

    /// Something at random.
    fn next(&mut self) -> Request {
        let edit_id = Uuid::from_u128(self.random.random());
        let step = self.random.random_range(0..100);
        let step = match step {
            0..12 => Some("/edits/undo"),
            12..16 => Some("/edits/redo"),
            _ => None,
        };
        if let Some(action) = step {
            let body = json!({"version": 1, "client": self.client, "edit_id": edit_id});
            return Request { action, body };
        }
        let edit = json!({"edit_id": edit_id, "op": self.op()});
        let body = json!({"version": 1, "client": self.client, "edits": [edit]});
        Request {
            action: "/edits",
            body,
        }
    }

    fn op(&mut self) -> Value {
        let mut all: Vec<Value> = self.seen.values().cloned().collect();
        all.sort_by_key(|segment| {
            let place = &segment["place"];
            (place["base"].as_u64(), place["part"].as_u64())
        });
        let at = self.random.random_range(0..all.len());
        let reference =
            |segment: &Value| json!({"id": segment["id"], "revision": segment["revision"]});
        let target = reference(&all[at]);
        let speaker = |number: u32| format!("SPEAKER_{number}");
        match self.random.random_range(0..100) {
            0..12 => json!({"kind": "split", "segment": target,
                "at": self.random.random_range(1..20), "new_segment": Uuid::from_u128(self.random.random())}),
            12..24 if at + 1 < all.len() => {
                json!({"kind": "merge", "segment": target, "next": reference(&all[at + 1])})
            }
            24..32 => json!({"kind": "set_speaker", "segments": [target],
                "speaker": speaker(self.random.random_range(0..3))}),
            32..36 => json!({"kind": "rename_speaker",
                "speaker": speaker(self.random.random_range(0..3)), "name": self.words()}),
            36..38 => json!({"kind": "merge_speakers",
                "from": speaker(self.random.random_range(0..3)),
                "into": speaker(self.random.random_range(0..3))}),
            38..44 => {
                let next = (at + 1) % all.len();
                json!({"kind": "replace", "segments": [
                    {"segment": target, "text": self.words()},
                    {"segment": reference(&all[next]), "text": self.words()},
                ]})
            }
            _ => json!({"kind": "set_text", "segment": target, "text": self.words()}),
        }
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
