import type { FileStat, RunCommand, RunHandle } from "../../packages/core/src/adapter.js";
import {
  byteStream,
  type RuntimeWorkspace,
  readBytes,
  type WorkspaceRuntime,
} from "../../packages/core/src/index.js";

const isolation = { level: "namespace", by: "test" } as const;

export interface FakeFile {
  readonly size: number;
  readonly content?: () => AsyncIterable<Uint8Array>;
}

/** A runtime that runs nothing: it records the commands, and each run leaves the given files. */
export function fakeRuntime(left: Readonly<Record<string, FakeFile>> = {}) {
  const commands: RunCommand[] = [];
  const removed: string[] = [];
  const workspaces = new Map<string, RuntimeWorkspace>();

  function workspace(id: string): RuntimeWorkspace {
    const files = new Map<string, FakeFile>();
    return {
      id,
      root: "/workspace",
      stage: async () => undefined,
      unstage: async () => undefined,
      staged: async () => new Map(),
      async start(command) {
        commands.push(command);
        for (const [path, file] of Object.entries(left)) files.set(path, file);
        return ended(command);
      },
      runOf: async () => undefined,
      async put(given) {
        for await (const { path, content } of given) {
          const bytes = await readBytes(byteStream(content), Number.MAX_SAFE_INTEGER);
          files.set(path, { size: bytes.byteLength });
        }
      },
      async get(path) {
        return (files.get(path)?.content ?? nothing)() as AsyncGenerator<Uint8Array>;
      },
      remove: async (path) => removed.push(path) > 0,
      list: async (path = "") =>
        [...files]
          .filter(([name]) => name.startsWith(path))
          .map(([name, file]) => stat(name, file))
          .sort((a, b) => (a.path < b.path ? -1 : 1)),
    };
  }

  const runtime: WorkspaceRuntime = {
    label: "fake",
    capabilities: async () => ({
      isolation,
      limits: [],
      networkOff: true,
      endsTree: true,
      readOnlySkills: true,
    }),
    async create(id) {
      const made = workspace(id);
      workspaces.set(id, made);
      return made;
    },
    attach: async (id) => workspaces.get(id),
    destroy: async (id) => workspaces.delete(id),
    list: async () => [...workspaces.keys()].sort(),
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return { runtime, commands, removed };
}

function ended({ runId }: RunCommand): RunHandle {
  const stream = { text: "", totalBytes: 0, truncated: false };
  return {
    runId,
    output: () => nothing() as AsyncGenerator<never>,
    write: async () => undefined,
    endInput: async () => undefined,
    signal: async () => undefined,
    result: Promise.resolve({
      ...{ runId, exitCode: 0, timedOut: false, aborted: false, durationMs: 1, isolation, treeEnded: true },
      ...{ stdout: stream, stderr: stream, diagnostics: [] },
    }),
  };
}

function stat(path: string, { size }: FakeFile): FileStat {
  return { path, kind: "file", size, modifiedMs: 1, mark: `${path} ${size}` };
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // It ends at once.
}
