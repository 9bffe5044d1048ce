/** What every part of the Analysis tab needs. */
import { createContext, use } from "react";
import type { AnalysisView, AskForm } from "@/api/analysis";
import type { Workspace } from "../workspace";

export interface AnalysisTools {
  view: AnalysisView;
  workspace: Workspace;
  /** Requests a part; resolves when the server has accepted it. Shows errors itself and rethrows them. */
  ask: (form: AskForm) => Promise<void>;
  /** Removes a result, with a period for undo. */
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
