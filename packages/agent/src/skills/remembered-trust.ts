import { type RevocableTrustStore, SkillError, type TrustStore } from "@skillwright/core";

/** A store of approvals, and how commands run. */
export interface RememberedTrustOptions {
  readonly store: RevocableTrustStore;
  /** False where commands are not isolated from the rest of the machine. */
  readonly isolated: boolean;
  /** Called once when the store cannot be read or written. */
  readonly tell: (problem: SkillError) => void;
}

/** One store of approvals, as the catalogue and the tools see it. */
export interface RememberedTrust {
  readonly catalog: TrustStore;
  readonly tools: TrustStore;
}

/**
 * Approvals that the catalogue and the tools share. An approval applies to one content and source. One given for a
 * sandbox does not cover runs without one, while one given without a sandbox also covers runs in one. A failing store
 * counts as empty: the person is asked again.
 */
export function rememberedTrust({ store, isolated, tell }: RememberedTrustOptions): RememberedTrust {
  let told = false;
  const catalog: TrustStore = {
    isAllowed: (digest, source, options) =>
      store.isAllowed(digest, source, options).catch((error: unknown) => without(error) ?? false),
    allow: async (digest, source, options) => {
      await store.allow(digest, source, options).catch(without);
    },
  };
  if (isolated) return { catalog, tools: catalog };
  const tools: TrustStore = {
    isAllowed: (digest, source, options) => catalog.isAllowed(digest, loose(source), options),
    allow: async (digest, source, options) => {
      await catalog.allow(digest, source, options);
      await catalog.allow(digest, loose(source), options);
    },
  };
  return { catalog, tools };

  function without(error: unknown): undefined {
    if (!SkillError.is(error, "BACKEND_FAILED")) throw error;
    if (!told) tell(error);
    told = true;
  }
}

function loose(source: string): string {
  return `without a sandbox: ${source}`;
}
