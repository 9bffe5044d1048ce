//! `/docs`: documentation for developers, with examples that use this server's address.

use leptos::prelude::*;

use crate::drawing::{Draw, Drawing};
use crate::page::Name;
use crate::prose::prose;
use crate::scene::{scene, texts};
use crate::texts::{Paragraph, Verbs};

use super::docs_clients;
use super::docs_programs;
use super::reading::{chapter_with, code, contents_of};
use super::shortcuts::Shortcuts;

const HOSTING: &str = "cargo xtask up      # http://127.0.0.1:8787
cargo xtask test";

const TRANSCRIBE: &str = "slovo transcribe interview.mp3
slovo transcribe talk.mkv --language auto --format srt --output talk.srt
slovo transcribe meeting.mp3 --diarize --speakers 2-4
slovo transcribe rozmova.m4a --task translate
slovo transcribe call.wav --mode lite --words --format json
slovo transcribe lectures/ notes.opus --output texts";

const KEY: &str = "SLOVO={origin}
TOKEN=slovo_…";

const UPLOAD: &str = r#"UPLOAD=$(curl -s $SLOVO/api/v1/uploads -X POST -T interview.mp3 \
  -H "authorization: Bearer $TOKEN" \
  -H 'tus-resumable: 1.0.0' \
  -H 'content-type: application/offset+octet-stream' \
  -H "upload-length: $(wc -c < interview.mp3)" \
  -H "upload-metadata: filename $(printf interview.mp3 | base64)" \
  -w '%header{location}')"#;

const START: &str = r#"JOB=$(curl -s $SLOVO/api/v1/jobs \
  -H "authorization: Bearer $TOKEN" \
  -H 'content-type: application/json' \
  -d '{"upload_id": "'${UPLOAD##*/}'",
       "settings": {"language_code": "uk", "diarization": true}}' \
  | jq -r .my_job_id)"#;

const FOLLOW: &str = r#"curl -N $SLOVO/api/v1/jobs/$JOB/events \
  -H "authorization: Bearer $TOKEN""#;

const TAKE: &str = r#"curl -OJ "$SLOVO/api/v1/jobs/$JOB/export?format=srt" \
  -H "authorization: Bearer $TOKEN""#;

const PROBLEM: &str = r#"{
  "type": "urn:slovo:problem:validation_failed",
  "title": "Validation failed",
  "status": 422,
  "code": "validation_failed",
  "request_id": "01f4266a-1cc8-4420-b8ff-567fc9dc00aa",
  "errors": [
    {
      "field": "settings.summarize",
      "code": "summarize_out_of_range",
      "params": { "max": 1000, "min": 0 }
    }
  ]
}"#;

const RESUME: &str = r#"curl -I $SLOVO$UPLOAD \
  -H "authorization: Bearer $TOKEN" -H 'tus-resumable: 1.0.0'

tail -c +20000001 interview.mp3 | curl $SLOVO$UPLOAD -X PATCH -T - \
  -H "authorization: Bearer $TOKEN" \
  -H 'tus-resumable: 1.0.0' \
  -H 'content-type: application/offset+octet-stream' \
  -H 'upload-offset: 20000000'"#;

const RULES: &str = r#"import { defaultSettings, validateSettings } from "@slovo/rules";

const settings = { ...defaultSettings(), summarize: 5000 };
console.log(validateSettings(settings, "file"));
// [{ field: "summarize", code: "summarize_out_of_range", params: { max: 1000, min: 0 } }]"#;

/// See the module.
#[component]
pub(crate) fn Docs() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.docs;
    let chapters = [
        ("hosting", &words.hosting),
        ("commands", &words.commands),
        ("api", &words.api),
        ("clients", &words.clients),
        ("webhooks", &words.webhooks),
        ("assistants", &words.assistants),
        ("errors", &words.errors),
        ("uploads", &words.uploads),
        ("rules", &words.rules),
        ("keys", &words.keys),
    ];
    let reference = &words.reference;
    view! {
        <article class="wide page-top reading">
            <header class="reading-head reading-head-drawn">
                <div>
                    <h1 class="headline">{words.title.as_str()}</h1>
                    <p class="lead">{words.lead.as_str()}</p>
                </div>
                <Draw of=Drawing::Docs class="drawing reading-drawing"/>
            </header>
            {contents_of(&chapters)}
            <div class="reading-text">
                <div class="docs-reference">
                    <p>{reference.text.as_str()}</p>
                    <p class="docs-ways">
                        <a class="button button-primary" href=scene.href(Name::Api.path())>
                            {reference.open.as_str()}
                        </a>
                        <a href="/api/openapi.json">{reference.raw.as_str()}</a>
                    </p>
                </div>
                {chapter_with("hosting", &words.hosting, code(HOSTING))}
                {chapter_with("commands", &words.commands, code(TRANSCRIBE))}
                {verbs(&words.verbs)}
                {chapter_with("api", &words.api, steps())}
                {chapter_with("clients", &words.clients, docs_clients::examples())}
                {docs_clients::programs()}
                {chapter_with("webhooks", &words.webhooks, docs_programs::webhooks())}
                {chapter_with("assistants", &words.assistants, docs_programs::assistants())}
                {chapter_with("errors", &words.errors, code(PROBLEM))}
                {chapter_with("uploads", &words.uploads, code(RESUME))}
                {chapter_with("rules", &words.rules, code(RULES))}
                {chapter_with("keys", &words.keys, view! { <Shortcuts/> }.into_any())}
            </div>
        </article>
    }
}

/// The steps from a file to subtitles.
fn steps() -> AnyView {
    let scene = scene();
    let words = &scene.texts.docs.steps;
    let key = KEY.replace("{origin}", &scene.site.origin);
    let steps: [(&Paragraph, String); 5] = [
        (&words.key, key),
        (&words.upload, UPLOAD.to_owned()),
        (&words.start, START.to_owned()),
        (&words.follow, FOLLOW.to_owned()),
        (&words.take, TAKE.to_owned()),
    ];
    let steps = steps.map(|(step, lines)| {
        view! {
            <li>
                <h3>{step.title.as_str()}</h3>
                <p>{prose(&step.text)}</p>
                {code(lines)}
            </li>
        }
    });
    view! { <ol class="guide">{steps.into_iter().collect_view()}</ol> }.into_any()
}

/// The program's other commands.
fn verbs(words: &'static Verbs) -> AnyView {
    let verbs = [
        ("slovo serve", &words.serve),
        ("slovo models list", &words.models),
        (
            "slovo models pull large-v3-turbo-q5_0 --use full",
            &words.pull,
        ),
        ("slovo admin grant olena@example.com", &words.admin),
        ("slovo mail test olena@example.com", &words.mail),
        ("slovo doctor", &words.doctor),
        ("slovo backup", &words.backup),
        ("slovo export /mnt/move", &words.export),
        ("slovo openapi", &words.openapi),
        ("slovo remote upload talks --watch", &words.remote),
    ];
    let verbs = verbs.map(|(line, does)| {
        view! {
            <dt><code>{line}</code></dt>
            <dd>{prose(does)}</dd>
        }
    });
    view! {
        <section class="chapter chapter-small">
            <h3>{texts().docs.verbs.title.as_str()}</h3>
            <dl class="verbs">{verbs.into_iter().collect_view()}</dl>
        </section>
    }
    .into_any()
}
