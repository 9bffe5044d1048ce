//! Tests of other services' APIs.

mod asr_webservice;
mod deepgram;
mod mcp;
mod openai;
mod refused;
mod support;
mod whisper_cpp;
mod wyoming;
