import { createPublicKey } from "node:crypto";
import { SkillError } from "@skillwright/core";
import type { FetchImplementation } from "jose";

/** The least number of bits of an RSA key. */
const LEAST_BITS = 2048;
const MOST_TOLD = 100;

/**
 * Requests a key set and leaves out the keys that cannot check tokens, because one such key would make the requests of all users
 * fail. Calls `tell` once for each key that is left out.
 */
export function usableKeys(tell: (error: SkillError) => void): FetchImplementation {
  const told = new Set<string>();

  function isUsable(key: unknown, origin: string): boolean {
    const { kid, use = "sig" } = Object(key) as { readonly kid?: unknown; readonly use?: unknown };
    if (use !== "sig") return false;
    const fault = faultOf(key);
    if (fault === undefined) return true;
    const named = typeof kid === "string" ? JSON.stringify(kid.slice(0, 200)) : "without an id";
    const message = `The key ${named} of ${origin} is not used, and tokens that it signs are refused: it ${fault}. Replace it at the issuer.`;
    if (told.size < MOST_TOLD && !told.has(message)) {
      told.add(message);
      tell(new SkillError("CONFIG_INVALID", message));
    }
    return false;
  }

  return async (url, options) => {
    const answer = await fetch(url, options);
    if (answer.status !== 200) return answer;
    const set = (await answer.json()) as { readonly keys?: unknown } | null;
    const { origin } = new URL(url);
    const keys = Array.isArray(set?.keys) ? set.keys.filter((key) => isUsable(key, origin)) : set?.keys;
    return new Response(JSON.stringify({ ...set, keys }));
  };
}

/** Returns why the key cannot check signatures, as a text that fits after "it". `undefined` if it can. */
function faultOf(key: unknown): string | undefined {
  try {
    if (Object.hasOwn(Object(key), "d")) return "is a private key";
    const { asymmetricKeyDetails } = createPublicKey({ key: Object(key), format: "jwk" });
    const bits = asymmetricKeyDetails?.modulusLength ?? LEAST_BITS;
    return bits < LEAST_BITS ? `has ${bits} bits, and at least ${LEAST_BITS} are needed` : undefined;
  } catch (error) {
    return `cannot be read (${(error as Error).message})`;
  }
}
