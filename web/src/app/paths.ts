/** Addresses. A `:name` stands for one part of a path. */
import paths from "./paths.json";

/** The application's own. The server reads the same file: these get the application, every other address a page of its own. */
export const PATHS = paths;

/** The start of the public pages. They are the server's, so a link there loads a document. */
export const HOME = "/";
