/**
 * The figures of the rules that texts name, as `{{limits.presets}}`. The words around a figure stand in the plural form of
 * many: `text-limits.test.ts` tells when a figure needs another one.
 */
import {
  ADMIN_JOBS,
  CODE_MINUTES,
  INVITATION_DAYS,
  MAX_ANNOTATIONS,
  MAX_AVATAR_BYTES,
  MAX_EXAMPLE_FIGURE,
  MAX_JOBS_AT_ONCE,
  MAX_PRESETS,
  MAX_SHARES,
  MAX_TAGS_OF_JOB,
  MAX_TEMPLATE_BYTES,
  MAX_TEMPLATE_PARTS,
  MAX_TEMPLATE_UNPACKED_BYTES,
  SIGN_IN_DAYS,
  WEBHOOK_ANSWER_SECONDS,
  WEBHOOK_LOG_DAYS,
} from "@/rules/constants";

const MB = 1024 * 1024;

export const TEXT_LIMITS = {
  admin_jobs: ADMIN_JOBS,
  annotations: MAX_ANNOTATIONS,
  avatar_mb: MAX_AVATAR_BYTES / MB,
  code_minutes: CODE_MINUTES,
  example_figure: MAX_EXAMPLE_FIGURE,
  invitation_days: INVITATION_DAYS,
  jobs: MAX_JOBS_AT_ONCE,
  presets: MAX_PRESETS,
  shares: MAX_SHARES,
  sign_in_days: SIGN_IN_DAYS,
  tags: MAX_TAGS_OF_JOB,
  template_mb: MAX_TEMPLATE_BYTES / MB,
  template_parts: MAX_TEMPLATE_PARTS,
  template_unpacked_mb: MAX_TEMPLATE_UNPACKED_BYTES / MB,
  webhook_log_days: WEBHOOK_LOG_DAYS,
  webhook_seconds: WEBHOOK_ANSWER_SECONDS,
} as const;
