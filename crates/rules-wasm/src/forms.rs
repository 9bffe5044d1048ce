//! Forms of the presets page and the administration.

use serde::Serialize;
use slovo_rules::balance::{self, BalanceAfter, BalanceForm, BalanceMonth};
use slovo_rules::convert::{JsResult, from_js, read_untyped, single, to_js, verdict};
use slovo_rules::plan::{self, PlanForm};
use slovo_rules::preset::{self, ImportedPreset, PresetForm};
use slovo_rules::webhook::{self, WebhookForm};
use slovo_rules::{Code, Valid, Violation, Violations};
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// JavaScript's own parser: a second one would be a tenth of the module.
    #[wasm_bindgen(js_namespace = JSON, js_name = parse, catch)]
    fn parse_json(text: &str) -> Result<JsValue, JsValue>;
}

/// What was found in a pasted import.
#[derive(Serialize, Tsify)]
#[tsify(hashmap_as_object)]
pub struct PresetImport {
    /// The presets; empty when anything is broken.
    presets: Vec<ImportedPreset>,
    /// What is broken.
    violations: Violations,
}

/// Checks a preset.
#[wasm_bindgen(js_name = validatePreset)]
pub fn validate_preset(form: &Ts<PresetForm>) -> JsResult<Ts<Violations>> {
    verdict(preset::validate(&from_js(form)?))
}

/// Reads a pasted import.
#[wasm_bindgen(js_name = parsePresetImport)]
pub fn parse_preset_import(json: &str) -> JsResult<Ts<PresetImport>> {
    let (presets, violations) = match read_import(json) {
        Ok(presets) => (presets.into_inner(), Violations::new()),
        Err(violations) => (Vec::new(), violations),
    };
    to_js(&PresetImport {
        presets,
        violations,
    })
}

/// Whether an import has been validated: the number of its presets.
#[wasm_bindgen(js_name = requireValidated)]
pub fn require_validated(presets: usize) -> JsResult<Ts<Violations>> {
    single(preset::require_validated(presets))
}

/// A plan as the form starts with.
#[wasm_bindgen(js_name = defaultPlan)]
pub fn default_plan() -> JsResult<Ts<PlanForm>> {
    to_js(&PlanForm::default())
}

/// Checks a plan.
#[wasm_bindgen(js_name = validatePlan)]
pub fn validate_plan(form: &Ts<PlanForm>) -> JsResult<Ts<Violations>> {
    verdict(plan::validate(&from_js(form)?))
}

/// Checks a correction of a user's minutes.
#[wasm_bindgen(js_name = validateBalance)]
pub fn validate_balance(form: &Ts<BalanceForm>) -> JsResult<Ts<Violations>> {
    verdict(balance::validate(&from_js(form)?))
}

/// What a correction would make of a month.
#[derive(Serialize, Tsify)]
#[tsify(hashmap_as_object, missing_as_null)]
pub struct BalancePreview {
    /// The month after it; null when it would be refused.
    after: Option<BalanceAfter>,
    /// Why.
    violations: Violations,
}

/// What a correction would make of a user's month; the reason may still be missing.
#[wasm_bindgen(js_name = previewBalance)]
pub fn preview_balance(
    form: &Ts<BalanceForm>,
    month: &Ts<BalanceMonth>,
) -> JsResult<Ts<BalancePreview>> {
    let month: BalanceMonth = from_js(month)?;
    to_js(&match month.preview(&from_js(form)?) {
        Ok(after) => BalancePreview {
            after: Some(after),
            violations: Violations::new(),
        },
        Err(violation) => BalancePreview {
            after: None,
            violations: violation.into(),
        },
    })
}

/// A webhook service as the form starts with.
#[wasm_bindgen(js_name = defaultWebhook)]
pub fn default_webhook() -> JsResult<Ts<WebhookForm>> {
    to_js(&WebhookForm::default())
}

/// Checks a webhook service.
#[wasm_bindgen(js_name = validateWebhook)]
pub fn validate_webhook(form: &Ts<WebhookForm>) -> JsResult<Ts<Violations>> {
    verdict(webhook::validate(&from_js(form)?))
}

fn read_import(json: &str) -> Result<Valid<Vec<ImportedPreset>>, Violations> {
    preset::check_import(json)?;
    let value = parse_json(json).ok();
    let value = value.and_then(|value| read_untyped(value).ok());
    preset::import(&value.ok_or_else(|| Violation::new("", Code::PresetJsonInvalid))?)
}
