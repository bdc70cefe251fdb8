import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { RunLimits, RuntimeWorkspace } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { inTime } from "../in-time.js";
import { command, inWorkspace, type RuntimePromise, runText } from "./subject.js";

const MEBIBYTE = 1024 * 1024;

/** For each limit: a value, a command that stays below it, and one that exceeds it. */
const LIMITS: Readonly<Record<keyof RunLimits, { value: number; below: string; above: string }>> = {
  memoryBytes: {
    value: 64 * MEBIBYTE,
    below: "head -c 8000000 /dev/zero | tail -c 8000000 | wc -c",
    above: "set -o pipefail; head -c 300000000 /dev/zero | tail -c 300000000 | wc -c",
  },
  processes: {
    value: 24,
    below: "for i in 1 2 3 4 5; do sleep 0.2 & done; wait",
    above: "for i in $(seq 60); do sleep 1 & done; test $(ls -d /proc/[0-9]* | wc -l) -gt 40",
  },
  openFiles: {
    value: 32,
    below: "exec 20</dev/null",
    above: "for i in $(seq 40); do exec {f}</dev/null || exit 1; done",
  },
  fileBytes: {
    value: MEBIBYTE,
    below: "head -c 1000000 /dev/zero > work/big",
    above: "head -c 2000000 /dev/zero > work/big",
  },
  diskBytes: {
    value: 4 * MEBIBYTE,
    below:
      "head -c 2000000 /dev/zero > work/a; head -c 1000000 /dev/zero > out/b; sleep 0.3; rm work/a out/b",
    above: "for i in $(seq 100); do head -c 500000 /dev/zero > work/f$i; sleep 0.05; done",
  },
  inodes: {
    value: 200,
    below: "mkdir work/d; for i in $(seq 100); do : > work/d/$i; done; sleep 0.3; rm -r work/d",
    above:
      "mkdir out/d; for i in $(seq 100); do for j in 1 2 3 4 5 6 7 8 9; do : > out/d/$i.$j; done; sleep 0.05; done",
  },
  cpu: {
    value: 0.2,
    below: "true",
    // Half a second of CPU time within a second and a half needs more than a fifth of a core.
    above: `now() { read -r up _ < /proc/uptime; echo "10#\${up/./}"; }
start=$(now)
while [ "$(awk '{print $14+$15}' /proc/$$/stat)" -lt 50 ]; do for i in {1..3000}; do :; done; done
test $(($(now) - start)) -lt 150`,
  },
};

export const limitPromises: readonly RuntimePromise[] = [
  {
    id: "workspace-runtime/limits/enforced",
    promise: "Every limit that capabilities() names is enforced.",
    seed: undefined,
    run: async ({ runtime }) => {
      const { limits } = await runtime.capabilities();
      assert(limits.length > 0, "no limit is claimed");
      await Promise.all(limits.map(async (name) => await holds(await runtime.create(name), name)));
    },
  },
  inWorkspace(
    "limits/told",
    "The result of a run names each limit that capabilities() names and the run asked for.",
    async (workspace, { runtime }) => {
      const { limits } = await runtime.capabilities();
      const asked = Object.fromEntries(limits.map((name) => [name, LIMITS[name].value]));
      const { limits: told } = await runText(workspace, "true", { limits: asked });
      for (const name of limits) assert.equal(told?.[name], asked[name], `the limit ${name}`);
    },
  ),
  inWorkspace(
    "limits/unsupported",
    "A limit that the runtime cannot enforce fails with UNSUPPORTED; with bestEffort it is a diagnostic.",
    async (workspace, { runtime }) => {
      const { limits } = await runtime.capabilities();
      const missing = (Object.keys(LIMITS) as (keyof RunLimits)[]).filter((name) => !limits.includes(name));
      assert(missing.length > 0, "every limit is claimed");
      for (const name of missing) {
        const asked = { limits: { [name]: LIMITS[name].value } };
        await failsWith(workspace.start(command("true", asked)), "UNSUPPORTED", name);
        const { exitCode, diagnostics } = await runText(workspace, "true", { ...asked, bestEffort: true });
        assert.equal(exitCode, 0);
        assert(
          diagnostics.some(({ message }) => message.includes(name)),
          `no diagnostic names ${name}`,
        );
      }
    },
  ),
  inWorkspace(
    "limits/refused",
    "A limit that is not a finite number above 0 is refused.",
    async (workspace, { runtime }) => {
      for (const name of (await runtime.capabilities()).limits)
        for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
          await failsWith(
            workspace.start(command("true", { limits: { [name]: value } })),
            "INPUT_INVALID",
            `${name} ${value}`,
          );
    },
  ),
  inWorkspace(
    "network/off",
    "The network is off unless the command requests it.",
    async (workspace, { runtime }) => {
      assert((await runtime.capabilities()).networkOff, "networkOff is not claimed");
      await whileListening(async (port) => {
        const connect = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached`;
        for (const network of [undefined, false])
          assert.equal((await runText(workspace, connect, { network })).stdout.text, "");
        const interfaces = await runText(workspace, "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '");
        assert.equal(interfaces.stdout.text.trim(), "lo");
      });
    },
  ),
  inWorkspace(
    "network/not-off",
    "A runtime that cannot turn the network off refuses `network: false` with UNSUPPORTED; with bestEffort it reports a diagnostic.",
    async (workspace, { runtime }) => {
      assert.equal((await runtime.capabilities()).networkOff, false, "networkOff is claimed");
      await failsWith(workspace.start(command("true", { network: false })), "UNSUPPORTED");
      for (const more of [{ network: false, bestEffort: true }, {}]) {
        const { exitCode, diagnostics } = await runText(workspace, "true", more);
        assert.equal(exitCode, 0);
        assert(
          diagnostics.some(({ message }) => /network/.test(message)),
          "no diagnostic names the network",
        );
      }
    },
  ),
];

async function holds(workspace: RuntimeWorkspace, name: keyof RunLimits): Promise<void> {
  const { value, below, above } = LIMITS[name];
  const under = (text: string) =>
    inTime(runText(workspace, text, { limits: { [name]: value } }), `The run (${name})`);
  const fine = await under(below);
  assert.equal(fine.exitCode, 0, `${name} below: ${fine.stderr.text}`);
  assert.notEqual((await under(above)).exitCode, 0, `the limit ${name} is not enforced`);
}

async function whileListening(work: (port: number) => Promise<void>): Promise<void> {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  try {
    await work(typeof address === "object" ? (address?.port ?? 0) : 0);
  } finally {
    server.close();
  }
}
