import { type RevocableTrustStore, SkillError, type TrustStore } from "@skillwright/core";

export interface RememberedTrustOptions {
  readonly store: RevocableTrustStore;
  /** False where nothing keeps commands apart from the rest of the machine. */
  readonly isolated: boolean;
  /** Told once when the store cannot be read or written. */
  readonly tell: (problem: SkillError) => void;
}

/** One store of approvals as the catalogue sees it and as the tools do. */
export interface RememberedTrust {
  readonly catalog: TrustStore;
  readonly tools: TrustStore;
}

/**
 * A yes holds for the content and the source it was said of. One that was said in a sandbox is none to running without,
 * while one without a sandbox is also one with it. A store that does not work forgets: who would be asked is asked again.
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
