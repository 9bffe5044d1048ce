/** The id of this tab for the server, among tabs that edit the same transcript. It survives a reload. */
const KEY = "slovo.client";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A UUID that is stable while the tab is open. */
export function tabClient(storage: Storage = sessionStorage): string {
  const stored = storage.getItem(KEY);
  if (stored !== null && UUID.test(stored)) {
    return stored;
  }
  return renewTabClient(storage);
}

/** Creates another UUID: a duplicated tab has a copy of its original's. */
export function renewTabClient(storage: Storage = sessionStorage): string {
  const created = newUuid();
  storage.setItem(KEY, created);
  return created;
}

/** A random UUID (version 4). `crypto.randomUUID` is missing on plain http from another machine. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
