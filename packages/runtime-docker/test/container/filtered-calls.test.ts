import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { describe, expect, test } from "vitest";
import { filterRows, matchingArguments } from "../../../supervisor/test/filter-rows.js";
import { createContainer } from "../../src/container/create-container.js";
import { engineLimits } from "../../src/container/engine-limits.js";
import { imageSource } from "../../src/image/ensure-image.js";
import { imageShells } from "../../src/image/image-shell.js";
import { imageTools } from "../../src/image/image-tools.js";
import { runScript } from "../../src/stream/run-script.js";
import { dockerSubject } from "../docker-subject.js";
import { engines, LOCAL_ENGINES } from "../engine-setup/engines.js";
import { runText } from "../runtime/running.js";
import { containerPlace, told } from "./container-place.js";

const makeCalls = readFileSync(new URL("../../../supervisor/test/make-calls.py", import.meta.url));
const architecture = process.arch === "arm64" ? "arm64" : "x64";
const NETLINK = [filterRows.find(({ name }) => name === "socket")?.numbers[architecture] ?? 0, 16, 3, 0];

describe.each(await engines(undefined, "full"))(
  "system calls of a command in a container, on $name",
  (engine) => {
    test("each call in the supervisor's table gets its error, and programs run", async () => {
      await using subject = dockerSubject(engine);
      const workspace = await subject.runtime.create("w");
      await workspace.put([{ path: "work/calls.py", content: makeCalls }]);
      const rows = filterRows.filter(({ filter, answer }) => filter !== "ONLINE" && answer !== 0);
      const calls = rows.map((row) => [row.numbers[architecture], ...matchingArguments(row)]);
      const made = await runText(workspace, `python3 work/calls.py '${JSON.stringify(calls)}'`);
      const errors = JSON.parse(made.stdout.text) as number[];
      expect(rows.length).toBeGreaterThan(40);
      expect(rows.map(({ name }, index) => [name, errors[index]])).toEqual(
        rows.map(({ name, answer }) => [name, answer]),
      );
      const script =
        "import multiprocessing as m, subprocess; print(m.Pool(2).map(abs, [-1]), subprocess.call('true'))";
      const ran = await runText(workspace, `python3 -c "${script}" && node -p 1+1`);
      expect([ran.stdout.text, ran.exitCode]).toEqual(["[1] 0\n2\n", 0]);
    });

    test("a command with a network may query the kernel about it, and one without may not", async () => {
      for (const [network, error] of [
        ["none", constants.errno.EAFNOSUPPORT],
        ["host", 0],
      ] as const) {
        await using subject = dockerSubject(engine, { network });
        const workspace = await subject.runtime.create("w");
        await workspace.put([{ path: "work/calls.py", content: makeCalls }]);
        const made = await runText(workspace, `python3 work/calls.py '${JSON.stringify([NETLINK])}'`);
        expect([network, made.stdout.text.trim()]).toEqual([network, `[${error}]`]);
      }
    });
  },
);

describe.each(await engines(LOCAL_ENGINES))("the filter of system calls, on $name", (subject) => {
  test("applies to everything that runs as the command's user, in addition to the engine's own", async () => {
    await using place = await containerPlace(subject);
    const container = await place.make("w");
    const filters = async (as: "run" | "root") =>
      Number(/^Seccomp_filters:\s(\d+)$/m.exec(await told(container, "cat /proc/self/status", as))?.[1]);
    expect(await filters("root")).toBeGreaterThan(0);
    expect(await filters("run")).toBe((await filters("root")) + 1);
    const change = "for f in /.skillwright /.skillwright/supervisor; do rm -rf $f; mv $f $f.old; : >$f; done";
    await runScript(container, { script: `( ${change} ) 2>/dev/null; true`, as: "run" });
    expect(await filters("run")).toBe((await filters("root")) + 1);
  });

  test.each([
    ["for which there is none", "riscv64", /no supervisor for its processor \(riscv64\).*x64 or arm64/],
    [
      "on whose machine it does not start",
      process.arch === "x64" ? "arm64" : "x64",
      /supervisor|could not be started|exec format/i,
    ],
  ])("without a supervisor, as in an image %s, no workspace is created", async (_, arch, message) => {
    await using place = await containerPlace(subject);
    const source = imageSource({ image: subject.image, pull: "never" });
    const image = { ...(await source(place.engine)), arch };
    const looks = { shells: imageShells(), tools: imageTools() };
    const plan = { workspaceId: "w", wish: place.wish, image, limits: engineLimits(), ...looks };
    await expect(createContainer(place.engine, plan)).rejects.toMatchObject({
      code: expect.stringMatching(/^(ISOLATION_UNAVAILABLE|BACKEND_FAILED)$/),
      message: expect.stringMatching(message),
    });
    expect(await place.leftovers()).toEqual([]);
  });
});
