/** The differences between two states of an object, field by field. */

export interface Change {
  /** Field names from the outermost in. */
  path: string;
  /** Undefined if the field did not exist or no longer exists. */
  before: unknown;
  after: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Only changed fields, in their order. Lists are single values. */
export function changesOf(before: unknown, after: unknown, path = ""): readonly Change[] {
  if (isRecord(before) || isRecord(after)) {
    const [from, to] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return names.flatMap((name) => changesOf(from[name], to[name], path ? `${path}.${name}` : name));
  }
  const same = JSON.stringify(before ?? null) === JSON.stringify(after ?? null);
  return same ? [] : [{ path: path || "value", before, after }];
}

type Words = readonly string[];

const isWords = (value: unknown): value is Words => Array.isArray(value) && value.every((word) => typeof word === "string");

/** For two lists of words, only the removed and added ones; null if that would not show the difference. */
export function listChange({ before, after }: Change): { gone: Words; come: Words } | null {
  if (!isWords(before) || !isWords(after)) return null;
  const removed = before.filter((word) => !after.includes(word));
  const added = after.filter((word) => !before.includes(word));
  return removed.length + added.length > 0 ? { gone: removed, come: added } : null;
}
