/** Exports of finished texts. */
export { ExportDialog } from "./export-dialog";
