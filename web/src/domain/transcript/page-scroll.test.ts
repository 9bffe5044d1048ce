import { describe, expect, it } from "vitest";
import { createScrollWatch } from "./page-scroll";

function setUp() {
  let time = 10_000;
  const watch = createScrollWatch(() => time);
  const wait = (ms: number) => {
    time += ms;
  };
  return { watch, wait };
}

describe("the scroll watch", () => {
  it("takes a scroll that nobody announced for the reader's", () => {
    expect(setUp().watch.scrolled()).toBe(true);
  });

  it("knows a smooth scroll of the page to its last event", () => {
    const { watch, wait } = setUp();
    watch.own();
    wait(100);
    for (let frame = 0; frame < 60; frame += 1) {
      wait(16);
      expect(watch.scrolled()).toBe(false);
    }
    wait(200);
    expect(watch.scrolled()).toBe(true);
  });

  it("gives the next scroll to the reader once they have taken over", () => {
    const { watch, wait } = setUp();
    watch.own();
    wait(16);
    expect(watch.scrolled()).toBe(false);
    watch.takenOver();
    expect(watch.scrolled()).toBe(true);
  });

  it("does not wait for ever for a scroll that was not needed", () => {
    const { watch, wait } = setUp();
    watch.own();
    wait(500);
    expect(watch.scrolled()).toBe(true);
  });

  it("passes over what the browser does to keep the text in place", () => {
    const { watch, wait } = setUp();
    watch.layoutChanged();
    wait(20);
    expect(watch.scrolled()).toBe(false);
    wait(250);
    expect(watch.scrolled()).toBe(true);
  });
});
