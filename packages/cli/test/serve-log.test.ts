import { loggedError, textLog } from "@skillwright/server";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { serveLog } from "../src/serve/serve-log.js";
import { cliFixture } from "./cli-fixture.js";
import { servedProcess } from "./served-process.js";

describe("SERVE-109: the log of skillwright serve", () => {
  /** Returns what the log writes when it gets an entry of each level. */
  function written(isTTY: boolean, level?: Parameters<typeof serveLog>[0]): readonly string[] {
    const texts: string[] = [];
    const stderr = { isTTY, write: (text: string) => void texts.push(text) };
    const log = serveLog(level, { stderr, remark: stderr.write }, { loggedError, textLog });
    for (const one of ["debug", "info", "warn", "error"] as const) log[one]({ route: "/x" }, one);
    return texts;
  }

  test("has text with the time of day on a terminal, by default from the level warn", () => {
    expect(written(true)).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d warn \(route=\/x\)$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d error \(route=\/x\)$/),
    ]);
    expect(written(true, "debug")).toHaveLength(4);
  });

  test("has JSON elsewhere, by default from the level info", () => {
    expect(written(false).map((text) => JSON.parse(text))).toMatchObject([
      { level: "info", msg: "info", route: "/x", time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
      { level: "warn" },
      { level: "error" },
    ]);
    expect(written(false, "error")).toHaveLength(1);
  });

  if (hasAll("packages/cli/dist", "packages/server/dist"))
    test("has an entry for each request, for the begin and the end of a turn, and for the remark at the end of the server", async () => {
      const served = await servedProcess(await cliFixture());
      await served.ask("/conversations", { id: "one" });
      const turn = { message: { parts: [{ type: "text", text: "What can you do?" }] } };
      await (await served.ask("/conversations/one/turns", turn)).text();
      served.kill("SIGTERM");
      expect(await served.ended).toBe(0);
      const entries = served
        .shown()
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line));
      expect(entries.map(({ msg }) => msg)).toEqual(
        expect.arrayContaining([
          ...["POST /v1/conversations 201", "Turn begun", "POST /v1/conversations/{conversation}/turns 200"],
          ...["Turn ended", expect.stringContaining("Takes no new turns")],
        ]),
      );
      expect(entries.filter(({ msg }) => msg === "")).toEqual([]);
      expect(JSON.stringify(entries)).not.toContain("What can you do?");
    });
});
