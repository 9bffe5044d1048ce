//! The chapter of `/docs` on programs that were written for other services, with what to enter in
//! each of them.

use leptos::prelude::*;

use crate::prose::prose;
use crate::scene::scene;
use crate::texts::Paragraph;

use super::reading::code;

const CURL: &str = "curl $SLOVO/v1/audio/transcriptions \\
  -H \"authorization: Bearer $TOKEN\" \\
  -F model=whisper-1 -F response_format=srt -F file=@interview.mp3";

const PYTHON: &str = r#"from openai import OpenAI

client = OpenAI(base_url="{origin}/v1", api_key="slovo_…")
with open("interview.mp3", "rb") as file:
    answer = client.audio.transcriptions.create(model="whisper-1", file=file)
print(answer.text)"#;

const NODE: &str = r#"import { createReadStream } from "node:fs";
import OpenAI from "openai";

const client = new OpenAI({ baseURL: "{origin}/v1", apiKey: "slovo_…" });
const file = createReadStream("interview.mp3");
const stream = await client.audio.transcriptions.create({
  model: "gpt-4o-transcribe",
  file,
  stream: true,
});
for await (const event of stream) {
  if (event.type === "transcript.text.delta") process.stdout.write(event.delta);
}"#;

const OPEN_WEBUI: &str = "AUDIO_STT_ENGINE=openai
AUDIO_STT_OPENAI_API_BASE_URL={origin}/v1
AUDIO_STT_OPENAI_API_KEY=slovo_…
AUDIO_STT_MODEL=full";

const N8N: &str = "API Key:  slovo_…
Base URL: {origin}/v1";

const HOME_ASSISTANT: &str = "SLOVO_WYOMING_KEY=slovo_… slovo serve --wyoming 0.0.0.0:10300";

const BAZARR: &str = "{with_key}";

const SPEAKR: &str = "ASR_BASE_URL={with_key}
ASR_DIARIZE=true";

const NEXTCLOUD: &str = "Service URL: {origin}/v1
API key:     slovo_…";

const OBSIDIAN: &str = "API KEY: slovo_…
API URL: {origin}/v1/audio/transcriptions
Model:   full";

const LIVEKIT: &str = r#"from livekit.plugins import openai

stt = openai.STT(
    base_url="{origin}/v1",
    api_key="slovo_…",
    model="full",
    detect_language=True,
)"#;

const DEEPGRAM: &str = r#"from deepgram import DeepgramClient
from deepgram.environment import DeepgramClientEnvironment

slovo = "{origin}"
place = DeepgramClientEnvironment(
    base=slovo, production=slovo, agent=slovo, agent_rest=slovo
)
client = DeepgramClient(api_key="slovo_…", environment=place)
with open("interview.mp3", "rb") as file:
    answer = client.listen.v1.media.transcribe_file(
        request=file.read(), smart_format=True, diarize=True
    )
print(answer.results.channels[0].alternatives[0].paragraphs.transcript)"#;

const WHISPER_CPP: &str = "curl $SLOVO/inference \\
  -H \"authorization: Bearer $TOKEN\" \\
  -F response_format=srt -F file=@interview.mp3";

/// The examples for OpenAI's clients.
pub(super) fn examples() -> AnyView {
    let each = [CURL, PYTHON, NODE].map(|example| code(filled(example)));
    each.into_iter().collect_view().into_any()
}

/// What to enter in each program.
pub(super) fn programs() -> AnyView {
    let words = &scene().texts.docs.programs;
    let programs: [(&str, &'static Paragraph, &str); 10] = [
        ("open-webui", &words.open_webui, OPEN_WEBUI),
        ("n8n", &words.n8n, N8N),
        ("home-assistant", &words.home_assistant, HOME_ASSISTANT),
        ("bazarr", &words.bazarr, BAZARR),
        ("speakr", &words.speakr, SPEAKR),
        ("nextcloud", &words.nextcloud, NEXTCLOUD),
        ("obsidian", &words.obsidian, OBSIDIAN),
        ("livekit", &words.livekit, LIVEKIT),
        ("deepgram", &words.deepgram, DEEPGRAM),
        ("whisper-cpp", &words.whisper_cpp, WHISPER_CPP),
    ];
    let programs = programs.map(|(id, words, example)| {
        view! {
            <section class="chapter chapter-small" id=id>
                <h3>{words.title.as_str()}</h3>
                <p>{prose(&words.text)}</p>
                {code(filled(example))}
            </section>
        }
    });
    programs.into_iter().collect_view().into_any()
}

/// An example with this server's address; `{with_key}` is the address with a key as its password.
fn filled(example: &str) -> String {
    let scene = scene();
    let origin = scene.site.origin.as_str();
    let with_key = origin.replacen("://", "://slovo:slovo_…@", 1);
    example
        .replace("{origin}", origin)
        .replace("{with_key}", &with_key)
}
