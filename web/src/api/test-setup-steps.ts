import type { Setup } from "./schema";

/** The setup checklist in a test: two of five steps are done. */
export const SETUP: Setup = {
  mail: { state: "to_do", cause: "fails", place: "smtp.example.org:465", failure: "sign_in" },
  models: {
    state: "done",
    cause: "ready",
    better: null,
    models: [
      { id: "base-q8_0", used_by: ["full"], on_disk: true },
      { id: "tiny.en-q8_0", used_by: ["lite"], on_disk: true },
      { id: "silero-v6.2.0", used_by: ["voice_activity"], on_disk: true },
    ],
  },
  analysis: { state: "optional", cause: "not_set", host: null, outcome: null },
  address: { state: "done", cause: "right", url: "https://slovo.example.org", configured: true },
  legal: { state: "to_do", missing: ["email", "imprint"] },
};
