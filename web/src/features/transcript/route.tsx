/** The lazy route of a transcription. */
import { useParams } from "react-router";
import { TranscriptPage } from "./transcript-page";

export function Component() {
  const { jobId = "" } = useParams();
  // Keyed by the job, so that text, player and position are reset.
  return <TranscriptPage key={jobId} jobId={jobId} />;
}
