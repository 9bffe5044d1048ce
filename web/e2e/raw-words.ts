/** Text that no page may show: internal identifiers and untranslated words. */

/** A code or a translation key: `answer_times`, `admin:balance.open`. */
export const RAW_CODE = /\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z-]+:[a-z_]+\.[a-z_.]+\b/g;

/** English words of the interface that were not translated. */
export const UNTRANSLATED =
  /\b(?:Loading|Error|Errors|Save|Saved|Cancel|Close|Delete|Edit|Search|Menu|Back|Next|Continue|Download|Upload|Settings|Failed|Retry|Sign (?:in|up|out)|Log (?:in|out)|Unknown|None|Yes|Submit)\b/g;
