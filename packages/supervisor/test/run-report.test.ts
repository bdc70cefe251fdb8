import { expect, test } from "vitest";
import { endOf, readReport } from "../src/record/run-report.js";

/** The outcome of a run whose supervisor wrote these lines before its end. */
function end(lines: string, { asked = false } = {}) {
  const text = lines
    .split(", ")
    .map((line) => `${line}\n`)
    .join("");
  const { diagnostics, ...rest } = endOf(readReport(text), asked);
  return { ...rest, codes: diagnostics.map(({ code }) => code) };
}

const ended = { endedBy: "itself", treeEnded: true, codes: [] };

test("the command's own end gives the exit code as in shells", () => {
  expect(end("protocol 2, child 7, begun, ended exit 3, gone")).toEqual({ ...ended, exitCode: 3 });
  expect(end("protocol 2, child 7, begun, ended signal 11, launcher exit 0, gone")).toEqual({
    ...ended,
    exitCode: 139,
  });
});

test("a file system that the command filled is reported with its result", () => {
  const lines = "protocol 2, child 7, begun, ended exit 1, full /tmp, launcher exit 0, gone";
  expect(end(lines)).toEqual({ ...ended, exitCode: 1, codes: ["limit.tmp-reached"] });
});

test("the command's own end counts, even if its timeout or a request came meanwhile", () => {
  const lines = "protocol 2, child 7, begun, ended exit 0";
  expect(end(`${lines}, limit time, gone`)).toEqual({ ...ended, exitCode: 0 });
  expect(end(`${lines}, gone`, { asked: true })).toEqual({ ...ended, exitCode: 0 });
});

test("the result of a killed command tells what killed it", () => {
  const killed = { exitCode: 137, treeEnded: true, codes: [] };
  const lines = "protocol 2, child 7, begun";
  expect(end(`${lines}, limit time, launcher signal 9, gone`)).toEqual({ ...killed, endedBy: "time" });
  expect(end(`${lines}, limit time, ended signal 9, gone`)).toEqual({ ...killed, endedBy: "time" });
  expect(end(`${lines}, gone`, { asked: true })).toEqual({ ...killed, endedBy: "request" });
  expect(end(`${lines}, ended signal 9, gone`)).toEqual({ ...killed, endedBy: "itself" });
});

test("a run that was ended from outside has an unknown outcome, even though its tree is dead", () => {
  const outside = { exitCode: 137, endedBy: "outside", notStarted: undefined, treeEnded: true };
  for (const lines of ["begun, launcher exit 0", "begun, launcher signal 9", "launcher signal 9", ""])
    expect(end(`protocol 2, child 7, ${lines}, gone`)).toEqual({
      ...outside,
      codes: ["run.outcome-unknown"],
    });
});

test("a truncated report proves neither an outcome nor an end", () => {
  const unknown = { exitCode: 137, endedBy: "outside", notStarted: undefined, treeEnded: false };
  const codes = ["run.tree-not-certain", "run.outcome-unknown"];
  for (const lines of ["protocol 2", "protocol 2, child 7", "protocol 2, child 7, begun", "protocol 1, gone"])
    expect(end(lines)).toEqual({ ...unknown, codes });
  const known = end("protocol 2, child 7, begun, ended exit 4");
  expect(known).toEqual({ ...ended, exitCode: 4, treeEnded: false, codes: ["run.tree-not-certain"] });
  // The last line is incomplete.
  expect(endOf(readReport("protocol 2\nchild 7\ngone"), false).treeEnded).toBe(false);
});

test("a command counts as not started when an earlier step failed, and never after it started", () => {
  const not = (lines: string) => end(lines).notStarted;
  expect(not("protocol 2, child 7, failed exec 2, gone")).toBe('the step "exec" failed with ENOENT');
  expect(not("protocol 2, child 7, launcher exit 1, gone")).toBe("bubblewrap could not set up its sandbox");
  expect(not("protocol 2, child 7, begun, launcher exit 1, gone")).toBeUndefined();
  expect(endOf(readReport(""), false)).toMatchObject({
    notStarted: "its supervisor ended before it",
    treeEnded: true,
  });
});

test("a recorded run tells who ended it, what was lost, and that its lease was not renewed", () => {
  const lines = [
    "protocol 2",
    "child 7",
    "begun",
    "limit lease",
    "ended signal 9",
    "lost 28",
    "took 1234",
    "gone",
  ];
  const report = readReport(`${lines.join("\n")}\n`);
  expect(report).toMatchObject({ lapsed: true, lost: 28, took: 1234, asked: undefined, gone: true });
  expect(endOf(report, false)).toMatchObject({
    exitCode: 137,
    endedBy: "outside",
    diagnostics: [{ code: "run.lease-lapsed" }],
  });
  for (const how of ["end", "abort"] as const)
    expect(readReport(`protocol 2\nchild 7\nasked ${how}\n`).asked).toBe(how);
  // The command ended by itself at the same moment.
  expect(end("protocol 2, child 7, begun, limit lease, ended exit 3, gone")).toMatchObject({ exitCode: 3 });
});
