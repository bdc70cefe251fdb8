import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import type { RunHandle } from "@skillwright/core/adapter";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import {
  type RecordedRunsOptions,
  type RecordedStart,
  type RunRecord,
  type RunStream,
  recordedRuns,
} from "../src/index.js";
import { connected, served } from "./served.js";

const record: RunRecord = {
  isKept: false,
  ...{ formatVersion: 1, runId: "one", maxOutputBytes: 1000, leaseMs: 60_000, diagnostics: [] },
  isolation: { level: "none", by: "a test" },
  limits: {},
};
const kept = { ...record, isKept: true };

if (hasAll("supervisor"))
  describe("recorded runs over a stream", () => {
    test("are started once and found by their place, with their outcome, while their record is kept", async () => {
      const { run, runs, place } = await subject();
      const text = 'echo "out $A"; echo err >&2; exit 4';
      const first = await run(text, { record: kept, environment: { A: "1" } });
      const result = await first.result;
      expect(result).toMatchObject({ exitCode: 4, stdout: { text: "out 1\n" }, stderr: { text: "err\n" } });
      const again = await run("echo other", { record: kept });
      expect(await again.result).toEqual(result);
      expect(await (await runs.found(place))?.result).toEqual(result);
    });

    test("leave nothing of their record when the result was taken, so that the place is free again", async () => {
      const { run, runs, place } = await subject();
      for (const word of ["one", "two"])
        expect((await (await run(`echo ${word}`)).result).stdout.text).toBe(`${word}\n`);
      expect(await runs.found(place)).toBeUndefined();
      expect(existsSync(place.directory)).toBe(false);
    });

    test("leave nothing of their record when nobody follows them for the length of their lease", async () => {
      const { run, place, host, directory } = await subject();
      await run(`echo $$ > "${directory}/pid"; exec sleep 600`, { record: { ...record, leaseMs: 300 } });
      await expect.poll(() => number(`${directory}/pid`)).toBeGreaterThan(0);
      host.kill("SIGKILL");
      await expect.poll(() => existsSync(place.directory)).toBe(false);
      expect(existsSync(`/proc/${number(`${directory}/pid`)}`)).toBe(false);
    });

    test("end with their host when `endsWithHost` is set", async () => {
      const { run, place, host, socket } = await subject();
      await run("exec sleep 600", { endsWithHost: true, record: kept });
      host.kill("SIGKILL");
      const other = runsOver((await connected(socket)).stream);
      const outcome = await (await other.found(place))?.result;
      expect(outcome).toMatchObject({ exitCode: 137, treeEnded: true });
      expect(outcome?.diagnostics).toMatchObject([{ code: "run.outcome-unknown" }]);
    });

    test("get what is written to their input, its end, and signals, also while they print without end", async () => {
      const { run, directory } = await subject();
      // By the shell itself, which would report a `touch` that the signal ended.
      const text = `trap 'exit 9' TERM; yes & read a; read b; echo $a $b >&2; : > "${directory}/read"; wait`;
      const handle = await run(text, { hasInput: true });
      await handle.write(Buffer.from("one\ntwo\n"));
      await handle.endInput();
      // The test does not wait for the output itself, because a reader that is slower than the flood misses pieces of it.
      await expect.poll(() => existsSync(`${directory}/read`)).toBe(true);
      await handle.signal("SIGTERM");
      const { exitCode, stderr } = await handle.result;
      expect([exitCode, stderr.text]).toEqual([9, "one two\n"]);
      await expect(handle.write(Buffer.from("three\n"))).rejects.toMatchObject({ code: "CLOSED" });
    });

    test("say that their input is read no more", async () => {
      const { run, directory } = await subject();
      const handle = await run(`exec 0<&-; touch "${directory}/closed"; exec sleep 600`, { hasInput: true });
      await expect.poll(() => existsSync(`${directory}/closed`)).toBe(true);
      const piece = Buffer.alloc(65_536);
      const writing = (async () => {
        for (;;) await handle.write(piece);
      })();
      await expect(writing).rejects.toMatchObject({ code: "CLOSED" });
      await handle.signal("SIGKILL");
      await handle.result;
    });

    test("tell why they were not started, and a failed claim leaves no second attempt", async () => {
      const { run, runs, place } = await subject();
      const failed = await runs.start(place, {
        ...start("true"),
        words: ["--cwd", "/none", "--", "/bin/true"],
      });
      expect(failed).toMatchObject({ step: "cwd", errno: 2 });
      await expect.poll(() => existsSync(place.directory)).toBe(false);
      const first = await run("exec sleep 600", { record: kept });
      await run("true", { record: kept });
      // The supervisor of an attempt answers before it removes what it made.
      await expect.poll(() => readdirSync(place.directory).length).toBe(2);
      await first.signal("SIGKILL");
    });

    test("are ended when their start is given up while the supervisor starts them", async () => {
      const { stream, place, directory } = await subject();
      const waiting = async (answer: () => Promise<unknown>) => {
        await answer();
        throw new Error("given up");
      };
      const runs = runsOver(stream, { waiting });
      const started = runs.start(place, start(`echo $$ > "${directory}/pid"; exec sleep 600`));
      await expect(started).rejects.toThrow("given up");
      await expect.poll(() => existsSync(place.directory)).toBe(false);
      const pid = number(`${directory}/pid`);
      expect(pid > 0 && existsSync(`/proc/${pid}`)).toBe(false);
    });

    for (const lost of ["answer", "request"] as const)
      for (const of of [record, kept])
        test(`are started once where the connection breaks before the ${lost} arrives, ${of.isKept ? "kept" : "not kept"}`, async () => {
          const { run, directory, breaking, socket } = await subject();
          const runs = runsOver(breaking(lost), { again: async () => (await connected(socket)).stream });
          const handle = await run(`echo ran >> "${directory}/times"; exit 3`, { record: of }, runs);
          expect((await handle.result).exitCode).toBe(3);
          expect(readFileSync(`${directory}/times`, "utf8")).toBe("ran\n");
        });

    test("are never called not started where the connection breaks and no other can be made", async () => {
      const { place, breaking } = await subject();
      const again = async () => {
        throw new SkillError("BACKEND_FAILED", "no way there");
      };
      const started = runsOver(breaking("answer"), { again }).start(place, start("true"));
      await expect(started).rejects.toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringContaining("It is unknown whether the command of the run one was started"),
        cause: { message: "no way there" },
      });
    });

    test("tell what became of a command whose supervisor is killed before it answers", async () => {
      const { place, directory, breaking } = await subject();
      const stream = breaking("supervisor's answer");
      const starting = runsOver(stream).start(
        place,
        start(`echo $PPID > "${directory}/supervisor"; sleep 600`),
      );
      await expect.poll(() => number(`${directory}/supervisor`)).toBeGreaterThan(0);
      process.kill(number(`${directory}/supervisor`), "SIGKILL");
      const handle = await starting;
      if (!("result" in handle)) throw new Error(JSON.stringify(handle));
      const { exitCode, diagnostics } = await handle.result;
      expect([exitCode, diagnostics.map(({ code }) => code)]).toEqual([
        137,
        expect.arrayContaining(["run.outcome-unknown"]),
      ]);
    });

    test("keep little of endless output in this process", async () => {
      const { run } = await subject();
      const { stdout } = await (await run("head -c 50000000 /dev/zero")).result;
      expect([stdout.totalBytes, stdout.truncated]).toEqual([50_000_000, true]);
      expect(stdout.text.length).toBeLessThan(1100);
    });

    test("leave no process behind when their supervisor is killed; their outcome is then unknown", async () => {
      const { run, directory, server } = await subject();
      const text = `echo $PPID > "${directory}/supervisor"; (setsid sleep 600 & echo $! > "${directory}/stray"); wait; sleep 600`;
      const handle = await run(text, { record: kept });
      await expect.poll(() => existsSync(`${directory}/stray`)).toBe(true);
      await expect.poll(() => number(`${directory}/stray`)).toBeGreaterThan(0);
      process.kill(number(`${directory}/supervisor`), "SIGKILL");
      const { exitCode, diagnostics } = await handle.result;
      expect(exitCode).toBe(137);
      expect(diagnostics.map(({ code }) => code)).toContain("run.outcome-unknown");
      const stray = number(`${directory}/stray`);
      await expect.poll(() => existsSync(`/proc/${stray}`)).toBe(false);
      expect(server.exitCode).toBeNull();
    });
  });

async function subject() {
  const { socket, directory, server } = await served();
  const { stream, host } = await connected(socket);
  const place = { directory: join(directory, "runs/one"), claim: "run" };
  const runs = runsOver(stream);
  const run = async (text: string, more: Partial<RecordedStart> = {}, over = runs): Promise<RunHandle> => {
    const handle = await over.start(place, { ...start(text), ...more });
    if ("result" in handle) return handle;
    throw new Error(JSON.stringify(handle));
  };
  return { stream, socket, directory, server, host, place, runs, run, breaking };

  /** The stream, which breaks at that moment of a start, or says nothing of the answer to it. */
  function breaking(lost: "request" | "answer" | "supervisor's answer"): RunStream {
    const onBytes = () => void (lost === "answer" && host.kill("SIGKILL"));
    const startIt: RunStream["start"] = (request) => {
      if (lost === "request") host.kill("SIGKILL");
      if (request.arguments[0] !== "run") return stream.start(request);
      const command = stream.start({ ...request, onBytes });
      if (lost !== "answer") return command;
      // The command may end before the killed host does. A broken connection loses that message too.
      const ended = command.ended.then(async () => {
        await expect.poll(() => stream.isOpen()).toBe(false);
        return undefined;
      });
      return { ...command, ended };
    };
    return { ...stream, start: startIt };
  }
}

function start(text: string): RecordedStart {
  return {
    ...{ record, environment: { PATH: "/usr/bin:/bin" }, patterns: [] },
    ...{ hasInput: false, endsWithHost: false },
    words: ["--session", "--", "/bin/bash", "-c", text],
  };
}

function runsOver(
  stream: RunStream,
  {
    waiting = (answer) => answer(),
    again = async () => stream,
  }: {
    waiting?: RecordedRunsOptions["waiting"];
    again?: () => Promise<RunStream>;
  } = {},
) {
  return recordedRuns({
    open: async () => (stream.isOpen() ? stream : await again()),
    waiting,
    fate: async () => undefined,
    reached: () => [],
    ...{ signal: undefined, closed: new AbortController().signal, far: "test" },
  });
}

/** 0 where the file is not complete. */
function number(path: string): number {
  return existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
}
