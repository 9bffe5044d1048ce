/** A visitor's unsaved edits. They survive a reload and the page that asks for a password. */
import type { Draft, Drafts } from "./edits";

const keyOf = (token: string): string => `slovo.share.drafts.${token}`;

/** By link, for browsers without storage. */
const ofPage = new Map<string, Map<string, Draft>>();

export function storedDrafts(token: string): Drafts {
  const drafts = read(token);
  return new Map([...drafts].map(([line, draft]) => [line, { ...draft, state: { kind: "failed", error: null } as const }]));
}

export function storeDraft(token: string, draft: Draft): void {
  write(token, new Map(read(token)).set(draft.line, draft));
}

/** A newer edit of the line is kept. */
export function dropDraft(token: string, line: string, editId: string): void {
  const drafts = new Map(read(token));
  if (drafts.get(line)?.editId !== editId) return;
  drafts.delete(line);
  write(token, drafts);
}

function read(token: string): Map<string, Draft> {
  const known = ofPage.get(token);
  if (known) return known;
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(token)) ?? "[]");
    const drafts = Array.isArray(stored) ? stored.filter(isDraft) : [];
    return new Map(drafts.map((draft) => [draft.line, draft]));
  } catch {
    return new Map();
  }
}

function write(token: string, drafts: Map<string, Draft>): void {
  ofPage.set(token, drafts);
  try {
    if (drafts.size === 0) sessionStorage.removeItem(keyOf(token));
    else sessionStorage.setItem(keyOf(token), JSON.stringify([...drafts.values()].map((draft) => ({ ...draft, state: null }))));
  } catch {
    // Without storage, it is kept while the page is open.
  }
}

const isDraft = (draft: Partial<Draft> | null): draft is Draft =>
  typeof draft?.line === "string" &&
  typeof draft.text === "string" &&
  typeof draft.version === "number" &&
  typeof draft.revision === "number" &&
  typeof draft.editId === "string";
