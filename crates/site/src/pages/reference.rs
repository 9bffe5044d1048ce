//! `/docs/api`: the API's own document in readable form.

use leptos::prelude::*;

use crate::api_page::{Answer, ApiPage, Field, Group, Kind, Object, Operation};
use crate::page::Name;
use crate::prose::prose;
use crate::scene::{scene, texts};
use crate::texts::fill;

use super::reading::contents;

/// See the module. Descriptions of operations are in English on pages of every language.
pub(crate) fn reference(page: &ApiPage) -> AnyView {
    let scene = scene();
    let words = &scene.texts.docs.reference_page;
    let groups = page.groups.iter();
    let mut entries: Vec<_> = groups
        .map(|group| (group_id(&group.tag), name_of(&group.tag)))
        .collect();
    entries.push(("objects".to_owned(), words.objects.clone()));
    view! {
        <article class="wide page-top reading reference">
            <header class="reading-head">
                <p class="kicker">
                    <a class="link" href=scene.href(Name::Docs.path())>"← " {words.back.as_str()}</a>
                </p>
                <h1 class="headline">{words.title.as_str()}</h1>
                <p class="lead">{fill(&words.lead, "version", &page.version)}</p>
                <p class="lead">{prose(&words.bearer)}</p>
            </header>
            {contents(entries)}
            <div class="reading-text">
                {page.groups.iter().map(group).collect_view()}
                <section class="chapter" id="objects">
                    <h2>{words.objects.as_str()}</h2>
                    <p>{words.objects_text.as_str()}</p>
                    <div class="operations">{page.objects.iter().map(object).collect_view()}</div>
                </section>
            </div>
        </article>
    }
    .into_any()
}

/// The title of a tag; its own name if it has none.
fn name_of(tag: &str) -> String {
    let tags = &texts().docs.reference_page.tags;
    tags.get(tag).map_or_else(|| tag.to_owned(), Clone::clone)
}

fn group_id(tag: &str) -> String {
    format!("tag-{}", anchor(tag))
}

fn operation_id(id: &str) -> String {
    format!("op-{}", anchor(id))
}

fn object_id(name: &str) -> String {
    format!("object-{name}")
}

/// A name that needs no escaping in URLs.
fn anchor(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    name.chars().map(plain).collect()
}

/// The operations of a tag.
fn group(group: &Group) -> AnyView {
    view! {
        <section class="chapter" id=group_id(&group.tag)>
            <h2>{name_of(&group.tag)}</h2>
            <div class="operations">{group.operations.iter().map(operation).collect_view()}</div>
        </section>
    }
    .into_any()
}

/// `/api/v1/jobs/{id}`, with possible line breaks between its segments.
fn path(operation: &Operation) -> AnyView {
    let steps = operation.path.split('/').skip(1).map(|step| {
        view! { <wbr/>{format!("/{step}")} }
    });
    steps.collect_view().into_any()
}

/// An operation in one line, with its details below. The anchor is inside the collapsed element,
/// because a link to it then opens that element.
fn operation(operation: &Operation) -> AnyView {
    let words = &texts().docs.reference_page;
    let more = &operation.description;
    let more = (!more.is_empty()).then(|| view! { <div lang="en"><p>{prose(more)}</p></div> });
    let body = operation.body.as_ref().map(|body| {
        view! {
            <h3>{words.body.as_str()}</h3>
            <p class="shape">
                <code>{body.media.clone()}</code>
                " "
                {body.kind.object.is_some().then(|| kind(&body.kind))}
            </p>
            {fields(&body.fields)}
        }
    });
    let parameters = (!operation.parameters.is_empty()).then(|| {
        view! {
            <h3>{words.parameters.as_str()}</h3>
            {fields(&operation.parameters)}
        }
    });
    let access = (!operation.open).then(|| match &operation.scope {
        Some(scope) => view! {
            <p>{words.scope.as_str()} " " <code>{scope.clone()}</code></p>
        }
        .into_any(),
        None => view! { <p>{words.no_key.as_str()}</p> }.into_any(),
    });
    view! {
        <details class="operation">
            <summary>
                <span class="verb" data-verb=operation.verb.clone()>{operation.verb.clone()}</span>
                <span class="path">
                    {path(operation)}
                    {operation.open.then(|| view! { <span class="open">{words.open.as_str()}</span> })}
                </span>
                <span class="says" lang="en">{prose(&operation.summary)}</span>
            </summary>
            <div id=operation_id(&operation.id)>
                {more}
                {access}
                {parameters}
                {body}
                <h3>{words.answers.as_str()}</h3>
                <dl class="answers">{operation.answers.iter().map(answer).collect_view()}</dl>
            </div>
        </details>
    }
    .into_any()
}

fn answer(answer: &Answer) -> AnyView {
    let description = (!answer.description.is_empty()).then(|| prose(&answer.description));
    // All errors have the same schema; naming it each time would hide differences. Types that are
    // not objects are in the description.
    let shape = answer.kind.as_ref();
    let shape = shape.filter(|kind| kind.object.is_some() && kind.words != "Problem");
    let shape = shape.map(kind);
    view! {
        <dt>{answer.status.clone()}</dt>
        <dd lang="en">{shape} " " {description}</dd>
    }
    .into_any()
}

fn fields(fields: &[Field]) -> AnyView {
    let words = &texts().docs.reference_page;
    let fields = fields.iter().map(|field| {
        let place = words.places.get(&field.place);
        let place = place.map(|place| view! { <span class="place">{place.as_str()}</span> " " });
        let required = field.required.then(|| {
            view! { <span class="required">{words.required.as_str()}</span> " " }
        });
        view! {
            <dt><code>{field.name.clone()}</code></dt>
            <dd>
                <span class="shape">{kind(&field.kind)}</span>
                " "
                {place}
                {required}
                <span class="meaning" lang="en">{prose(&field.description)}</span>
            </dd>
        }
    });
    let fields: Vec<_> = fields.collect();
    (!fields.is_empty())
        .then(|| view! { <dl class="fields">{fields}</dl> })
        .into_any()
}

/// A type, linked to its object.
fn kind(kind: &Kind) -> AnyView {
    let Some(name) = &kind.object else {
        return view! { <span>{kind.words.clone()}</span> }.into_any();
    };
    let (before, after) = kind.words.split_once(name.as_str()).unwrap_or_default();
    view! {
        <span>
            {before.to_owned()}
            <a href=format!("#{}", object_id(name))>{name.clone()}</a>
            {after.to_owned()}
        </span>
    }
    .into_any()
}

fn object(object: &Object) -> AnyView {
    let words = &texts().docs.reference_page;
    let choices = (!object.choices.is_empty()).then(|| {
        let choices = object.choices.iter().map(|choice| {
            view! {
                <li>
                    <code>{choice.words.clone()}</code>
                    " "
                    {prose(&choice.description)}
                </li>
            }
        });
        view! {
            <h3>{words.values.as_str()}</h3>
            <ul class="choices" lang="en">{choices.collect_view()}</ul>
        }
    });
    let with_fields = (!object.fields.is_empty()).then(|| {
        view! {
            <h3>{words.fields.as_str()}</h3>
            {fields(&object.fields)}
        }
    });
    view! {
        <details class="operation named">
            <summary>
                <code>{object.name.clone()}</code>
                <span class="says" lang="en">{prose(&object.description)}</span>
            </summary>
            <div id=object_id(&object.name)>{choices} {with_fields}</div>
        </details>
    }
    .into_any()
}
