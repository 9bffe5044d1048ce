//! `#[cfg(…)]`: detects code that is built for tests only.

use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

/// Whether an item with these attributes is built for tests only.
pub fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<Meta>()
                .is_ok_and(|condition| outside_tests(&condition) == Some(false))
    })
}

/// The value of a condition in the product; `None` if it depends on other things.
fn outside_tests(condition: &Meta) -> Option<bool> {
    match condition {
        Meta::Path(path) if path.is_ident("test") => Some(false),
        Meta::NameValue(pair) if pair.path.is_ident("feature") => {
            let syn::Expr::Lit(value) = &pair.value else {
                return None;
            };
            match &value.lit {
                syn::Lit::Str(name) if name.value() == "testing" => Some(false),
                _ => None,
            }
        }
        Meta::List(list) => {
            let parts = list
                .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
                .ok()?;
            let mut parts = parts.iter().map(outside_tests);
            if list.path.is_ident("not") {
                parts.next()?.map(|holds| !holds)
            } else if list.path.is_ident("all") {
                parts.any(|holds| holds == Some(false)).then_some(false)
            } else if list.path.is_ident("any") {
                parts.all(|holds| holds == Some(false)).then_some(false)
            } else {
                None
            }
        }
        _ => None,
    }
}
