/** Paths of the app. A `:name` stands for one segment. */
import paths from "./paths.json";

/** The server reads the same file: for these paths it serves the app, for all others a page of its own. */
export const PATHS = paths;

/** The home page. It is served by the server, so links to it load a new document. */
export const HOME = "/";
