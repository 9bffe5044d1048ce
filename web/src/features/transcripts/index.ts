export { TranscriptsPage } from "./transcripts-page";
