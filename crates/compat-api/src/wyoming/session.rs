//! One connection: its requests one after the other.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::{Method, Request, header};
use serde_json::{Value, json};
use slovo_app::auth::Caller;
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::timeout;

use super::Access;
use super::event::{self, Event};
use super::info::info;
use crate::fields::language;
use crate::models::{self, NamedModel};
use crate::receive::{Head, WithHead, malformed};
use crate::recognised_text::{joined, whole};
use crate::refusal::Refusal;
use crate::request::SpeechRequest;
use crate::run::{Progress, Running, start};
use slovo_api::uploads::arriving::{Arriving, DRAIN_TIME, StoredRecording, receive_from};

/// The address that the key's permission is looked up for.
const ADDRESS: &str = "/v1/wyoming";

/// Most bytes of one recording: an hour as Home Assistant sends it.
const MAX_AUDIO: usize = 120 * 1024 * 1024;
/// How long one recording may take to arrive.
const AUDIO_TIME: Duration = Duration::from_hours(1);
/// How long a recording may wait for others that arrive.
const TURN_TIME: Duration = Duration::from_secs(30);
/// Most samples per second.
const MAX_RATE: u32 = 192_000;
/// Most channels.
const MAX_CHANNELS: u32 = 8;
/// Most bytes of a sample.
const MAX_WIDTH: u32 = 4;

/// A connection.
pub(super) struct Session<'a> {
    read: BufReader<OwnedReadHalf>,
    write: OwnedWriteHalf,
    peer: SocketAddr,
    state: &'a AppState,
    access: &'a Access,
}

/// Why a transcription has no text.
enum Unheard {
    /// The client is told.
    Refused(Refusal),
    /// The connection is of no use any more.
    Lost(io::Error),
}

impl<E: Into<Refusal>> From<E> for Unheard {
    fn from(error: E) -> Self {
        Self::Refused(error.into())
    }
}

impl<'a> Session<'a> {
    pub(super) fn new(
        read: OwnedReadHalf,
        write: OwnedWriteHalf,
        peer: SocketAddr,
        state: &'a AppState,
        access: &'a Access,
    ) -> Self {
        Self {
            read: BufReader::new(read),
            write,
            peer,
            state,
            access,
        }
    }

    /// Answers until the client ends the connection.
    ///
    /// # Errors
    /// The client breaks the protocol, or has gone.
    pub(super) async fn run(&mut self) -> io::Result<()> {
        let mut wanted = SpeechRequest::default();
        while let Some(event) = event::read(&mut self.read).await? {
            match event.kind.as_str() {
                "describe" => {
                    event::write(&mut self.write, "info", &info(self.state)).await?;
                }
                "ping" => {
                    let text = json!({"text": event.data.get("text")});
                    event::write(&mut self.write, "pong", &text).await?;
                }
                "transcribe" => wanted = request(self.state, &event),
                "audio-start" => {
                    match self.transcribe(&event, &std::mem::take(&mut wanted)).await {
                        Ok(()) => {}
                        Err(Unheard::Lost(error)) => return Err(error),
                        Err(Unheard::Refused(refusal)) => return self.refuse(&refusal).await,
                    }
                }
                // Events of other kinds of programs, and of later versions.
                _ => {}
            }
        }
        Ok(())
    }

    /// Tells why there is no text. The connection ends then: clients that do not know this event
    /// would wait for ever.
    async fn refuse(&mut self, refusal: &Refusal) -> io::Result<()> {
        let error = json!({"text": refusal.message(|name| name), "code": refusal.code});
        event::write(&mut self.write, "error", &error).await?;
        self.write.shutdown().await?;
        // As at `DRAIN_TIME`: the client would lose the event.
        let mut rest = tokio::io::sink();
        let rest = tokio::io::copy_buf(&mut self.read, &mut rest);
        let _ = timeout(DRAIN_TIME, rest).await;
        Ok(())
    }

    /// Receives audio until it stops, and answers with its text.
    async fn transcribe(&mut self, begin: &Event, wanted: &SpeechRequest) -> Result<(), Unheard> {
        let head = head(begin)?;
        let caller = self.caller().await?;
        let recording = self.receive(&caller, head).await?;
        let running = start(self.state, &caller, recording, wanted, None).await?;
        self.answer(running).await
    }

    async fn receive(&mut self, caller: &Caller, head: Head) -> Result<StoredRecording, Unheard> {
        let closed = || Unheard::Refused(Problem::unavailable().into());
        let turn = timeout(TURN_TIME, self.access.recordings.acquire()).await;
        let _turn = turn.map_err(|_| closed())?.map_err(|_| closed())?;
        let audio = Audio {
            read: &mut self.read,
            room: MAX_AUDIO,
        };
        let recording = receive_from(self.state, caller, None, WithHead(head, audio));
        let recording = timeout(AUDIO_TIME, recording).await;
        let late = || malformed("The audio did not end in time.");
        Ok(recording.map_err(|_| late())??)
    }

    /// The account of the key. Looked up for each recording: the key may be revoked at any time.
    async fn caller(&self) -> Result<Caller, Problem> {
        let request = Request::builder()
            .method(Method::POST)
            .uri(ADDRESS)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.access.key))
            .extension(ConnectInfo(self.peer))
            .body(());
        let (mut parts, ()) = request.map_err(anyhow::Error::from)?.into_parts();
        Caller::from_request_parts(&mut parts, self.state).await
    }

    /// Sends the text as it comes, and the whole of it at the end.
    async fn answer(&mut self, mut running: Running) -> Result<(), Unheard> {
        let mut sent = String::new();
        self.send("transcript-start", &json!({})).await?;
        let mut is_watched = true;
        loop {
            let text = match self.progress(&mut running, &mut is_watched).await? {
                Progress::All(segments) => joined(segments.iter().map(|it| &it.text)),
                Progress::More(segments) => {
                    let more = joined(segments.iter().map(|it| &it.text));
                    format!("{sent} {more}").trim_start().to_owned()
                }
                Progress::Done(done) => {
                    let (text, language) = (whole(&done.text), &done.text.language);
                    self.send_rest(&mut sent, &text).await?;
                    let whole = json!({"text": text, "language": language});
                    self.send("transcript", &whole).await?;
                    return self.send("transcript-stop", &json!({})).await;
                }
            };
            self.send_rest(&mut sent, &text).await?;
        }
    }

    /// Waits for more text, or until the client has left; then its place is free again. `is_watched`
    /// becomes false when it sends something, which is read later.
    async fn progress(
        &mut self,
        running: &mut Running,
        is_watched: &mut bool,
    ) -> Result<Progress, Unheard> {
        let mut next = std::pin::pin!(running.next());
        loop {
            tokio::select! {
                progress = &mut next => return Ok(progress?),
                bytes = self.read.fill_buf(), if *is_watched => {
                    if bytes.map_err(Unheard::Lost)?.is_empty() {
                        return Err(Unheard::Lost(io::ErrorKind::ConnectionAborted.into()));
                    }
                    *is_watched = false;
                }
            }
        }
    }

    /// Sends what is missing of this text. A text that was changed after it was sent is only in the
    /// last event.
    async fn send_rest(&mut self, sent: &mut String, text: &str) -> Result<(), Unheard> {
        let rest = text.strip_prefix(sent.as_str()).unwrap_or_default();
        if rest.is_empty() {
            return Ok(());
        }
        self.send("transcript-chunk", &json!({"text": rest}))
            .await?;
        text.clone_into(sent);
        Ok(())
    }

    async fn send(&mut self, kind: &str, data: &Value) -> Result<(), Unheard> {
        let sent = event::write(&mut self.write, kind, data).await;
        sent.map_err(Unheard::Lost)
    }
}

/// What an event `transcribe` asks for. A name that is unknown here means Full: it may be that of a
/// program which this server replaces.
fn request(state: &AppState, event: &Event) -> SpeechRequest {
    let named = models::find(state, event.text("name")).unwrap_or(NamedModel::FULL);
    let names = event.texts("transcript_names").into_iter();
    SpeechRequest {
        mode: named.mode,
        language: language(event.text("language")),
        keywords: names.chain(event.texts("transcript_terms")).collect(),
        ..SpeechRequest::default()
    }
}

/// The header for the audio that an event `audio-start` describes.
fn head(event: &Event) -> Result<Head, Refusal> {
    let number = |name: &str, most: u32| {
        let number = event.number(name).and_then(|it| u32::try_from(it).ok());
        let number = number.filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| Refusal::invalid(name, format!("It has to be from 1 to {most}.")))
    };
    let (rate, channels) = (number("rate", MAX_RATE)?, number("channels", MAX_CHANNELS)?);
    if number("width", MAX_WIDTH)? != 2 {
        return Err(Refusal::invalid("width", "Samples have to have 2 bytes."));
    }
    Ok(Head::wav(rate, u16::try_from(channels).unwrap_or(1)))
}

/// The audio of one recording, as it arrives.
struct Audio<'a> {
    read: &'a mut BufReader<OwnedReadHalf>,
    /// Bytes that may still come.
    room: usize,
}

impl Arriving for Audio<'_> {
    async fn piece(&mut self) -> Result<Option<Bytes>, Problem> {
        loop {
            let event = event::read(self.read).await;
            let event = event.map_err(|error| malformed(error.to_string()))?;
            let event = event.ok_or_else(|| malformed("The audio broke off."))?;
            match event.kind.as_str() {
                "audio-chunk" => {
                    let room = self.room.checked_sub(event.payload.len());
                    self.room = room.ok_or_else(|| malformed("The audio is too long."))?;
                    return Ok(Some(event.payload));
                }
                "audio-stop" => return Ok(None),
                _ => {}
            }
        }
    }
}
