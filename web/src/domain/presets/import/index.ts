/** Presets brought in from a file or the clipboard: one's own, or by an administrator everybody's. */
export { ImportSheet } from "./import-sheet";
