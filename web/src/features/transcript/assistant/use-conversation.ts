/** The conversation about one transcript: the stored messages, and the answer being written. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "@/api";
import { askAssistant, assistantQuery, clearAssistant } from "@/api/assistant";
import { readAnswer } from "./answer-stream";

/** A pending question, and the answer so far. */
export interface PendingQuestion {
  question: string;
  text: string;
}

/** The error of the newest answer, if any. */
export interface AnswerFailure {
  question: string;
  kind: "failed" | "cut" | "stopped";
  /** The error of a refusal, or the one sent in the stream. */
  error: unknown;
}

export function useConversation(jobId: string, flush: () => Promise<void>) {
  const queryClient = useQueryClient();
  const history = useQuery(assistantQuery(jobId));
  const [current, setCurrent] = useState<PendingQuestion | null>(null);
  const [ending, setEnding] = useState<AnswerFailure | null>(null);
  const stream = useRef<AbortController | null>(null);
  // Leaving the page stops the stream; the server stores what it has generated.
  useEffect(() => () => stream.current?.abort(), []);

  const ask = async (question: string) => {
    if (stream.current) return;
    const controller = new AbortController();
    stream.current = controller;
    setEnding(null);
    setCurrent({ question, text: "" });
    const bad = await answered(controller.signal, question);
    stream.current = null;
    // The stored answer replaces the streamed one.
    await queryClient.invalidateQueries(assistantQuery(jobId)).catch(() => undefined);
    setEnding(bad);
    setCurrent(null);
  };

  const answered = async (signal: AbortSignal, question: string): Promise<AnswerFailure | null> => {
    try {
      await flush();
      const response = await askAssistant(jobId, question, signal);
      const more = (text: string) => setCurrent((before) => before && { ...before, text: before.text + text });
      const end = await readAnswer(response, more, signal);
      if (end.kind === "done") return null;
      return { question, kind: end.kind, error: end.kind === "failed" ? end.code : null };
    } catch (error) {
      if (signal.aborted) return { question, kind: "stopped", error: null };
      return error instanceof ApiError ? { question, kind: "failed", error } : { question, kind: "cut", error: null };
    }
  };

  return {
    history,
    current,
    ending,
    ask: (question: string) => void ask(question),
    stop: () => stream.current?.abort(),
    clear: async () => {
      await clearAssistant(jobId);
      setEnding(null);
      queryClient.setQueryData(assistantQuery(jobId).queryKey, (known) => known && { ...known, messages: [] });
      await queryClient.invalidateQueries(assistantQuery(jobId));
    },
  };
}

export type Conversation = ReturnType<typeof useConversation>;
