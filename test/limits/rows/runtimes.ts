import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryDirectory } from "../../../packages/repository-fs/test/fs-subject.js";
import { containerWish } from "../../../packages/runtime-docker/src/container/container-options.js";
import {
  containerSettings,
  volumeSettings,
} from "../../../packages/runtime-docker/src/container/container-settings.js";
import { engineLimits } from "../../../packages/runtime-docker/src/container/engine-limits.js";
import {
  callTimeoutOf,
  leaseOf as dockerLeaseOf,
} from "../../../packages/runtime-docker/src/docker-runtime-options.js";
import { folderLimits } from "../../../packages/runtime-local/src/host-folder/host-folder-options.js";
import { localRuntime } from "../../../packages/runtime-local/src/index.js";
import { bubblewrapArguments } from "../../../packages/runtime-local/src/isolation/bubblewrap-arguments.js";
import { defaultLimits } from "../../../packages/runtime-local/src/limits/default-limits.js";
import { planLimits } from "../../../packages/runtime-local/src/limits/plan-limits.js";
import { leaseOf } from "../../../packages/runtime-local/src/recorded/lease-of.js";
import { GIB, limitsOf, MIB, SECOND } from "../limit.js";

const OPTIONS = "src/container/container-options.ts";
const LIMITS = "src/container/engine-limits.ts";
const SETTINGS = "src/container/container-settings.ts";

export const dockerLimits = limitsOf("runtime-docker", [
  {
    option: "`callTimeoutMs`",
    kind: "default",
    value: 30 * SECOND,
    unit: "ms",
    documented: ["README.md", "| `callTimeoutMs` | 30,000 |"],
    source: ["src/docker-runtime-options.ts", "CALL_TIMEOUT_MS = 30_000"],
    probe: (value) => expect(callTimeoutOf({})).toBe(value),
  },
  {
    option: "`leaseMs`",
    kind: "default",
    value: 60_000,
    unit: "ms",
    documented: ["README.md", "| `leaseMs` | 60,000 |"],
    source: ["src/docker-runtime-options.ts", "leaseMs = 60_000"],
    probe: (value) => expect(dockerLeaseOf({})).toBe(value),
  },
  {
    option: "`storageBytes`",
    kind: "default",
    value: 2 * GIB,
    unit: "bytes",
    documented: ["README.md", "| `storageBytes` | 2 GiB, at most half of `memoryBytes` |"],
    source: [LIMITS, "Math.min(2 * GIBIBYTE, Math.floor(memoryBytes / 2))"],
    probe: async (value) => expect(await volume()).toContain(`size=${value},`),
  },
  {
    option: "files and directories in `memory` storage",
    kind: "limit",
    value: 100_000,
    unit: "files",
    documented: ["README.md", "in at most 100,000 files and directories"],
    source: [LIMITS, "INODES = 100_000"],
    probe: async (value) => expect(await volume()).toContain(`nr_inodes=${value},`),
  },
  {
    option: "`memoryBytes`, in shares of the engine's machine",
    kind: "default",
    value: 0.5,
    unit: "of its memory",
    documented: ["README.md", "| `memoryBytes` | half of the machine's |"],
    source: [LIMITS, "Math.floor(machine / 2)"],
    probe: async (value) =>
      expect(await host()).toMatchObject({ Memory: MACHINE * value, MemorySwap: MACHINE * value }),
  },
  {
    option: "`cpu`",
    kind: "default",
    value: 1,
    unit: "cores",
    documented: ["README.md", "| `cpu`, `processes` | 1, 256 |"],
    source: [OPTIONS, "rest.cpu ?? 1"],
    probe: async (value) => expect(await host()).toMatchObject({ NanoCpus: value * 1e9 }),
  },
  {
    option: "`processes`",
    kind: "default",
    value: 256,
    unit: "processes",
    documented: ["README.md", "| `cpu`, `processes` | 1, 256 |"],
    source: [OPTIONS, "rest.processes ?? 256"],
    probe: async (value) => expect(await host()).toMatchObject({ PidsLimit: value }),
  },
  {
    option: "`openFiles`",
    kind: "default",
    value: 256,
    unit: "files",
    documented: ["README.md", "| `openFiles`, `fileBytes` | 256, 2 GiB |"],
    source: [OPTIONS, "rest.openFiles ?? 256"],
    probe: async (value) =>
      expect((await host())?.Ulimits).toContainEqual({ Name: "nofile", Soft: value, Hard: value }),
  },
  {
    option: "`fileBytes`",
    kind: "default",
    value: 2 * GIB,
    unit: "bytes",
    documented: ["README.md", "| `openFiles`, `fileBytes` | 256, 2 GiB |"],
    source: [OPTIONS, "rest.fileBytes ?? 2 * GIBIBYTE"],
    probe: async (value) =>
      expect((await host())?.Ulimits).toContainEqual({ Name: "fsize", Soft: value, Hard: value }),
  },
  {
    option: "`/tmp`",
    kind: "limit",
    value: 64 * MIB,
    unit: "bytes",
    documented: ["README.md", "`/tmp` (64 MiB, mounted without execution)"],
    source: [SETTINGS, "TMP_BYTES = 64 * 1024 * 1024"],
    probe: async (value) => expect((await host())?.Tmpfs?.["/tmp"]).toContain(`size=${value},`),
  },
]);

const DEFAULTS = "src/limits/default-limits.ts";
const STATED = "256 processes, half of the machine's memory, 2 GiB of disk, 100,000 inodes, one core";

export const localLimits = limitsOf("runtime-local", [
  {
    option: "`processes` of a run",
    kind: "default",
    value: 256,
    unit: "processes and threads",
    documented: ["README.md", STATED],
    source: [DEFAULTS, "processes: 256"],
    probe: (value) => expect(planned().group.processes).toBe(value),
  },
  {
    option: "`diskBytes` of a run",
    kind: "default",
    value: 2 * GIB,
    unit: "bytes",
    documented: ["README.md", STATED],
    source: [DEFAULTS, "diskBytes: 2 * 1024 ** 3"],
    probe: (value) => expect(planned().watched.diskBytes).toBe(value),
  },
  {
    option: "`inodes` of a run",
    kind: "default",
    value: 100_000,
    unit: "inodes",
    documented: ["README.md", STATED],
    source: [DEFAULTS, "inodes: 100_000"],
    probe: (value) => expect(planned().watched.inodes).toBe(value),
  },
  {
    option: "`cpu` of a run",
    kind: "default",
    value: 1,
    unit: "cores",
    documented: ["README.md", STATED],
    source: [DEFAULTS, "cpu: 1"],
    probe: (value) => expect(planned().group.cpu).toBe(value),
  },
  {
    option: "`/tmp` of a sandbox",
    kind: "limit",
    value: 256 * MIB,
    unit: "bytes",
    documented: ["README.md", "a `/tmp` of 256 MiB that is empty for each run"],
    source: ["src/isolation/bubblewrap-arguments.ts", "TMP_BYTES = 256 * MEBIBYTE"],
    probe: (value) => {
      const version = { boundedTmpfs: true } as Parameters<typeof bubblewrapArguments>[0];
      const given = bubblewrapArguments(version, {
        mounts: [],
        cwd: "/",
        env: {},
        network: false,
      });
      const options = Buffer.from(given).toString().split("\0");
      const at = options.indexOf("/tmp");
      expect(options.slice(at - 5, at)).toEqual(["--size", String(value), "--perms", "1777", "--tmpfs"]);
    },
  },
  {
    option: "`leaseMs`",
    kind: "default",
    value: 60_000,
    unit: "ms",
    documented: ["README.md", "dead for `leaseMs` (60,000 ms)"],
    source: ["src/recorded/lease-of.ts", "leaseMs = 60_000"],
    probe: (value) => expect(leaseOf({})).toBe(value),
  },
  {
    option: "`hostFolder.maxFiles`",
    kind: "default",
    value: 50_000,
    unit: "files",
    documented: ["README.md", "more than `maxFiles` files and folders (50,000)"],
    source: ["src/host-folder/host-folder-options.ts", "MAX_FILES = 50_000"],
    probe: (value) => expect(folderLimits({}).maxFiles).toBe(value),
  },
  {
    option: "`hostFolder.maxBytes`",
    kind: "default",
    value: GIB,
    unit: "bytes",
    documented: ["README.md", "more than `maxBytes` bytes (1 GiB)"],
    source: ["src/host-folder/host-folder-options.ts", "MAX_BYTES = 1024 ** 3"],
    probe: (value) => expect(folderLimits({}).maxBytes).toBe(value),
  },
  {
    option: "directories that are entered",
    kind: "limit",
    value: 64,
    unit: "levels",
    documented: ["README.md", "directories deeper than 64"],
    source: ["src/files/list-files.ts", "MAX_DEPTH = 64"],
    probe: async (value) => {
      const { root, dispose } = await temporaryDirectory();
      const runtime = localRuntime({ root, isolation: "none" });
      const workspace = await runtime.create("deep");
      const inside = ["work", ...Array(value).fill("d")].join("/");
      await mkdir(join(workspace.root, inside), { recursive: true });
      const kinds = (await workspace.list("work"))
        .filter(({ path }) => path.includes("d"))
        .map(({ kind }) => kind);
      await runtime.destroy("deep");
      await runtime.close();
      await dispose();
      expect([kinds.filter((kind) => kind === "directory").length, kinds.at(-1)]).toEqual([
        value - 1,
        "special",
      ]);
    },
  },
]);

/** The memory of the engine's machine. */
const MACHINE = 64 * GIB;

async function record() {
  const docker = { info: async () => ({ MemTotal: MACHINE }) };
  const engine = { docker, call: async (_: string, work: () => unknown) => await work() };
  const { limits } = await engineLimits().choose(engine as never, containerWish({}));
  return {
    ...{ namespace: "n", workspaceId: "w", volume: "v", hasNetwork: false },
    ...{ programPath: "/bin", user: { uid: 1000, gid: 1000 }, limits },
    storage: "memory",
    filter: "offline",
  } as const;
}

async function volume(): Promise<string | undefined> {
  return volumeSettings(await record(), "size").DriverOpts?.["o"];
}

async function host() {
  const image = { reference: "i", id: "i", variables: [], programPath: "/bin", volumes: [], arch: "x64" };
  const how = { isPodman: false, without: [] };
  return containerSettings(await record(), containerWish({}), image, how).HostConfig;
}

/** The limits of a run that sets none, on a machine that can enforce all of them. */
function planned() {
  const command = { runId: "r", command: "true", cwd: ".", env: {}, timeoutMs: 1, maxOutputBytes: 1 };
  const hard = { processes: 1e6, openFiles: 1e6, fileBytes: 1e15 } as Parameters<
    typeof planLimits
  >[1]["hard"];
  const groups = { limits: ["memoryBytes", "cpu", "processes"] } as unknown as Parameters<
    typeof planLimits
  >[1]["groups"];
  return planLimits(command, {
    ...{ groups, hard, perProcess: true, countsProcesses: true, isolated: true },
    defaults: defaultLimits(),
  });
}
