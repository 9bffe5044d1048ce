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
  it("attributes an unannounced scroll to the reader", () => {
    expect(setUp().watch.scrolled()).toBe(true);
  });

  it("recognises a smooth scroll of the page until its last event", () => {
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

  it("attributes scrolls to the reader after they have taken over", () => {
    const { watch, wait } = setUp();
    watch.own();
    wait(16);
    expect(watch.scrolled()).toBe(false);
    watch.takenOver();
    expect(watch.scrolled()).toBe(true);
  });

  it("stops waiting for an announced scroll that was not needed", () => {
    const { watch, wait } = setUp();
    watch.own();
    wait(500);
    expect(watch.scrolled()).toBe(true);
  });

  it("ignores the browser's scroll anchoring", () => {
    const { watch, wait } = setUp();
    watch.layoutChanged();
    wait(20);
    expect(watch.scrolled()).toBe(false);
    wait(250);
    expect(watch.scrolled()).toBe(true);
  });
});
