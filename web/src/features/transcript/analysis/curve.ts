/** The sentiment curve, reduced to as many points as fit the page. */
import type { Mood, SentimentPoint } from "@/api/analysis";

/** Scores between these are neutral; the same for a point and for the whole. */
const NEUTRAL = 0.15;

export interface CurvePoint {
  /** Seconds of the recording. */
  start: number;
  end: number;
  /** -1 to 1. */
  score: number;
  mood: Mood;
}

export const moodOf = (score: number): Mood => (score >= NEUTRAL ? "positive" : score <= -NEUTRAL ? "negative" : "neutral");

/** At most `most` points in time order; merged neighbours are weighted by duration. */
export function curveOf(points: readonly SentimentPoint[], most: number): CurvePoint[] {
  const known = points.filter(({ score, moment }) => Number.isFinite(score) && Number.isFinite(moment.start));
  const size = Math.max(1, Math.ceil(known.length / most));
  return Array.from({ length: Math.ceil(known.length / size) }, (_, at) => averageOf(known.slice(at * size, (at + 1) * size)));
}

function averageOf(points: readonly SentimentPoint[]): CurvePoint {
  const lengthOf = ({ moment }: SentimentPoint) => Math.max(0.1, moment.end - moment.start);
  const totalLength = points.reduce((sum, point) => sum + lengthOf(point), 0);
  const mean = points.reduce((sum, point) => sum + clamp(point.score) * lengthOf(point), 0) / totalLength;
  return {
    start: points[0]?.moment.start ?? 0,
    end: points.at(-1)?.moment.end ?? 0,
    score: mean,
    mood: moodOf(mean),
  };
}

const clamp = (score: number) => Math.min(1, Math.max(-1, score));
