import { type RunOutputs, type RuntimeWorkspace, SkillError, type WorkspaceRuntime } from "@skillwright/core";
import type { RequestedFile } from "@skillwright/core/adapter";
import { skillBox } from "@skillwright/skillbox";
import { expect, test } from "vitest";
import { workspaceManager } from "../src/index.js";
import { ownDiagnostics, SESSION, workspaceFixture } from "./workspace-fixture.js";

interface Asked {
  /** Paths passed to each call of `getMany`. */
  readonly together: (readonly string[])[];
  readonly alone: string[];
}

/** The local runtime's files through `getMany`, as a runtime with expensive calls provides them. */
function givingMany(runtime: WorkspaceRuntime, asked: Asked, breakAt?: string): WorkspaceRuntime {
  const giving = (workspace: RuntimeWorkspace): RuntimeWorkspace => ({
    ...workspace,
    get: (path, options) => {
      asked.alone.push(path);
      return workspace.get(path, options);
    },
    getMany: async function* (
      this: RuntimeWorkspace | undefined,
      paths,
      options = {},
    ): AsyncGenerator<RequestedFile> {
      // A workspace may be an object of a class.
      if (this?.id !== workspace.id) throw new TypeError("getMany was called without its workspace");
      const all = [...paths];
      asked.together.push(all);
      for (const path of all) {
        if (path === breakAt) throw new SkillError("BACKEND_FAILED", "the connection broke");
        try {
          yield { path, content: await workspace.get(path, options) };
        } catch (error) {
          yield { path, error: SkillError.from(error, "Reading") };
        }
      }
    },
  });
  return {
    ...runtime,
    create: async (...args) => giving(await runtime.create(...args)),
    attach: async (...args) => {
      const workspace = await runtime.attach(...args);
      return workspace && giving(workspace);
    },
  };
}

const COMMAND = [
  "mkdir out/d",
  "printf '\\211PNG\\r\\n\\032\\n\\000' > out/p.png",
  "for f in a b c d/x; do echo $f > out/$f.txt; done",
  "head -c 100000 /dev/zero | tr '\\0' x > out/d/large.txt",
  "echo all: > out/Makefile; : > out/empty; ln -s a.txt out/link; mkfifo out/pipe; printf '\\377' > out/i.md",
  "chmod 0 out/c.txt",
].join("; ");

async function collected(outputs: RunOutputs, runtimeOf: (runtime: WorkspaceRuntime) => WorkspaceRuntime) {
  await using fixture = await workspaceFixture("none");
  const { artifacts, repository } = fixture;
  await using workspaces = workspaceManager({
    skills: skillBox({ own: repository }),
    runtime: runtimeOf(fixture.runtime),
    artifacts,
  });
  const { id } = await workspaces.forSession(SESSION);
  const result = await workspaces.run(id, { command: COMMAND, outputs });
  const saved = await artifacts.list(SESSION);
  return {
    outputs: result.outputs.map(({ modifiedMs: _, artifact, ...output }) => ({
      ...output,
      artifact: artifact?.size,
    })),
    diagnostics: ownDiagnostics(result.diagnostics),
    saved: saved.map(({ name, size, mimeType }) => ({ name, size, mimeType })),
  };
}

const PLANS: readonly (readonly [string, RunOutputs])[] = [
  ["names and types alone", { globs: ["out/**"] }],
  ["content inline", { globs: ["out/**"], inline: true }],
  ["artifacts", { globs: ["out/**"], save: true }],
  ["content and artifacts", { globs: ["out/**"], inline: true, save: true }],
  ["a small budget", { globs: ["out/**"], inline: true, save: true, maxTotalBytes: 1000, maxFileBytes: 500 }],
];

test.each(PLANS)(
  "%s have the same result on a runtime that returns many files at once",
  async (_, outputs) => {
    const asked: Asked = { together: [], alone: [] };
    const many = await collected(outputs, (runtime) => givingMany(runtime, asked));
    expect(many).toEqual(await collected(outputs, (runtime) => runtime));
    expect(asked.together).toHaveLength(1);
    expect(asked.alone).toEqual([]);
  },
);

test("where the single call breaks in the middle, the other files are requested separately", async () => {
  const outputs = { globs: ["out/**"], inline: true, save: true };
  const asked: Asked = { together: [], alone: [] };
  const many = await collected(outputs, (runtime) => givingMany(runtime, asked, "out/d/x.txt"));
  expect(many).toEqual(await collected(outputs, (runtime) => runtime));
  expect(asked.alone).toContain("out/d/x.txt");
});

test("a file of which only the beginning arrives is not saved as complete", async () => {
  const breaking = (runtime: WorkspaceRuntime): WorkspaceRuntime => ({
    ...runtime,
    create: async (...args) => ({
      ...(await runtime.create(...args)),
      getMany: async function* (paths): AsyncGenerator<RequestedFile> {
        for (const path of paths) yield { path, content: halfOf() };
      },
    }),
  });
  async function* halfOf(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("half");
    throw new SkillError("BACKEND_FAILED", "the connection broke");
  }
  const { saved, diagnostics } = await collected(
    { globs: ["out/*.txt"], inline: true, save: true },
    breaking,
  );
  expect(saved).toEqual([]);
  const codes = new Set(diagnostics.map(({ code }) => code));
  expect(codes).toEqual(new Set(["output.unreadable", "artifact.save-failed"]));
});
