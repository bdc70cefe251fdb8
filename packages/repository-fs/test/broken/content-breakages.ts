import { chmod, cp, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Breakages, ContentSubject } from "@skillwright/contracts";
import { type ContentStore, isContainedPath, readBytes, SkillError } from "@skillwright/core";
import type { ContentLease } from "@skillwright/core/adapter";

export const contentBreakages: Breakages<ContentSubject> = {
  "content-store/materialize/files": materialized(async (lease) => {
    await chmod(lease.directory, 0o755);
    await writeFile(join(lease.directory, "stray.txt"), "");
    return lease;
  }),
  "content-store/materialize/read-only": materialized(async (lease) => {
    await chmod(join(lease.directory, "SKILL.md"), 0o644);
    return lease;
  }),
  "content-store/materialize/links": materialized(async (lease) => {
    await chmod(lease.directory, 0o755);
    await unlink(join(lease.directory, "out"));
    return lease;
  }),
  "content-store/materialize/own-entries": materialized(async (lease) => ({ ...lease, diagnostics: [] })),
  "content-store/materialize/once": overriding((store) => ({
    materialize: async (manifest, open, options) => {
      for (const { path } of manifest.files) await open(path);
      return await store.materialize(manifest, open, options);
    },
  })),
  "content-store/materialize/at-once": overriding((store) => ({
    materialize: async (manifest, open, options) => {
      const lease = await store.materialize(manifest, open, options);
      const directory = `${lease.directory}-of-${options.owner}`;
      await cp(lease.directory, directory, { recursive: true, verbatimSymlinks: true });
      return { ...lease, directory };
    },
  })),
  "content-store/materialize/different": overriding((store) => {
    let first: ContentLease | undefined;
    return {
      materialize: async (manifest, open, options) => {
        first ??= await store.materialize(manifest, open, options);
        return first;
      },
    };
  }),

  "content-store/refused/mismatch": overriding((store) => ({
    materialize: (manifest, open, options) =>
      store.materialize(manifest, open, options).catch((error: unknown) => {
        if (!SkillError.is(error, "DIGEST_MISMATCH")) throw error;
        return { digest: "", directory: "", diagnostics: [], release: async () => undefined };
      }),
  })),
  "content-store/refused/endless": overriding((store) => ({
    materialize: (manifest, open, options) =>
      store.materialize(manifest, async (path) => whole(await readBytes(await open(path), 1e9)), options),
  })),
  "content-store/refused/failing-source": overriding((store) => ({
    materialize: (manifest, open, options) =>
      store.materialize(manifest, open, options).catch((error: unknown) => {
        throw SkillError.from(error, "Materialising");
      }),
  })),
  "content-store/refused/hostile-manifest": overriding((store) => ({
    materialize: (manifest, open, options) => {
      const files = manifest.files.filter(({ path }) => isContainedPath(path));
      return store.materialize({ ...manifest, files }, open, options);
    },
  })),
  "content-store/refused/stalling-source": overriding((store) => {
    let inProgress: Promise<ContentLease> | undefined;
    return {
      materialize: (manifest, open, options) => {
        inProgress ??= store.materialize(manifest, open, options);
        return inProgress;
      },
    };
  }),
  "content-store/materialize/aborted": overriding((store) => ({
    materialize: (manifest, open, { owner }) => store.materialize(manifest, open, { owner }),
  })),
  "content-store/close/twice": overriding(() => {
    let isClosed = false;
    return {
      close: async () => {
        if (isClosed) throw new SkillError("CLOSED", "It was closed before.");
        isClosed = true;
      },
    };
  }),

  "content-store/collect/unleased": overriding(() => ({ collect: async () => [] })),
  "content-store/collect/leased": overriding((store) => ({ collect: () => store.collect(() => false) })),
  "content-store/collect/dead-owner": overriding((store) => ({ collect: () => store.collect(() => true) })),
  "content-store/collect/again": overriding((store) => {
    const known = new Map<string, ContentLease>();
    return {
      materialize: async (manifest, open, options) => {
        const key = JSON.stringify(manifest);
        const lease = known.get(key) ?? (await store.materialize(manifest, open, options));
        known.set(key, lease);
        return lease;
      },
    };
  }),
  "content-store/release/one-lease": overriding((store) => {
    let count = 0;
    return {
      materialize: async (manifest, open, options) => {
        const lease = await store.materialize(manifest, open, options);
        let isReleased = false;
        count++;
        const release = async (): Promise<void> => {
          if (!isReleased && --count === 0) await lease.release();
          isReleased = true;
        };
        return { ...lease, release };
      },
    };
  }),
  "content-store/release/all": overriding(() => ({ releaseAll: async () => undefined })),

  "content-store/find/digest": found(async (lease) => ({ ...lease, diagnostics: [] })),
  "content-store/find/missing": overriding((store) => {
    const known = new Map<string, ContentLease>();
    return {
      find: async (wanted, options) => {
        const key = JSON.stringify(wanted);
        return known.get(key) ?? (await store.find(wanted, options));
      },
      materialize: async (manifest, open, options) => {
        const lease = await store.materialize(manifest, open, options);
        known.set(JSON.stringify({ digest: lease.digest }), lease);
        return lease;
      },
    };
  }),
  "content-store/find/leased": found(async (lease) => {
    await lease.release();
    return lease;
  }),
  "content-store/find/alias": (subject) => {
    const taken = new Set<string | undefined>();
    const firstStays = overriding((store) => ({
      materialize: async (manifest, open, { alias, ...options }) => {
        const isFirst = !taken.has(alias);
        taken.add(alias);
        return await store.materialize(manifest, open, isFirst ? { ...options, alias } : options);
      },
    }));
    return firstStays(subject);
  },
  "content-store/find/within-open": overriding((store) => ({
    find: async (wanted, options) =>
      (await store.find(wanted, options)) ?? {
        digest: "",
        directory: "",
        diagnostics: [],
        release: async () => undefined,
      },
  })),
  "content-store/find/aborted": overriding((store) => ({
    find: (wanted, { owner }) => store.find(wanted, { owner }),
  })),
};

/** Both stores of the subject with some methods replaced. */
function overriding(
  changed: (store: ContentStore) => Partial<ContentStore>,
): (subject: ContentSubject) => ContentSubject {
  return ({ store, other }) => ({
    store: { ...store, ...changed(store) },
    other: { ...other, ...changed(other) },
  });
}

function materialized(
  changed: (lease: ContentLease) => Promise<ContentLease>,
): (subject: ContentSubject) => ContentSubject {
  return overriding((store) => ({
    materialize: async (manifest, open, options) =>
      await changed(await store.materialize(manifest, open, options)),
  }));
}

function found(
  changed: (lease: ContentLease) => Promise<ContentLease>,
): (subject: ContentSubject) => ContentSubject {
  return overriding((store) => ({
    find: async (wanted, options) => {
      const lease = await store.find(wanted, options);
      return lease && (await changed(lease));
    },
  }));
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
