/** Runs inside the virtual machine, as root: each check is a program of this folder on a host of another kind. */
import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checks } from "../../scripts/checks.mjs";
import { runCommand } from "../../scripts/run-command.mjs";
import { until } from "./groups.mjs";

const { check, close } = checks();
const node = process.execPath;
const program = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const [limits, ownGroup, noSandbox, noDelegation] = [
  ...["limits.mjs", "own-group.mjs", "no-sandbox.mjs", "no-delegation.mjs"].map(program),
];
const cli = program("../../packages/cli/dist/main.js");
const skills = program("../../skills");
const path = `PATH=/given/node:${process.env.PATH}`;
const show = (/** @type {string} */ text) => void process.stdout.write(text.replaceAll(/^(?=.)/gm, "  "));
/** A program that hangs is ended, so that its check fails and the next ones run. */
const run = (/** @type {string[]} */ ...command) => runCommand("timeout", ["480", ...command], { show });
const asAnn = (/** @type {string} */ command) => run("su", "-", "ann", "-c", `${path} ${node} ${command}`);
const service = (/** @type {string[]} */ ...properties) => [
  ...["systemd-run", "--quiet", "--wait", "--pipe", "--unit=checked", `--setenv=${path}`],
  ...properties,
  node,
];

// Imitates a container engine: the processes see their own group as the root, and no systemd.
const container = `mkdir /sys/fs/cgroup/box
  exec unshare --mount --pid --fork --kill-child --mount-proc sh -c 'echo $$ > /sys/fs/cgroup/box/cgroup.procs
    exec unshare --cgroup sh -c "umount /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup &&
      mount -t tmpfs none /run/systemd && exec $0 $1"' ${node} ${ownGroup}`;

await check("limits hold for an ordinary user", () => asAnn(limits));
await check("limits hold for root", () => run(node, limits));
await check("limits hold in a service with Delegate=yes", () =>
  run(...service("--property=Delegate=yes"), ownGroup),
);
await check("limits hold in such a service of an ordinary user", () =>
  run(...service("--property=Delegate=yes", "--uid=ann"), ownGroup),
);
await check("limits hold in a container whose group can be written to", () => run("sh", "-c", container));
await check("a user without a manager is told how to get one", async () => {
  await run("useradd", "--create-home", "bob");
  const told = ["systemd gave no scope to this process", "loginctl enable-linger", "memoryBytes", "cpu"];
  await run(...service("--uid=bob"), noDelegation, ...told);
});
await check("a service to which a controller was not delegated is told how to delegate it", async () => {
  const told = ["controllers cpu were not delegated", "systemctl edit checked.service", "cpu"];
  await run(...service("--property=Delegate=memory pids", "--uid=bob"), noDelegation, ...told);
});
await check("skillwright run shows the CPU time and the memory of the command", async () => {
  const { output } = await asAnn(`${cli} run --skills ${skills} python-math "echo hi"`);
  assert.match(output, /done after .* of CPU time, up to .* of memory, isolation namespace/);
});
await check("nothing is left: no scope, no group of a host and no group of a run", async () => {
  const left = () =>
    readdirSync("/sys/fs/cgroup", { recursive: true })
      .map(String)
      .filter((name) => /skillwright-[^/]*$/.test(name));
  // systemd removes a scope shortly after its last process has ended.
  await until(() => left().every((name) => !name.endsWith(".scope")));
  // The group of the imitated container has no engine that would remove it.
  assert.deepEqual(
    left().filter((name) => !name.startsWith("box/")),
    [],
  );
});
await check(
  "without namespaces, one message has the remedy, in the terminal, the command and the server",
  async () => {
    writeFileSync("/proc/sys/user/max_user_namespaces", "0");
    await asAnn(noSandbox);
  },
);
close();
