import { createServer } from "node:net";
import { type RuntimeWorkspace, Secret } from "@skillwright/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withinMemory } from "../../../test/memory/within-memory.js";
import { hasAll } from "../../../test/needs/has-all.js";
import { localSubject } from "./local-subject.js";
import { printed, runText } from "./running.js";

/** Above the output limits, and a fraction of what the commands write. */
const MOST_HELD = 16 * 1024 * 1024;

for (const isolation of hasAll("bubblewrap") ? (["sandbox", "none"] as const) : (["none"] as const))
  describe(`hostile output and variables (${isolation})`, () => {
    let subject: Awaited<ReturnType<typeof localSubject>>;
    let workspace: RuntimeWorkspace;

    beforeAll(async () => {
      subject = await localSubject(isolation);
      workspace = await subject.runtime.create("w1");
    });

    afterAll(async () => {
      expect(await printed(workspace, "echo ok")).toBe("ok\n");
      await subject.dispose();
    });

    test("OUT-01: endless output of a command that ignores signals and broken pipes ends at the timeout", async () => {
      const flood = "trap '' PIPE TERM; while :; do echo AAAAAAAAAAAAAAAAAAAAAAAA 2>/dev/null; done";
      const limits = { timeoutMs: 1000, maxOutputBytes: 65_536 };
      const { timedOut, stdout } = await withinMemory(MOST_HELD, () => runText(workspace, flood, limits));
      // The amount of output in that time depends on the machine.
      expect([timedOut, stdout.truncated]).toEqual([true, stdout.totalBytes > 65_536]);
      expect(stdout.text.length).toBeLessThan(66_000);
    });

    test("OUT-02: 50 MB without a line end are counted and cut, in bounded memory", async () => {
      const command = "head -c 50000000 /dev/zero | tr '\\0' a";
      const { exitCode, stdout } = await withinMemory(MOST_HELD, () =>
        runText(workspace, command, { maxOutputBytes: 65_536 }),
      );
      expect([exitCode, stdout.totalBytes, stdout.truncated]).toEqual([0, 50_000_000, true]);
    });

    test("ENV-04, ENV-06: names that are invalid or steer an interpreter are refused before anything runs", async () => {
      for (const name of [
        "BASH_FUNC_ls%%",
        "NODE_OPTIONS",
        "PYTHONSTARTUP",
        "PYTHONPATH",
        "PERL5OPT",
        "RUBYOPT",
        "GIT_SSH_COMMAND",
        "JAVA_TOOL_OPTIONS",
      ])
        await expect(runText(workspace, "touch out/ran", { env: { [name]: "x" } })).rejects.toMatchObject({
          code: "INPUT_INVALID",
        });
      expect(await workspace.list("out")).toEqual([]);
    });

    test("ENV-05: a value with NUL is refused; one with a line end stays one value", async () => {
      await expect(runText(workspace, "true", { env: { A: "1\0B=2" } })).rejects.toMatchObject({
        code: "INPUT_INVALID",
      });
      const env = { M: "x\nLD_PRELOAD=/evil" };
      expect(await printed(workspace, 'printenv LD_PRELOAD || echo unset; echo "$M" | wc -l', { env })).toBe(
        "unset\n2\n",
      );
    });

    test("ENV-09: variables and commands larger than the system accepts are refused with the limit", async () => {
      const tooLarge = { code: "LIMIT_EXCEEDED", details: { limit: expect.any(Number) } };
      await expect(runText(workspace, "true", { env: { A: "x".repeat(3_000_000) } })).rejects.toMatchObject(
        tooLarge,
      );
      await expect(runText(workspace, `true ${"x".repeat(200_000)}`)).rejects.toMatchObject(tooLarge);
      const many = Object.fromEntries(
        Array.from({ length: 10 }, (_, index) => [`A${index}`, "x".repeat(100_000)]),
      );
      await expect(runText(workspace, "true", { env: many })).rejects.toMatchObject(tooLarge);
    });

    test("ENV-08: start-up files that a run leaves in HOME are not read by the next", async () => {
      await printed(
        workspace,
        'for f in .bash_profile .bashrc .profile; do echo "echo PROFILE_RAN; exit 9" > ~/$f; done',
      );
      expect(await printed(workspace, "echo hi")).toBe("hi\n");
    });

    test("SECR-03: a secret in the shell's own error text is masked", async () => {
      const env = { API_KEY: new Secret("sk-4242424242424242") };
      const { exitCode, stderr, diagnostics } = await runText(workspace, "$API_KEY; cat /none/$API_KEY", {
        env,
      });
      expect(exitCode).toBe(1);
      expect(stderr.text).toMatch(/\*\*\*: .*not found.*\n.*\/none\/\*\*\*/s);
      expect(JSON.stringify([stderr, diagnostics])).not.toContain("4242");
    });

    test("SECR-03: a secret in what the runtime itself refuses is masked", async () => {
      const key = "sk-4242424242424242";
      const refusal = runText(workspace, "true", { cwd: `work/${key}`, env: { API_KEY: new Secret(key) } });
      await expect(refusal).rejects.toMatchObject({
        code: "FILE_NOT_FOUND",
        message: expect.stringContaining("work/***"),
      });
      expect(
        JSON.stringify(await refusal.catch((error: Error) => ({ ...error, text: error.message }))),
      ).not.toContain(key);
    });

    test("a server of the host is reachable with the network requested, and from a sandbox only then", async () => {
      const server = createServer((socket) => socket.end("from the host\n")).listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      const address = server.address();
      const port = typeof address === "object" ? address?.port : undefined;
      const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
      const asked = await runText(workspace, ask, { network: true });
      expect([asked.exitCode, asked.stdout.text]).toEqual([0, "from the host\n"]);
      if (isolation === "sandbox")
        for (const network of [false, undefined]) {
          const { exitCode, stdout } = await runText(workspace, ask, { network });
          expect([exitCode === 0, stdout.text]).toEqual([false, ""]);
        }
      else
        await expect(runText(workspace, ask, { network: false })).rejects.toMatchObject({
          code: "UNSUPPORTED",
        });
      server.close();
    });
  });
