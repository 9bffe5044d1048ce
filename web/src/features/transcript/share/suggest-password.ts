/** Suggests passwords that can be dictated: unambiguous lower-case letters and digits, in groups of four. */

const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP = 4;

type Bytes = Uint8Array<ArrayBuffer>;

/** 31^16 possibilities: more than 79 bits. */
export function suggestPassword(random: (bytes: Bytes) => Bytes = (bytes) => crypto.getRandomValues(bytes)): string {
  const letters: string[] = [];
  while (letters.length < GROUPS * GROUP) {
    for (const byte of random(new Uint8Array(32))) {
      // Bytes beyond the last multiple would make some letters more likely.
      if (byte < 256 - (256 % LETTERS.length)) letters.push(LETTERS.charAt(byte % LETTERS.length));
    }
  }
  const joined = letters.slice(0, GROUPS * GROUP).join("");
  return (joined.match(/.{4}/g) ?? []).join("-");
}
