/** Time codes in an answer, `[12:34]` or `[1:02:34]`, as links handled by this page. */

/** A prefix that links in the text cannot have: only this page creates such links. */
const PREFIX = "#slovo-time-";

const CODE = /\[(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)\]/g;

interface Node {
  type: string;
  value?: string;
  url?: string;
  children?: Node[];
}

/** Seconds of a link created by `timeCodes`; null for any other. */
export function secondsOfLink(href: string | undefined): number | null {
  const digits = href?.startsWith(PREFIX) ? href.slice(PREFIX.length) : "";
  return /^\d{1,7}$/.test(digits) ? Number(digits) : null;
}

/** A remark plugin that turns time codes in text into links. Code and links are unchanged. */
export const timeCodes = () => (tree: Node) => visit(tree);

function visit(node: Node): void {
  if (node.type === "link" || !node.children) return;
  node.children = node.children.flatMap((child) => (child.type === "text" ? splitTimeCodes(child.value ?? "") : [child]));
  for (const child of node.children) visit(child);
}

/** The parts of a text, with time codes as links. */
export function splitTimeCodes(text: string): Node[] {
  const pieces: Node[] = [];
  let position = 0;
  for (const match of text.matchAll(CODE)) {
    const [code, hours = "0", minutes = "0", seconds = "0"] = match;
    if (match.index > position) pieces.push({ type: "text", value: text.slice(position, match.index) });
    const at = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    pieces.push({ type: "link", url: `${PREFIX}${at}`, children: [{ type: "text", value: code.slice(1, -1) }] });
    position = match.index + code.length;
  }
  if (position < text.length) pieces.push({ type: "text", value: text.slice(position) });
  return pieces;
}
