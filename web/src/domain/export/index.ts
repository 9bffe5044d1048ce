/** Finished texts as files. */
export { ExportDialog } from "./export-dialog";
