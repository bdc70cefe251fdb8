import { access } from "node:fs/promises";
import { SkillError } from "@skillwright/core";
import { describe, expect } from "vitest";
import { threadTime } from "../../../test/timing/thread-time.js";
import { hostileCase } from "./hostile-case.js";
import { SESSION, testIsolations } from "./workspace-fixture.js";

const paths = (files: readonly { path: string }[]) => files.map(({ path }) => path);

describe.each(await testIsolations())("hostile outputs, isolation %s", (isolation) => {
  for (const [title, command, globs] of [
    ["LINK-01: a link to a host file", "ln -s /etc/passwd out/p.txt", ["out/*.txt"]],
    ["LINK-02: a path through a linked directory", "ln -s /etc out/d", ["out/d/passwd"]],
    ["LINK-03: a link inside the workspace", "echo root:x > work/r; ln -s ../work/r out/r", ["out/*"]],
    ["LINK-04: out replaced by a link", 'cd "$WORKSPACE_DIR"; rm -rf out; ln -s /etc out', ["out/*"]],
  ] as const)
    hostileCase(`${title} yields nothing and is reported`, isolation, async ({ run }) => {
      const result = await run({ command, outputs: { globs, inline: true, save: true } });
      expect(result.outputs).toEqual([]);
      expect(JSON.stringify(result)).not.toContain("root:x");
      expect(result.codes.length).toBeGreaterThan(0);
    });

  hostileCase(
    "LINK-05: an output replaced with a link while it is collected never shows the link's target",
    isolation,
    async ({ run, outside }) => {
      const swap = `while :; do ln -sfn "${outside}" out/x; rm -f out/x; mkdir -p out/x; echo hi > out/x/secret.txt; rm -rf out/x; done`;
      for (let round = 0; round < 20; round++) {
        const result = await run({
          command: `(${swap}) 2>/dev/null & sleep 0.02`,
          outputs: { globs: ["out/**"], inline: true },
        });
        expect(JSON.stringify(result)).not.toContain("canary-of-the-host");
      }
    },
  );

  hostileCase(
    "LINK-06: a hard link to a file outside is not collected, where one can be created at all",
    isolation,
    async ({ run, outside }) => {
      const command = `ln "${outside}/secret.txt" out/s || echo refused; echo x > out/a; ln out/a out/b`;
      const result = await run({ command, outputs: { globs: ["out/*"], inline: true } });
      expect(paths(result.outputs)).toEqual(["out/a", "out/b"]);
      expect(JSON.stringify(result.outputs)).not.toContain("canary-of-the-host");
      if (isolation === "sandbox") expect(result.stdout.text).toBe("refused\n");
      else expect(result.codes).toEqual(["output.hard-link-skipped"]);
    },
  );

  hostileCase(
    "LINK-07: a skill's source is not changed through its staged copy",
    isolation,
    async ({ run }) => {
      await run({ skill: "demo", command: "chmod -R u+w . ; echo evil >> scripts/hello.sh" });
      const again = await run({ skill: "demo", command: "echo run" });
      expect(again.stdout.text).toBe("run\n");
    },
  );

  hostileCase("FILE-20: a pipe is reported and does not block", isolation, async ({ run }) => {
    const result = await run({
      command: "mkfifo out/pipe; echo ok > out/a",
      outputs: { globs: ["out/*"], inline: true },
    });
    expect(result.outputs).toMatchObject([{ path: "out/a", content: "ok\n" }]);
    expect(result.codes).toEqual(["output.special-skipped"]);
  });

  hostileCase(
    "FILE-23: of a sparse file of 1 GiB no more than the limit is read",
    isolation,
    async ({ run }) => {
      const result = await run({
        command: "truncate -s 1G out/huge; echo ok > out/a; truncate -s 1G out/huge.txt",
        outputs: { globs: ["out/**"], inline: true, save: true, maxFileBytes: 4 * 1024 * 1024 },
      });
      expect(paths(result.outputs)).toEqual(["out/a", "out/huge", "out/huge.txt"]);
      expect(result.outputs.filter(({ artifact }) => artifact)).toHaveLength(1);
      expect(result.codes).toContain("artifact.file-limit");
    },
  );

  hostileCase(
    "FILE-10: truncated content is never saved as complete",
    isolation,
    async ({ run, artifacts }) => {
      const outputs = { globs: ["out/*"], save: true, maxFileBytes: 1000 };
      const result = await run({ command: "head -c 5000000 /dev/zero > out/a", outputs });
      expect(result.diagnostics).toContainEqual(
        expect.objectContaining({ code: "artifact.file-limit", severity: "error", path: "out/a" }),
      );
      expect(await artifacts.list(SESSION)).toEqual([]);
    },
  );

  hostileCase(
    "FILE-25: a name that is not UTF-8 is reported, the other files are returned",
    isolation,
    async ({ run }) => {
      const command = `touch "$(printf 'out/bad\\377')"; echo ok > out/a`;
      const result = await run({ command, outputs: { globs: ["out/*"], inline: true, save: true } });
      expect(result.outputs).toMatchObject([{ path: "out/a", content: "ok\n", artifact: { version: 0 } }]);
      expect(result.codes).toEqual(["output.special-skipped"]);
      expect(result.diagnostics.find(({ code }) => code === "output.special-skipped")?.path).toBe(
        "out/bad\\xff",
      );
    },
  );

  hostileCase("FILE-04: a name with a line break is reported, not returned", isolation, async ({ run }) => {
    const command = "touch 'out/a\nb.txt'; echo ok > out/a";
    const result = await run({ command, outputs: { globs: ["out/*"], inline: true } });
    expect(paths(result.outputs)).toEqual(["out/a"]);
    expect(result.diagnostics.find(({ code }) => code === "output.special-skipped")?.path).toBe(
      "out/a\\x0ab.txt",
    );
  });

  hostileCase(
    "FILE-26: a tree 2,200 deep is listed up to a depth, with a diagnostic, and removed with its workspace",
    isolation,
    async (place) => {
      const command = `cd out; half=$(printf 'd/%.0s' $(seq 1100)); mkdir -p $half; cd $half; mkdir -p $half`;
      const started = threadTime();
      const result = await place.run({ command, outputs: { globs: ["out/**"] } });
      expect(result.outputs).toEqual([]);
      expect(result.codes).toContain("output.special-skipped");
      expect(threadTime() - started).toBeLessThan(10_000);
    },
  );

  hostileCase(
    "FILE-27: a file without permissions is reported or read, the other files are returned",
    isolation,
    async ({ run }) => {
      const command = "echo hi > out/a; chmod 000 out/a; echo ok > out/b";
      const result = await run({ command, outputs: { globs: ["out/*"], inline: true } });
      expect(result.outputs.find(({ path }) => path === "out/b")).toMatchObject({ content: "ok\n" });
      // The host's root may read it; for any other user it is reported.
      const readable = result.outputs.find(({ path }) => path === "out/a")?.content === "hi\n";
      expect(readable || result.codes.includes("output.unreadable")).toBe(true);
    },
  );

  hostileCase(
    "FILE-28: a script called .png is not an image and not returned as one",
    isolation,
    async ({ run }) => {
      const command = "printf '<script>alert(1)</script>' > out/x.png";
      const { outputs } = await run({ command, outputs: { globs: ["out/*"], inline: true } });
      expect(outputs[0]?.mimeType).toBe("text/plain");
    },
  );

  hostileCase(
    "OUT-01: endless output of a command that ignores PIPE and TERM ends at its timeout",
    isolation,
    async ({ run }) => {
      const command = "trap '' PIPE TERM; while :; do yes AAAAAAAAAAAAAAAAAAAAAAAA; done 2>/dev/null";
      const result = await run({ command, timeoutMs: 700 });
      expect(result).toMatchObject({ timedOut: true, exitCode: 137 });
      const { text, totalBytes, truncated } = result.stdout;
      // The amount of output in that time depends on the machine.
      expect(truncated).toBe(totalBytes > 1024 * 1024);
      expect(text.length).toBeLessThan(1024 * 1024 + 200);
    },
  );

  hostileCase(
    "OUT-02: one line of 50 MB keeps its head, a marker and its tail, and is counted",
    isolation,
    async ({ run }) => {
      const result = await run({
        command: "printf '€'; head -c 50000000 /dev/zero | tr '\\0' a; printf '€'",
      });
      const { text, totalBytes, truncated } = result.stdout;
      expect({ totalBytes, truncated }).toEqual({ totalBytes: 50_000_006, truncated: true });
      expect(text).toMatch(/^€a+\n?.*left out.*\n?a+€$/);
    },
  );

  hostileCase(
    "OUT-03: invalid UTF-8 and NULs become a string that JSON can represent",
    isolation,
    async ({ run }) => {
      const { stdout } = await run({ command: "printf 'a\\377\\000\\303b'" });
      expect(stdout).toMatchObject({ text: "a\ufffd\0\ufffdb", totalBytes: 5 });
      expect(JSON.parse(JSON.stringify(stdout.text))).toBe(stdout.text);
    },
  );

  for (const [title, glob] of [
    ["GLOB-01: backtracking stars", "out/*a*a*a*a*a*a*a*a*b"],
    ["GLOB-02: a group of a regular expression", "(a+)+$"],
  ] as const)
    hostileCase(`${title} is matched quickly`, isolation, async ({ run }) => {
      const command = `touch out/${"a".repeat(100)}`;
      const result = await run({ command, outputs: { globs: [glob] } });
      expect(result.outputs).toEqual([]);
      expect(result.codes).toEqual(["glob.no-match"]);
    });

  hostileCase(
    "GLOB-03: a range of 100,000,000 numbers is refused before the run",
    isolation,
    async ({ run, events }) => {
      const error: unknown = await run({
        command: "true",
        outputs: { globs: ["out/{1..100000000}"] },
      }).catch((caught: unknown) => caught);
      expect(SkillError.is(error, "INPUT_INVALID")).toBe(true);
      expect(events.map(({ type }) => type)).not.toContain("run.started");
    },
  );

  hostileCase(
    "GLOB-04: only the workspace's variables are expanded, and no shell reads a glob",
    isolation,
    async ({ run, outside }) => {
      const result = await run({
        command: "echo a > out/a.txt",
        outputs: {
          globs: [
            "$OUTPUT_DIR/../../*",
            `\${OUTPUT_DIR}/*.txt`,
            "$HOME/*",
            "$(id)/*",
            `\`touch "${outside}/pwned"\``,
          ],
        },
      });
      expect(paths(result.outputs)).toEqual(["out/a.txt"]);
      expect(result.codes).toContain("glob.outside");
      await expect(access(`${outside}/pwned`)).rejects.toThrow("ENOENT");
    },
  );
});
