import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { markedProcesses } from "./marked-processes.js";
import { masks, recorded, whole } from "./recorded.js";

const bash = (text: string) => ["/bin/bash", "-c", text];

if (hasAll("supervisor"))
  describe("a recorded run", () => {
    let root: string;
    beforeEach(() => {
      root = realpathSync(mkdtempSync(join(tmpdir(), "supervisor-")));
    });
    afterEach(() => rmSync(root, { recursive: true }));
    const start = (options: readonly string[], text: string, more = {}) =>
      recorded(join(root, "one"), options, bash(text), more);
    const textOf = (run: ReturnType<typeof recorded>, stream: "stdout" | "stderr") =>
      run
        .kept(stream)
        .map(({ text }) => text)
        .join("");

    test("keeps its output with offsets over both streams, and its outcome", async () => {
      const kept = (name: string) => `until [ -s "${root}/one/${name}.0" ]; do sleep 0.01; done`;
      const run = start(
        [],
        `echo first; ${kept("stdout")}; echo second >&2; ${kept("stderr")}; echo third; exit 3`,
      );
      expect(await run.ended).toBe(0);
      expect(run.report()).toEqual(["protocol 2", "child", "begun", "ended exit 3", "took", "gone"]);
      expect(run.kept("stdout")).toEqual([
        { position: 0, offset: 0, text: "first\n" },
        { position: 6, offset: 13, text: "third\n" },
      ]);
      expect(run.kept("stderr")).toEqual([{ position: 0, offset: 6, text: "second\n" }]);
    });

    test("lets its program open /dev/stdout and /dev/stderr by name", async () => {
      const run = start([], "echo out > /dev/stdout; echo err > /dev/stderr");
      await run.ended;
      expect([textOf(run, "stdout"), textOf(run, "stderr")]).toEqual(["out\n", "err\n"]);
    });

    test("passes on input from any writer until a line ends it, also to a program that opens /dev/stdin", async () => {
      const run = start(["--input"], "read first; echo $first; cat /dev/stdin; cat; echo over");
      await expect.poll(() => run.write("one\n")).toBe(true);
      await expect.poll(() => textOf(run, "stdout")).toBe("one\n");
      expect(run.write("two\n")).toBe(true);
      await expect.poll(() => textOf(run, "stdout")).toBe("one\ntwo\n");
      expect(run.tell("end-input")).toBe(true);
      await run.ended;
      expect(textOf(run, "stdout")).toBe("one\ntwo\nover\n");
    });

    test("passes on all of its input that was written before the line, however late the program reads it", async () => {
      const run = start(["--input"], `until [ -e "${root}/go" ]; do sleep 0.01; done; wc -c`);
      await expect.poll(() => run.write("x".repeat(60_000))).toBe(true);
      expect(run.tell("end-input")).toBe(true);
      await expect.poll(() => run.write("")).toBe(false);
      writeFileSync(join(root, "go"), "");
      await run.ended;
      expect(textOf(run, "stdout").trim()).toBe("60000");
    });

    test("refuses input after its program has closed it", async () => {
      const run = start(["--input"], "exec 0<&-; echo closed; sleep 1000");
      await expect.poll(() => textOf(run, "stdout")).toBe("closed\n");
      await expect.poll(() => run.write("x")).toBe(false);
      run.tell("end");
      await run.ended;
    });

    test("at its time limit, ends its program before the program sees the end of its input", async () => {
      const command = `exec 3<&0; for i in {1..50}; do (read <&3 || echo > "${root}/seen") & done; wait`;
      await start(["--input", "--time", "200"], command).ended;
      expect(readdirSync(root)).toEqual(["one"]);
    });

    test("ends with its host where it has a control pipe of its own", async () => {
      const marked = markedProcesses();
      const run = start(["--control", "5"], "(setsid sleep 1000 &); echo up; sleep 1000", {
        env: marked.env,
        given: [new Uint8Array(0)],
      });
      await run.ended;
      expect(run.report().slice(-3)).toEqual(["ended signal 9", "took", "gone"]);
      expect(run.report()).toContain("limit host");
      expect(marked.alive()).toEqual([]);
    });

    test("keeps the first segment of each stream and the last two", async () => {
      const run = start(["--output-bytes", "10000"], "head -c 1000000 /dev/zero | tr '\\0' x; printf end");
      await run.ended;
      const frames = run.kept("stdout");
      const last = frames.at(-1);
      expect((last?.position ?? 0) + (last?.text.length ?? 0)).toBe(1_000_003);
      expect(textOf(run, "stdout").endsWith("xend")).toBe(true);
      expect(readdirSync(join(root, "one")).filter((name) => name.startsWith("stdout."))).toHaveLength(3);
      const head = frames.filter(({ position }) => position < 5000).map(({ text }) => text);
      expect(head.join("")).toBe("x".repeat(5000));
      const tail = frames.filter(({ position }) => position >= 5000).map(({ text }) => text);
      expect(tail.join("").length).toBeGreaterThanOrEqual(5000);
    });

    test("does not wait for output that a process outside the run may still write", async () => {
      const outside = start([], "exec 7>&1; echo $BASHPID; sleep 1000");
      await expect.poll(() => textOf(outside, "stdout")).not.toBe("");
      const pid = textOf(outside, "stdout").trim();
      // It holds this run's pipe open through /proc.
      const run = recorded(join(root, "two"), [], bash(`exec 5>/proc/${pid}/fd/7; echo yes >&5; echo own`));
      await run.ended;
      expect(textOf(run, "stdout")).toBe("own\n");
      outside.tell("end");
      await outside.ended;
      expect(outside.report().slice(-4)).toEqual(["asked end", "ended signal 9", "took", "gone"]);
    });

    test("goes on without a reader until a line of any process ends it", async () => {
      const marked = markedProcesses();
      const run = start([], "(setsid sleep 1000 &); echo up; sleep 1000", { env: marked.env });
      await expect.poll(() => textOf(run, "stdout")).toBe("up\n");
      expect(run.tell("unknown")).toBe(true);
      expect(run.tell("abort")).toBe(true);
      await run.ended;
      expect(marked.alive()).toEqual([]);
      expect(run.report().slice(-4)).toEqual(["asked abort", "ended signal 9", "took", "gone"]);
      expect(run.tell("end")).toBe(false);
    });

    test("passes signals on", async () => {
      const run = start(["--session"], "trap 'echo caught; exit 5' TERM; echo up; sleep 1000 & wait");
      await expect.poll(() => textOf(run, "stdout")).toBe("up\n");
      run.tell("signal 15");
      await run.ended;
      expect(textOf(run, "stdout")).toBe("up\ncaught\n");
      expect(run.report()).toContain("ended exit 5");
    });

    test("ends when its time is over", async () => {
      const run = start(["--time", "50"], "sleep 1000");
      await run.ended;
      expect(run.report().slice(-4)).toEqual(["limit time", "ended signal 9", "took", "gone"]);
    });

    test("ends when nobody renews its lease", async () => {
      const run = start(["--lease", "50"], "sleep 1000");
      await run.ended;
      expect(run.report().slice(-4)).toEqual(["limit lease", "ended signal 9", "took", "gone"]);
    });

    test("ends when its lease is taken back", async () => {
      const run = start(["--lease", "40000"], "echo up; sleep 1000");
      await expect.poll(() => textOf(run, "stdout")).toBe("up\n");
      rmSync(join(root, "one/lease"));
      await run.ended;
      expect(run.report()).toContain("limit lease");
    });

    test("goes on for the length of a lease that is renewed, whatever time the file has", async () => {
      const run = start(
        ["--lease", "1000"],
        `sleep 0.3; touch -d @12345 "${root}/one/lease"; echo renewed; sleep 1000`,
      );
      await run.ended;
      // A machine so busy that nobody renews in time ends the run at the first lease.
      const least = textOf(run, "stdout") === "" ? 1000 : 1300;
      expect(run.tookMs()).toBeGreaterThanOrEqual(least);
      expect(run.report()).toContain("limit lease");
    });

    test("is started once by any number of supervisors with the same claim", async () => {
      const file = join(root, "count");
      const runs = Array.from({ length: 12 }, (_, index) =>
        recorded(join(root, `run-${index}`), ["--claim", "run"], bash(`echo started >> "${file}"`)),
      );
      await Promise.all(runs.map(({ ended }) => ended));
      expect(readFileSync(file, "utf8")).toBe("started\n");
      const winner = Number(readlinkSync(join(root, "run")).replace("run-", ""));
      for (const [index, run] of runs.entries())
        if (index !== winner) expect(run.report()).toEqual(["protocol 2", "failed claim 17", "gone"]);
      expect(runs[winner]?.report()).toContain("ended exit 0");
    });

    test("masks byte strings before anything is written, however the output is split", async () => {
      const secret = "correct horse battery";
      const text = `for c in c o r r e c t ' ' h o r s e; do printf "$c"; sleep 0.002; done; printf ' battery and '
printf 'correct correct horse battery'; printf 'correct hors'`;
      const run = start(["--mask", "5"], text, { given: [masks(secret, "horse")] });
      await run.ended;
      expect(textOf(run, "stdout")).toBe("*** and correct ***correct hors");
      const files = readdirSync(join(root, "one")).filter((name) => name.startsWith("stdout."));
      for (const name of files)
        expect(readFileSync(join(root, "one", name), "latin1")).not.toContain("horse");
    });

    test("gives its program the bytes of --whole, in a file", async () => {
      const bytes = Buffer.alloc(300_000, "abc");
      const run = start(["--whole", "5", "--keep", "5"], "wc -c <&5; test -f /dev/fd/5 && echo file", {
        given: [whole(bytes)],
      });
      await run.ended;
      expect(textOf(run, "stdout")).toBe("300000\nfile\n");
    });

    test.each(["--whole", "--mask"])(
      "is not started where the bytes of %s are incomplete",
      async (option) => {
        const part = whole(Buffer.alloc(100)).subarray(0, 60);
        const run = start([option, "5", "--claim", "run"], "exit 0", { given: [part] });
        expect(await run.ended).toBe(125);
        expect(run.report()).toEqual([]);
        expect(readdirSync(root)).toEqual(["one"]);
      },
    );

    test("refuses a directory that already records a run", async () => {
      await start([], "exit 0").ended;
      const again = start([], "exit 0");
      await again.ended;
      expect(again.report().slice(-3)).toEqual(["protocol 2", "failed record 17", "gone"]);
    });

    test.each([
      ["a relative directory", ["--record", "one"], /absolute/],
      ["a claim with a slash", ["--claim", "a/b"], /needs a name/],
    ])("is refused with %s", async (_, options, reason) => {
      const run = start(options, "exit 0");
      let said = "";
      run.child.stderr?.on("data", (text: Buffer) => {
        said += text;
      });
      expect(await run.ended).toBe(125);
      await expect.poll(() => said).toMatch(reason);
    });
  });
