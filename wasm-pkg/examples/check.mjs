import { defaultSettings, validateSettings, withType } from "../browser.mjs";

const at = (id) => document.getElementById(id);
const [settings, source, verdict] = [at("settings"), at("source"), at("verdict")];
const table = document.querySelector("table");

/** The settings in the field; `null` if they are not a JSON object. */
function read() {
  try {
    const value = JSON.parse(settings.value);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function row({ field, code, params }) {
  const line = document.createElement("tr");
  for (const text of [field || "(all)", code, JSON.stringify(params)]) {
    // As text, not as markup, because parameters contain user input.
    line.append(Object.assign(document.createElement("td"), { textContent: text }));
  }
  return line;
}

function check() {
  const value = read();
  const broken = value === null ? [] : validateSettings(value, source.value);
  table.hidden = broken.length === 0;
  table.tBodies[0].replaceChildren(...broken.map(row));
  if (value === null) {
    verdict.textContent = "This is no JSON object.";
  } else {
    verdict.textContent = broken.length === 0 ? "All rules hold." : `Broken: ${broken.length}.`;
  }
}

function show(value) {
  settings.value = JSON.stringify(value, null, 2);
  check();
}

settings.addEventListener("input", check);
source.addEventListener("change", check);
at("full").addEventListener("click", () => show(defaultSettings()));
at("lite").addEventListener("click", () => show(withType(read() ?? defaultSettings(), "lite")));
at("broken").addEventListener("click", () =>
  show({
    ...defaultSettings(),
    language_code: "tlh",
    summarize: 5000,
    llm_translation: "german, klingon",
    custom_prompt: "   ",
  }),
);
show(defaultSettings());
