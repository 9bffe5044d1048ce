/** Makes translation keys typed: those of the Ukrainian files, which are complete by definition. */
import "i18next";
import type admin from "./uk/admin.json";
import type adminAudit from "./uk/admin-audit.json";
import type adminConfig from "./uk/admin-config.json";
import type adminJobs from "./uk/admin-jobs.json";
import type adminMessages from "./uk/admin-messages.json";
import type adminNocodb from "./uk/admin-nocodb.json";
import type adminOverview from "./uk/admin-overview.json";
import type adminPlans from "./uk/admin-plans.json";
import type adminPresets from "./uk/admin-presets.json";
import type adminSignIns from "./uk/admin-sign-ins.json";
import type adminWebhooks from "./uk/admin-webhooks.json";
import type analysis from "./uk/analysis.json";
import type auth from "./uk/auth.json";
import type common from "./uk/common.json";
import type configure from "./uk/configure.json";
import type dashboard from "./uk/dashboard.json";
import type editor from "./uk/editor.json";
import type history from "./uk/history.json";
import type languages from "./uk/languages.json";
import type mediaFacts from "./uk/media-facts.json";
import type player from "./uk/player.json";
import type presets from "./uk/presets.json";
import type problems from "./uk/problems.json";
import type removed from "./uk/removed.json";
import type rules from "./uk/rules.json";
import type settings from "./uk/settings.json";
import type sharing from "./uk/sharing.json";
import type shell from "./uk/shell.json";
import type siteIslands from "./uk/site-islands.json";
import type subscription from "./uk/subscription.json";
import type transcript from "./uk/transcript.json";
import type transcripts from "./uk/transcripts.json";
import type upload from "./uk/upload.json";
import type voice from "./uk/voice.json";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: {
      admin: typeof admin;
      "admin-config": typeof adminConfig;
      "admin-webhooks": typeof adminWebhooks;
      "admin-audit": typeof adminAudit;
      "admin-jobs": typeof adminJobs;
      "admin-messages": typeof adminMessages;
      "admin-overview": typeof adminOverview;
      "admin-presets": typeof adminPresets;
      "admin-sign-ins": typeof adminSignIns;
      "admin-nocodb": typeof adminNocodb;
      "admin-plans": typeof adminPlans;
      analysis: typeof analysis;
      auth: typeof auth;
      common: typeof common;
      configure: typeof configure;
      dashboard: typeof dashboard;
      history: typeof history;
      editor: typeof editor;
      languages: typeof languages;
      "media-facts": typeof mediaFacts;
      player: typeof player;
      presets: typeof presets;
      problems: typeof problems;
      removed: typeof removed;
      rules: typeof rules;
      settings: typeof settings;
      sharing: typeof sharing;
      shell: typeof shell;
      "site-islands": typeof siteIslands;
      subscription: typeof subscription;
      transcript: typeof transcript;
      transcripts: typeof transcripts;
      upload: typeof upload;
      voice: typeof voice;
    };
  }
}
