/** The lazy route of a shared transcription. */
import { useParams } from "react-router";
import { SharedPage } from "./shared-page";

export function Component() {
  const { token = "" } = useParams();
  return <SharedPage key={token} token={token} />;
}
