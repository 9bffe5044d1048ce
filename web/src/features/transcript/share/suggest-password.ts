/** Passwords that can be told on the phone: small letters and digits that look like no other, in groups of four. */

const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP = 4;

type Bytes = Uint8Array<ArrayBuffer>;

/** One of 31 to the power of 16: more than 79 bits. */
export function suggestPassword(random: (bytes: Bytes) => Bytes = (bytes) => crypto.getRandomValues(bytes)): string {
  const letters: string[] = [];
  while (letters.length < GROUPS * GROUP) {
    for (const byte of random(new Uint8Array(32))) {
      // Bytes beyond the last whole turn would make some letters likelier than others.
      if (byte < 256 - (256 % LETTERS.length)) letters.push(LETTERS.charAt(byte % LETTERS.length));
    }
  }
  const whole = letters.slice(0, GROUPS * GROUP).join("");
  return (whole.match(/.{4}/g) ?? []).join("-");
}
