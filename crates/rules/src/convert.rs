//! Conversion between JavaScript values and Rust types, for the WASM crates.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::{JsError, JsValue};

use crate::wire::WireName;
use crate::{Violation, Violations};

/// Result of an exported function, which throws if a value cannot be converted.
pub type JsResult<T> = Result<T, JsError>;

/// The Rust value of an argument.
pub fn from_js<T>(value: &Ts<T>) -> JsResult<T>
where
    T: Tsify + DeserializeOwned,
    T::JsType: Clone,
{
    Ok(value.to_rust()?)
}

/// The Rust value of an untyped argument, or of one whose declared type is not trusted.
pub fn read_untyped<T: DeserializeOwned>(value: JsValue) -> JsResult<T> {
    Ok(serde_wasm_bindgen::from_value(value)?)
}

/// The JavaScript value of a result.
pub fn to_js<T: Tsify + Serialize>(value: &T) -> JsResult<Ts<T>> {
    Ok(Ts::from_rust(value)?)
}

/// The JavaScript values of a list.
pub fn all_to_js<'a, T: Tsify + Serialize + 'a>(
    values: impl IntoIterator<Item = &'a T>,
) -> JsResult<Vec<Ts<T>>> {
    values.into_iter().map(to_js).collect()
}

/// The violations of a check; an empty list if it passed.
pub fn verdict<T>(checked: Result<T, impl Into<Violations>>) -> JsResult<Ts<Violations>> {
    to_js(&checked.map_or_else(Into::into, |_| Violations::new()))
}

/// The violation of a check of a single value, if any.
pub fn single<T>(checked: Result<T, Violation>) -> JsResult<Ts<Violations>> {
    verdict(checked)
}

/// The value of an enum argument.
pub fn read_name<T: WireName + Tsify>(value: &Ts<T>) -> JsResult<T> {
    let name = value.js_value().as_string();
    name.and_then(|name| T::of_name(&name))
        .ok_or_else(|| JsError::new("unknown name"))
}

/// The JavaScript string of an enum value.
pub fn give_name<T: WireName + Tsify>(value: T) -> Ts<T> {
    Ts::new_unchecked(JsValue::from_str(value.name()))
}

/// The JavaScript strings of enum values.
pub fn give_names<T: WireName + Tsify>(values: &[T]) -> Vec<Ts<T>> {
    values.iter().copied().map(give_name).collect()
}
