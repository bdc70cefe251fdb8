import { SkillError } from "@skillwright/core";
import { type Breaking, workspaces } from "./breaking.js";

export const brokenLifecycles: Readonly<Record<string, Breaking>> = {
  "create/layout": workspaces((workspace) => ({
    list: async (...args) => [...(await workspace.list(...args)), stray],
  })),
  "create/taken": (runtime) => ({
    ...runtime,
    create: async (id, options) => {
      await runtime.destroy(id);
      return await runtime.create(id, options);
    },
  }),
  "create/at-once": (runtime) => ({
    ...runtime,
    create: async (id, options) => {
      const there = await runtime.attach(id);
      return there ?? (await runtime.create(id, options).catch(async () => await attached(runtime, id)));
    },
  }),
  "create/bad-id": (runtime) => ({
    ...runtime,
    create: (id, options) => runtime.create(id.replaceAll(/[^\w-]/g, "_").slice(0, 64) || "_", options),
  }),
  "create/aborted": (runtime) => ({ ...runtime, create: (id) => runtime.create(id) }),
  "attach/elsewhere": (runtime) => {
    const made = new Set<string>();
    return {
      ...runtime,
      create: async (id, options) => {
        made.add(id);
        return await runtime.create(id, options);
      },
      attach: async (id, options) => (made.has(id) ? await runtime.attach(id, options) : undefined),
    };
  },
  "attach/missing": (runtime) => ({
    ...runtime,
    attach: async (id, options) => (await runtime.attach(id, options)) ?? (await runtime.create(id)),
  }),
  "destroy/once": (runtime) => ({ ...runtime, destroy: async (id) => (await runtime.destroy(id)) || true }),
  "destroy/not-found": workspaces((workspace) => ({
    list: (...args) => workspace.list(...args).catch(() => []),
  })),
  "destroy/ends-runs": (runtime) => ({ ...runtime, destroy: async () => true }),
  "destroy/hostile-tree": (runtime) => ({
    ...runtime,
    destroy: async () => {
      throw new SkillError("BACKEND_FAILED", "ENAMETOOLONG");
    },
  }),
  "list/sorted": (runtime) => ({ ...runtime, list: async () => [...(await runtime.list())].reverse() }),
  "close/twice": (runtime) => {
    let closed = false;
    const close = async () => {
      if (closed) throw new SkillError("CLOSED", "It is closed.");
      closed = true;
      await runtime.close();
    };
    return { ...runtime, close, [Symbol.asyncDispose]: close };
  },
  "close/ends-runs": (runtime) => ({ ...runtime, close: async () => undefined }),
};

const stray = { path: "work/stray", kind: "file", size: 0, modifiedMs: 0, mark: "" } as const;

async function attached(runtime: Parameters<Breaking>[0], id: string) {
  const workspace = await runtime.attach(id);
  if (!workspace) throw new SkillError("WORKSPACE_NOT_FOUND", id);
  return workspace;
}
