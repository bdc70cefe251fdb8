import type { Isolation, WorkspaceRun, WorkspaceRunResult, Workspaces } from "@skillwright/core";

const nothing = { text: "", totalBytes: 0, truncated: false };

/** Workspaces that run nothing: they record calls and return an empty result. */
export function recordingWorkspaces(isolation: Isolation = { level: "namespace", by: "test" }) {
  const runs: WorkspaceRun[] = [];
  const sessions: string[] = [];
  const result: WorkspaceRunResult = {
    runId: "r1",
    workspaceId: "w1",
    cwd: "skills/greeter",
    exitCode: 0,
    timedOut: false,
    aborted: false,
    durationMs: 1.4,
    stdout: nothing,
    stderr: nothing,
    isolation,
    treeEnded: true,
    diagnostics: [],
    outputs: [],
  };
  const workspaces = {
    capabilities: async () => ({ isolation }),
    forSession: async ({ session }: { session: string }) => {
      sessions.push(session);
      return { id: "w1", createdAt: "2026-01-01T00:00:00Z" };
    },
    run: async (_id: string, run: WorkspaceRun) => {
      runs.push(run);
      return result;
    },
  } as unknown as Workspaces;
  return { workspaces, runs, sessions };
}
