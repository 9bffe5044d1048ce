/** The name by which the server knows this tab among those that edit the same transcript. A reload keeps it. */
const KEY = "slovo.client";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The same UUID as long as the tab is open. */
export function tabClient(storage: Storage = sessionStorage): string {
  const kept = storage.getItem(KEY);
  if (kept !== null && UUID.test(kept)) {
    return kept;
  }
  return renewTabClient(storage);
}

/** Another UUID: the tab was duplicated, and its original has the one that both keep. */
export function renewTabClient(storage: Storage = sessionStorage): string {
  const made = newUuid();
  storage.setItem(KEY, made);
  return made;
}

/** A random UUID (version 4). `crypto.randomUUID` is missing on plain http from another machine. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
