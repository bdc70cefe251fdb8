import { setTimeout as delay, setImmediate } from "node:timers/promises";
import type { Breakages, RegistrySubject } from "@skillwright/contracts";
import { SkillError, type WorkspaceRegistry } from "@skillwright/core";
import { checkWorkspaceId, type WorkspaceLease } from "@skillwright/core/adapter";
import { closingOnce } from "./closing-once.js";

type Lease = WorkspaceRegistry["lease"];

export const registryBreakages: Breakages<RegistrySubject> = {
  "workspace-registry/put/kept": overriding((registry) => ({
    put: async ({ state, ...record }) => await registry.put(record),
  })),
  "workspace-registry/put/replaced": overriding((registry) => ({
    put: async (record) => await registry.put({ ...(await registry.get(record.workspaceId)), ...record }),
  })),
  "workspace-registry/put/apart": overriding((registry) => ({
    put: async (record) => {
      await registry.put(record);
      const lower = record.workspaceId.toLowerCase();
      if (await registry.get(lower)) await registry.put({ ...record, workspaceId: lower });
    },
  })),
  "workspace-registry/put/own": overriding((registry) => {
    const shared = new Map<string, Awaited<ReturnType<WorkspaceRegistry["get"]>>>();
    return {
      get: async (id) => {
        if (!shared.has(id)) shared.set(id, await registry.get(id));
        return shared.get(id);
      },
    };
  }),
  "workspace-registry/id/refused": overriding((registry) => ({
    get: async (id) => {
      try {
        checkWorkspaceId(id);
      } catch {
        return undefined;
      }
      return await registry.get(id);
    },
  })),
  "workspace-registry/get/unknown": overriding((registry) => ({
    get: async (id) => (await registry.get(id)) ?? (await registry.list())[0],
  })),
  "workspace-registry/find-by-owner/one": overriding((registry) => ({
    findByOwner: async (owner) =>
      (await registry.list()).find((record) => record.owner?.toLowerCase() === owner.toLowerCase()),
  })),
  "workspace-registry/find-by-owner/first": overriding((registry) => ({
    findByOwner: async (owner) => (await registry.list()).find((record) => record.owner === owner),
  })),
  "workspace-registry/touch/used": overriding((registry) => ({
    touch: async (id) => {
      const record = await registry.get(id);
      if (!record) return;
      const { state, ...rest } = record;
      await registry.put({ ...rest, lastUsedAt: new Date().toISOString() });
    },
  })),
  "workspace-registry/touch/unknown": overriding((registry) => ({
    touch: async (workspaceId) => {
      const now = new Date().toISOString();
      if (!(await registry.get(workspaceId)))
        await registry.put({ formatVersion: 1, workspaceId, createdAt: now, lastUsedAt: now });
      await registry.touch(workspaceId);
    },
  })),
  "workspace-registry/remove/once": overriding((registry) => ({
    remove: async (id) => {
      const exists = (await registry.get(id)) !== undefined;
      await setImmediate();
      await registry.remove(id);
      return exists;
    },
  })),
  "workspace-registry/list/sorted": overriding((registry) => ({
    list: async () => [...(await registry.list())].reverse(),
  })),
  "workspace-registry/put/aborted": overriding((registry) => ({ put: (record) => registry.put(record) })),
  "workspace-registry/get/aborted": overriding((registry) => ({ get: (id) => registry.get(id) })),
  "workspace-registry/find-by-owner/aborted": overriding((registry) => ({
    findByOwner: (owner) => registry.findByOwner(owner),
  })),
  "workspace-registry/touch/aborted": overriding((registry) => ({ touch: (id) => registry.touch(id) })),
  "workspace-registry/remove/aborted": overriding((registry) => ({ remove: (id) => registry.remove(id) })),
  "workspace-registry/list/aborted": overriding((registry) => ({ list: () => registry.list() })),
  "workspace-registry/close/twice": overriding(() => ({ close: closingOnce() })),

  "workspace-registry/lease/alone": leasing((lease) => (id, options) => lease(id.toLowerCase(), options)),
  "workspace-registry/lease/one-of-many": overriding(() => {
    const held = new Set<string>();
    return {
      lease: async (id) => {
        if (held.has(id)) throw new SkillError("CONFLICT", "Another caller holds the lease.");
        await setImmediate();
        held.add(id);
        return { workspaceId: id, token: held.size, renew: async () => true, release: async () => undefined };
      },
    };
  }),
  "workspace-registry/lease/token": leased((lease) => ({ ...lease, token: 1 })),
  "workspace-registry/lease/waiting": leasing((lease) => (id, options) => {
    const { waitMs = 0 } = options;
    return lease(id, { ...options, waitMs: Math.min(waitMs, 10) });
  }),
  "workspace-registry/lease/patience": leasing(
    (lease) =>
      (id, { waitMs, ...options }) =>
        lease(id, options),
  ),
  "workspace-registry/lease/expired": leasing(
    (lease) => (id, options) => lease(id, { ...options, forMs: options.forMs / 2 }),
  ),
  "workspace-registry/lease/renewed": leased((lease) => ({ ...lease, renew: async () => true })),
  "workspace-registry/lease/lost": leased((lease) => {
    let isReleased = false;
    return {
      ...lease,
      renew: async () => (await lease.renew()) || !isReleased,
      release: async () => {
        isReleased = true;
        await lease.release();
      },
    };
  }),
  "workspace-registry/lease/released": overriding((registry) => {
    const last = new Map<string, WorkspaceLease>();
    return {
      lease: async (id, options) => {
        const lease = await registry.lease(id, options);
        last.set(id, lease);
        return { ...lease, release: async () => await last.get(id)?.release() };
      },
    };
  }),
  "workspace-registry/lease/finish": leasing(
    (lease) =>
      (id, { note, ...options }) =>
        lease(id, { ...options, note: note && "a note" }),
  ),
  "workspace-registry/lease/left": leasing((lease) => async (id, options) => {
    const { signal, ...rest } = options;
    const waiting = lease(id, rest);
    const left = new Promise<never>((_, reject) => {
      const gone = () => reject(new SkillError("ABORTED", "The call was aborted."));
      if (signal?.aborted) gone();
      signal?.addEventListener("abort", gone);
    });
    return await Promise.race([waiting, left]);
  }),
  "workspace-registry/lease/records": overriding((registry) => {
    const held = new Map<string, WorkspaceLease>();
    return {
      lease: async (id, options) => {
        const lease = await registry.lease(id, options);
        held.set(id, lease);
        return lease;
      },
      remove: async (id) => {
        await held.get(id)?.release();
        return await registry.remove(id);
      },
    };
  }),
  "workspace-registry/lease/aborted": leasing((lease) => async (id, { signal, ...options }) => {
    const got = await lease(id, options);
    await delay(1);
    return got;
  }),
};

/** The same broken registry as both subjects. */
function overriding(
  changed: (registry: WorkspaceRegistry) => Partial<WorkspaceRegistry>,
): (subject: RegistrySubject) => RegistrySubject {
  return ({ registry }) => {
    const broken = { ...registry, ...changed(registry) };
    return { registry: broken, other: broken };
  };
}

function leasing(change: (lease: Lease) => Lease): (subject: RegistrySubject) => RegistrySubject {
  return overriding(({ lease }) => ({ lease: change(lease) }));
}

function leased(
  changed: (lease: WorkspaceLease) => WorkspaceLease,
): (subject: RegistrySubject) => RegistrySubject {
  return leasing((lease) => async (id, options) => changed(await lease(id, options)));
}
