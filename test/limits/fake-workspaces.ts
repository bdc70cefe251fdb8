import type {
  ByteStream,
  RunOutput,
  WorkspaceRun,
  WorkspaceRunHandle,
  WorkspaceRunResult,
  Workspaces,
} from "../../packages/core/src/index.js";

const isolation = { level: "namespace", by: "test" } as const;

export interface FakeWorkspaces {
  readonly files?: readonly { path: string; size: number; mimeType: string }[];
  readonly content?: string;
  readonly result?: Partial<WorkspaceRunResult>;
  /** The output of each started run, which never ends. */
  readonly written?: readonly string[];
}

/** Workspaces in which nothing runs; files, results and output are given. */
export function fakeWorkspaces({ files = [], content = "", result = {}, written = [] }: FakeWorkspaces) {
  const runs: WorkspaceRun[] = [];
  const signals: string[] = [];
  const workspaces = {
    capabilities: async () => ({ isolation }),
    forSession: async () => ({ id: "w1", createdAt: "2026-01-01T00:00:00Z" }),
    files: async () => files,
    download: async () => stream(content),
    run: async (_id: string, run: WorkspaceRun) => {
      runs.push(run);
      return { ...ENDED, ...result };
    },
    start: async () => startedRun(written, signals),
  } as unknown as Workspaces;
  return { workspaces, runs, signals };
}

const NOTHING = { text: "", totalBytes: 0, truncated: false };

const ENDED: WorkspaceRunResult = {
  runId: "r0",
  workspaceId: "w1",
  cwd: "skills/greeter",
  exitCode: 0,
  timedOut: false,
  aborted: false,
  durationMs: 1,
  stdout: NOTHING,
  stderr: NOTHING,
  isolation,
  treeEnded: true,
  diagnostics: [],
  outputs: [],
};

let count = 0;

function startedRun(written: readonly string[], signals: string[]): WorkspaceRunHandle {
  const never = new Promise<never>(() => undefined);
  return {
    runId: `r${++count}`,
    workspaceId: `of-run-${count}`,
    cwd: "",
    result: never,
    output: () => pieces(written, never),
    write: async () => undefined,
    endInput: async () => undefined,
    signal: async (name) => void signals.push(name),
  };
}

async function* pieces(written: readonly string[], never: Promise<never>): AsyncGenerator<RunOutput> {
  let offset = 0;
  for (const text of written) {
    const bytes = new TextEncoder().encode(text);
    yield { stream: "stdout", bytes, offset };
    offset += bytes.byteLength;
  }
  await never;
}

async function* stream(content: string): ByteStream {
  yield new TextEncoder().encode(content);
}
