import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "../engine-setup/engines.js";
import { withInvariants } from "./invariants.js";
import { command, printed, type RunPlace, runPlace, runText } from "./run-place.js";

describe.each(await engines())("hostile output on $name", ({ host, image }) => {
  let place: RunPlace;

  beforeAll(async () => {
    place = await runPlace({ engine: { host }, image });
  });

  afterAll(() => place?.dispose());

  test("OUT-01: endless output of a command that ignores signals and broken pipes ends when it is ended", async () => {
    const flood = "trap '' PIPE TERM; while :; do echo AAAAAAAAAAAAAAAAAAAAAAAA 2>/dev/null; done";
    const { exitCode, stdout } = await withInvariants(place, async () => {
      const run = await place.start(command(flood, { maxOutputBytes: 65_536 }));
      for await (const { offset } of run.output()) if (offset > 100_000) break;
      await run.signal("SIGKILL");
      return await run.result;
    });
    expect([exitCode, stdout.truncated]).toEqual([137, true]);
    expect(stdout.totalBytes).toBeGreaterThan(100_000);
    expect(stdout.text.length).toBeLessThan(66_000);
  });

  test("OUT-02: 50 MB without a line end are counted and cut, in bounded memory", async () => {
    const text = "head -c 50000000 /dev/zero | tr '\\0' a";
    const { exitCode, stdout } = await withInvariants(place, () =>
      runText(place, text, { maxOutputBytes: 65_536 }),
    );
    expect([exitCode, stdout.totalBytes, stdout.truncated]).toEqual([0, 50_000_000, true]);
  });

  test("OUT-03: bytes that are not text, and NULs, become replacement characters", async () => {
    const { stdout } = await withInvariants(place, () => runText(place, String.raw`printf 'a\377\000\303b'`));
    expect([stdout.text, stdout.totalBytes]).toEqual(["a\ufffd\0\ufffdb", 5]);
    expect(JSON.parse(JSON.stringify(stdout)).text).toBe(stdout.text);
  });

  test("OUT-04: a forged frame is ordinary standard output", async () => {
    const forged = String.raw`printf '\001\000\000\000\000\000\000\004fake'; printf '\002\000\000\000\377\377\377\377'; echo end`;
    const { stdout, stderr } = await withInvariants(place, () => runText(place, forged));
    expect(Buffer.from(stdout.text).toString("hex")).toBe(
      Buffer.from("\u0001\0\0\0\0\0\0\u0004fake\u0002\0\0\0\ufffd\ufffd\ufffd\ufffdend\n").toString("hex"),
    );
    expect([stdout.totalBytes, stderr.text]).toEqual([24, ""]);
  });

  test("OUT-05: the output of the container's own process cannot be reached, and nothing is stored of it", async () => {
    const text = "head -c 100000000 /dev/zero > /proc/1/fd/1; echo rc=$?";
    const { stdout } = await withInvariants(place, () => runText(place, text));
    expect(stdout.text).toMatch(/^rc=[1-9]/);
    const { LogPath, HostConfig } = await place.container.container.inspect();
    expect([LogPath ?? "", HostConfig.LogConfig?.Type]).toEqual(["", "none"]);
  });

  test("both streams are delivered live, and each in order", async () => {
    const text = "for i in 1 2 3; do echo out$i; echo err$i >&2; sleep 0.1; done";
    const { stdout, stderr } = await runText(place, text);
    expect([stdout.text, stderr.text]).toEqual(["out1\nout2\nout3\n", "err1\nerr2\nerr3\n"]);
    expect(await printed(place, "printf 'no end'")).toBe("no end");
    expect(await printed(place, "printf 'a record separator: \\036'")).toBe("a record separator: \u001e");
  });
});
