/** Import of presets from a file or the clipboard: the user's own, or system presets by an administrator. */
export { ImportSheet } from "./import-sheet";
