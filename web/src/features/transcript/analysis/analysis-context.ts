/** What every part of the Analysis tab needs. */
import { createContext, use } from "react";
import type { AnalysisView, AskForm } from "@/api/analysis";
import type { Workspace } from "../workspace";

export interface AnalysisTools {
  view: AnalysisView;
  workspace: Workspace;
  /** Asks for a part; done when the server has taken it. Says itself what went wrong, and passes it on. */
  ask: (form: AskForm) => Promise<void>;
  /** Removes a result, with time to think again. */
  remove: (analysis: string) => void;
  /** Plays the recording from this second. */
  play: (seconds: number) => void;
}

export const AnalysisContext = createContext<AnalysisTools | null>(null);

export function useAnalysis(): AnalysisTools {
  const tools = use(AnalysisContext);
  if (!tools) {
    throw new Error("A part of the analysis stands outside of its tab");
  }
  return tools;
}
