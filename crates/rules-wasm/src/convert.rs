//! Between JavaScript values and Rust types.

use serde::Serialize;
use serde::de::DeserializeOwned;
use slovo_rules::{Violation, Violations};
use tsify::{Ts, Tsify};
use wasm_bindgen::JsError;

/// What a function gives back: it throws when a value cannot be converted.
pub type Converted<T> = Result<T, JsError>;

/// The Rust value of an argument.
pub fn read<T>(value: &Ts<T>) -> Converted<T>
where
    T: Tsify + DeserializeOwned,
    T::JsType: Clone,
{
    Ok(value.to_rust()?)
}

/// The JavaScript value of an answer.
pub fn give<T: Tsify + Serialize>(value: &T) -> Converted<Ts<T>> {
    Ok(Ts::from_rust(value)?)
}

/// The JavaScript values of a list.
pub fn give_all<'a, T: Tsify + Serialize + 'a>(
    values: impl IntoIterator<Item = &'a T>,
) -> Converted<Vec<Ts<T>>> {
    values.into_iter().map(give).collect()
}

/// The violations of a check, none when it passed.
pub fn verdict<T>(checked: Result<T, impl Into<Violations>>) -> Converted<Ts<Violations>> {
    give(&checked.map_or_else(Into::into, |_| Violations::new()))
}

/// The violation, or nothing, of a check of one thing.
pub fn single<T>(checked: Result<T, Violation>) -> Converted<Ts<Violations>> {
    verdict(checked)
}
