//! `/status`: the server's status at the time of the request.

use leptos::prelude::*;

use crate::drawing::{Draw, Drawing};
use crate::page::{Name, Part, StatusPage};
use crate::prose::prose;
use crate::scene::{scene, texts};
use crate::texts::{Condition, StatusParts};

/// See the module.
#[component]
pub(crate) fn Status(page: StatusPage) -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.status;
    let good = page.parts.iter().all(|(_, works)| *works);
    let overall = if good { &words.good } else { &words.bad };
    let parts = page
        .parts
        .into_iter()
        .map(|(part, works)| line(part, works));
    view! {
        <section class="narrow page-top status" data-good=good.to_string()>
            <p class="kicker">{words.kicker.as_str()}</p>
            <h1 class="headline">{overall.title.as_str()}</h1>
            <p class="lead">{overall.text.as_str()}</p>
            <Draw of=Drawing::Status class="drawing status-drawing"/>
            <ul class="status-parts">{parts.collect_view()}</ul>
            <div class="status-foot">
                <p>{words.made.as_str()}</p>
                <p>
                    <a class="button" href=scene.href(Name::Status.path())>{words.reload.as_str()}</a>
                </p>
                <p>{words.version.as_str()} " " <span class="figures">{page.version}</span></p>
                <p>{prose(&words.machines)}</p>
            </div>
        </section>
    }
}

/// A part: an icon, a word, and an explanation.
fn line(part: Part, works: bool) -> AnyView {
    let words = &texts().status;
    let condition = of(&words.parts, part);
    let (state, word, text, sign) = if works {
        ("works", &words.works, &condition.works, Drawing::Check)
    } else {
        ("fails", &words.fails, &condition.fails, Drawing::Close)
    };
    view! {
        <li data-state=state>
            <h2>{condition.title.as_str()}</h2>
            <p class="status-word">
                <Draw of=sign class="icon"/>
                {word.as_str()}
            </p>
            <p>{text.as_str()}</p>
        </li>
    }
    .into_any()
}

const fn of(parts: &StatusParts, part: Part) -> &Condition {
    match part {
        Part::Program => &parts.program,
        Part::Database => &parts.database,
        Part::Engine => &parts.engine,
    }
}
