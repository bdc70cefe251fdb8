import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { ArtifactSubject, Breakages } from "@skillwright/contracts";
import {
  type ArtifactScope,
  type ArtifactStore,
  type ArtifactVersion,
  byteStream,
  readBytes,
  SkillError,
} from "@skillwright/core";
import { closingOnce } from "./loading-breakages.js";

export const artifactBreakages: Breakages<ArtifactSubject> = {
  "artifact-store/save/versions": saved((version) => ({ ...version, version: version.version + 1 })),
  "artifact-store/save/described": saved((version) => ({ ...version, sha256: version.sha256.toUpperCase() })),
  "artifact-store/save/defaults": saved((version) => ({ ...version, mimeType: "text/plain" })),
  "artifact-store/save/streams": overriding((store) => ({
    save: async (scope, name, content) => {
      for await (const piece of byteStream(content)) return await store.save(scope, name, piece);
      return await store.save(scope, name, "");
    },
  })),
  "artifact-store/save/names": overriding((store) => ({
    save: (scope, name, content) => store.save(scope, name.toLowerCase(), content),
  })),
  "artifact-store/save/hostile-names": overriding((store) => ({
    save: (scope, name, content) => store.save(scope, name.replace(/\W/g, "_").slice(0, 100) || "_", content),
  })),
  "artifact-store/save/failing-source": overriding((store) => ({ save: keepingWhatCame(store) })),
  "artifact-store/save/stalling-source": overriding((store) => ({ save: keepingWhatCame(store) })),
  "artifact-store/save/at-once": overriding((store) => ({
    save: async (scope, name, content) => {
      const version = (await store.versions(scope, name)).length;
      await setImmediate();
      return { ...(await store.save(scope, name, content)), version };
    },
  })),
  "artifact-store/save/own": overriding((store) => {
    let held: Uint8Array | undefined;
    return {
      save: async (scope, name, content, options) => {
        if (content instanceof Uint8Array) held = content;
        return await store.save(scope, name, content, options);
      },
      open: async (scope, name) => {
        const opened = await store.open(scope, name);
        return { ...opened, content: held ? byteStream(held) : opened.content };
      },
    };
  }),
  "artifact-store/save/aborted": overriding((store) => ({
    save: (scope, name, content) => store.save(scope, name, content),
  })),

  "artifact-store/open/newest": overriding((store) => ({
    open: (scope, name, { version = 0 } = {}) => store.open(scope, name, { version }),
  })),
  "artifact-store/open/missing": overriding((store) => ({
    open: (scope, name, options) => store.open(scope, name, options).catch(() => store.open(scope, name)),
  })),
  "artifact-store/open/own": overriding((store) => {
    let shared: Uint8Array | undefined;
    return {
      open: async (scope, name) => {
        const { artifact, content } = await store.open(scope, name);
        shared ??= await readBytes(content, 1000);
        return { artifact, content: byteStream(shared) };
      },
    };
  }),
  "artifact-store/scope/apart": scoped(({ app, user, session }) => {
    const key = createHash("sha256").update([app, user, session].join("/")).digest("hex");
    return { app: "all", user: "all", session: key };
  }),
  "artifact-store/scope/refused": scoped(({ app, user, session }) => ({
    app: plainPart(app),
    user: plainPart(user),
    session: plainPart(session),
  })),
  "artifact-store/list/newest": overriding((store) => ({
    list: async (scope) => {
      const all = await Promise.all((await store.list(scope)).map(({ name }) => store.versions(scope, name)));
      return all.flat();
    },
  })),
  "artifact-store/list/own": overriding((store) => {
    let shared: readonly ArtifactVersion[] | undefined;
    return {
      list: async (scope) => {
        shared ??= await store.list(scope);
        return shared;
      },
    };
  }),
  "artifact-store/versions/all": overriding((store) => ({
    versions: async (scope, name) => {
      const versions = await store.versions(scope, name);
      return [...versions].sort((a, b) => String(a.version).localeCompare(String(b.version)));
    },
  })),
  "artifact-store/delete/removed": overriding((store) => ({
    delete: async (scope, prefix) => {
      const names = (await store.list(scope))
        .map(({ name }) => name)
        .filter((name) => name.startsWith(prefix));
      const removed = await Promise.all(names.map((name) => store.delete(scope, name)));
      return removed.length > 0;
    },
  })),
  "artifact-store/open/aborted": overriding((store) => ({ open: (scope, name) => store.open(scope, name) })),
  "artifact-store/list/aborted": overriding((store) => ({ list: (scope) => store.list(scope) })),
  "artifact-store/versions/aborted": overriding((store) => ({
    versions: (scope, name) => store.versions(scope, name),
  })),
  "artifact-store/delete/aborted": overriding((store) => ({
    delete: (scope, name) => store.delete(scope, name),
  })),
  "artifact-store/close/twice": overriding(() => ({ close: closingOnce() })),
};

function overriding(
  changed: (store: ArtifactStore) => Partial<ArtifactStore>,
): (subject: ArtifactSubject) => ArtifactSubject {
  return ({ artifacts }) => ({ artifacts: { ...artifacts, ...changed(artifacts) } });
}

function saved(
  changed: (version: ArtifactVersion) => ArtifactVersion,
): (subject: ArtifactSubject) => ArtifactSubject {
  return overriding((store) => ({
    save: async (scope, name, content, options) => changed(await store.save(scope, name, content, options)),
  }));
}

function scoped(
  changed: (scope: ArtifactScope) => ArtifactScope,
): (subject: ArtifactSubject) => ArtifactSubject {
  return overriding((store) => ({
    save: (scope, name, content) => store.save(changed(scope), name, content),
    open: (scope, name, options) => store.open(changed(scope), name, options),
    list: (scope) => store.list(changed(scope)),
    versions: (scope, name) => store.versions(changed(scope), name),
  }));
}

/** A save that fails leaves half a version. */
function keepingWhatCame(store: ArtifactStore): ArtifactStore["save"] {
  return async (scope, name, content, options) => {
    try {
      return await store.save(scope, name, content, options);
    } catch (error) {
      if (!SkillError.is(error, "PATH_INVALID")) await store.save(scope, name, "half of it");
      throw error;
    }
  };
}

function plainPart(part: string): string {
  return part.replace(/\W/g, "_").slice(0, 100) || "_";
}
