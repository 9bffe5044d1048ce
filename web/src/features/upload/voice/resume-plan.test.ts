import { describe, expect, it } from "vitest";
import { isWhole, planResume } from "./resume-plan";

const span = (offset: number, length: number) => ({ offset, length });

describe("the plan for an interrupted recording", () => {
  it("sends stored pieces after the server's bytes", () => {
    const plan = planResume(150, [span(0, 100), span(100, 100), span(200, 100)]);
    expect(plan).toEqual({ acked: 150, end: 300, unsent: [span(100, 100), span(200, 100)], lost: 0 });
  });

  it("does not depend on the order of pieces", () => {
    expect(planResume(0, [span(100, 50), span(0, 100)]).unsent).toEqual([span(0, 100), span(100, 50)]);
  });

  it("continues after the server's bytes if this browser has none, or fewer", () => {
    expect(planResume(500, [])).toEqual({ acked: 500, end: 500, unsent: [], lost: 0 });
    expect(planResume(500, [span(0, 400)])).toEqual({ acked: 500, end: 500, unsent: [], lost: 0 });
  });

  it("sends everything if the server has nothing and all pieces are here", () => {
    expect(planResume(0, [span(0, 100)])).toEqual({ acked: 0, end: 100, unsent: [span(0, 100)], lost: 0 });
  });

  it("stops at a gap", () => {
    const plan = planResume(100, [span(120, 80), span(200, 50)]);
    expect(plan).toEqual({ acked: 100, end: 100, unsent: [], lost: 130 });
  });

  it("accepts overlapping pieces", () => {
    expect(planResume(0, [span(0, 100), span(60, 100), span(20, 30)])).toMatchObject({ end: 160, lost: 0 });
  });
});

it("is whole if no byte is missing", () => {
  expect(isWhole([span(0, 100), span(100, 20)], 120)).toBe(true);
  expect(isWhole([span(0, 100)], 120)).toBe(false);
  expect(isWhole([span(10, 110)], 120)).toBe(false);
  expect(isWhole([], 0)).toBe(false);
});
