/** Runs inside the virtual machine, as root: each check is a program of this folder on a host of another kind. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checks } from "../../scripts/checks.mjs";
import { runCommand } from "../../scripts/run-command.mjs";

const { check, close } = checks();
const node = process.execPath;
const program = (name) => fileURLToPath(new URL(name, import.meta.url));
const [limits, ownGroup, noSandbox] = ["limits.mjs", "own-group.mjs", "no-sandbox.mjs"].map(program);
const env = { ...process.env, PATH: `/given/node:${process.env.PATH}` };
const run = (command, ...args) => runCommand(command, args, { env });
const asAnn = (script) => run("su", "-", "ann", "-c", `PATH=/given/node:$PATH ${node} ${script}`);
const asService = (...properties) =>
  run("systemd-run", "--quiet", "--wait", "--pipe", "--property=Delegate=yes", ...properties, node, ownGroup);

// Imitates a container engine: the processes see their own group as the root, and no systemd.
const container = `mkdir /sys/fs/cgroup/box
  exec unshare --mount --pid --fork --mount-proc sh -c 'echo $$ > /sys/fs/cgroup/box/cgroup.procs
    exec unshare --cgroup sh -c "umount /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup &&
      mount -t tmpfs none /run/systemd && exec $0 $1"' ${node} ${ownGroup}`;

await check("limits hold for an ordinary user", () => asAnn(limits));
await check("limits hold for root", () => run(node, limits));
await check("limits hold in a service with Delegate=yes", () => asService());
await check("limits hold in such a service of an ordinary user", () => asService("--uid=ann"));
await check("limits hold in a container whose group can be written to", () => run("sh", "-c", container));
await check(
  "without namespaces, one message has the remedy, in the terminal, the command and the server",
  async () => {
    writeFileSync("/proc/sys/user/max_user_namespaces", "0");
    await asAnn(noSandbox);
  },
);
close();
