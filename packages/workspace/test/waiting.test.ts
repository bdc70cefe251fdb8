import { SkillError } from "@skillwright/core";
import { expect, test } from "vitest";
import { durationMs } from "../src/policy/duration-ms.js";
import { diagnosticList } from "../src/run/diagnostic-list.js";
import { outputEvents } from "../src/run/output-events.js";

test("output events never split a character, however the pieces are split", () => {
  const texts: string[] = [];
  const events = outputEvents("run_1", (event) => event.type === "run.output" && texts.push(event.text));
  const euro = new TextEncoder().encode("€");
  events.hear({ stream: "stdout", offset: 0, bytes: euro.subarray(0, 2) });
  events.hear({ stream: "stderr", offset: 2, bytes: new TextEncoder().encode("!") });
  events.hear({ stream: "stdout", offset: 3, bytes: euro.subarray(2) });
  events.hear({ stream: "stdout", offset: 4, bytes: euro.subarray(0, 1) });
  events.end();
  expect(texts).toEqual(["!", "€", "\ufffd"]);
});

test("output beyond the rate or the size of a run is reported as dropped, each byte once", () => {
  const told: string[] = [];
  let nowMs = 0;
  const events = outputEvents(
    "run_1",
    (event) => {
      if (event.type === "run.output") told.push(`${event.stream} ${event.text}`);
      if (event.type === "run.output-dropped") told.push(`${event.stream} dropped ${event.bytes}`);
    },
    { bytes: 10, bytesPerSecond: 4, now: () => nowMs },
  );
  const hear = (stream: "stdout" | "stderr", text: string) =>
    events.hear({ stream, offset: 0, bytes: new TextEncoder().encode(text) });
  hear("stdout", "abcd");
  hear("stdout", "ef");
  hear("stderr", "gh");
  nowMs = 500;
  hear("stderr", "ij");
  nowMs = 5000;
  hear("stdout", "klmn");
  nowMs = 10_000;
  hear("stdout", "o");
  events.end();
  expect(told).toEqual([
    "stdout abcd",
    "stdout dropped 2",
    "stderr dropped 2",
    "stderr ij",
    "stdout klmn",
    "stdout dropped 1",
  ]);
});

test("twenty diagnostics of each code are kept and the others counted", () => {
  const list = diagnosticList();
  for (let index = 0; index < 25; index++)
    list.add({ code: "a", severity: "warning", message: `${index}`, hint: "h" });
  list.add({ code: "b", severity: "info", message: "b", hint: "h" });
  expect(list.all()).toHaveLength(22);
  expect(list.all().at(-1)).toMatchObject({ code: "a", message: expect.stringContaining("5 more") });
});

test.each([
  ["500ms", 500],
  ["30s", 30_000],
  ["15m", 900_000],
  ["1.5h", 5_400_000],
  [20, 20],
])("the duration %j is %d ms", (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});

test.each(["", "15", "m", "-1s", 0, Number.NaN])("%j is not a duration", (text) => {
  expect(() => durationMs(text)).toThrow(expect.toSatisfy((error) => SkillError.is(error, "CONFIG_INVALID")));
});
