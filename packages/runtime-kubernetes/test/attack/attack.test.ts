import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { basename } from "node:path";
import type { RuntimeWorkspace } from "@skillwright/core";
import { type RunCommand, run } from "@skillwright/core/adapter";
import { expect, test } from "vitest";
import { onBothWays } from "../cluster-setup/cluster.js";
import { kubernetesSubject } from "../kubernetes-subject.js";

const TRACING = new URL("tracing.pl", import.meta.url);

/** What a command tries against the first process of its container, and against the supervisor of its own run. */
const ATTACKS: Readonly<Record<string, string>> = {
  "signals to the first process": "for s in KILL STOP TERM INT HUP SEGV USR1; do kill -$s 1; done",
  "the first process's files":
    "cat /proc/1/environ /proc/1/maps /proc/1/mem; ls /proc/1/fd /proc/1/root/records; : > /proc/1/oom_score_adj",
  "the supervisor's files":
    "cat /proc/$PPID/environ /proc/$PPID/mem; for n in 1 2 3 4 5 6; do echo 'ended exit 0' > /proc/$PPID/fd/$n; done",
  "the recorder's socket": "ls /records; cat /proc/net/unix; (echo x | nc local:skillwright)",
  "its own words":
    "printf 'ended exit 0\\ngone\\n' | tee /dev/stdout >&2; printf 'ended exit 0\\n' >&3; printf 'gone\\n' >&4",
};

onBothWays((namespace) => {
  test("a command that attacks the processes that supervise it changes neither its outcome nor its output (KUBE-01)", async () => {
    const { runtime, dispose } = kubernetesSubject(namespace());
    try {
      const workspace = await runtime.create("attacked");
      for (const [what, attack] of Object.entries(ATTACKS)) {
        const told = await outcomes(
          workspace,
          `echo before; (${attack}) >/dev/null 2>&1; echo after; exit 7`,
        );
        expect(told, what).toEqual([
          { exitCode: 7, text: "before\nafter\n" },
          { exitCode: 7, text: "before\nafter\n" },
        ]);
      }
    } finally {
      await dispose?.();
    }
  });

  test("a command that kills or stops the supervisor of its run counts as killed, and its whole tree ends (KUBE-02)", async () => {
    const { runtime, dispose } = kubernetesSubject(namespace());
    try {
      const workspace = await runtime.create("attacked");
      const beat =
        "(while :; do echo x >> $HOME/beat; sleep 0.05; done) & setsid sh -c 'while :; do echo x >> $HOME/beat; sleep 0.05; done' & sleep 0.3;";
      for (const attack of ["kill -KILL $PPID", "kill -STOP $PPID", "kill -KILL -1"]) {
        const told = await outcomes(workspace, `${beat} ${attack}; sleep 60; exit 0`);
        for (const { exitCode } of told) expect(exitCode, attack).toBe(137);
        const size = async () =>
          (await workspace.list("work")).find(({ path }) => path === "work/beat")?.size;
        const before = await size();
        const { exitCode } = await run(workspace, command("sleep 0.5"));
        expect([exitCode, await size()], attack).toEqual([0, before]);
      }
    } finally {
      await dispose?.();
    }
  });

  test("a command can neither trace the processes that supervise it, nor read or write their memory (KUBE-111)", async () => {
    const { runtime, dispose } = kubernetesSubject(namespace());
    try {
      const workspace = await runtime.create("attacked");
      const perl = await putPerl(workspace);
      await workspace.put([{ path: "work/tracing.pl", content: readFileSync(TRACING) }]);
      for (const { exitCode, text } of await outcomes(workspace, `${perl} $HOME/tracing.pl; exit 7`)) {
        expect(exitCode).toBe(7);
        const lines = text.trimEnd().split("\n");
        expect(lines).toHaveLength(8);
        for (const line of lines) expect(line).toMatch(/: Operation not permitted$/);
      }
    } finally {
      await dispose?.();
    }
  });
});

/** Puts this machine's Perl with its libraries into the workspace, whose image has no program that makes any system call. */
async function putPerl(workspace: RuntimeWorkspace): Promise<string> {
  const perl = "/usr/bin/perl";
  const libraries = execFileSync("ldd", [perl], { encoding: "utf8" }).match(/\/\S+/g) ?? [];
  const files = [perl, ...libraries].map((path) => ({
    path: `work/perl/${basename(path)}`,
    content: createReadStream(path),
    executable: true,
  }));
  await workspace.put(files);
  const loader = libraries.find((path) => basename(path).startsWith("ld-")) ?? "";
  return `$HOME/perl/${basename(loader)} --library-path $HOME/perl $HOME/perl/perl`;
}

/** Of a run that nobody keeps, and of one that is kept. */
async function outcomes(workspace: RuntimeWorkspace, text: string) {
  const results = [await run(workspace, command(text)), await run(workspace, command(text, { keep: true }))];
  return results.map(({ exitCode, stdout }) => ({ exitCode, text: stdout.text }));
}

function command(text: string, more: Partial<RunCommand> = {}): RunCommand {
  const runId = `run-${randomBytes(8).toString("hex")}`;
  return { runId, command: text, cwd: ".", env: {}, timeoutMs: 60_000, maxOutputBytes: 65_536, ...more };
}
