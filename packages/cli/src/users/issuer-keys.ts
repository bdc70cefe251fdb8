import { SkillError } from "@skillwright/core";

const WAIT_MS = 10_000;

/**
 * Returns the address of the issuer's keys from its metadata: of OpenID Connect Discovery 1.0, else of OAuth 2 (RFC 8414).
 * @throws SkillError `BACKEND_FAILED` if neither can be read within 10 s, if it is of another issuer, or if it names no keys.
 */
export async function issuerKeys(issuer: string, signal?: AbortSignal): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  const problems: string[] = [];
  for (const place of places) {
    try {
      return keysIn(await metadataAt(place, signal), issuer);
    } catch (error) {
      if (SkillError.is(error)) throw error;
      problems.push(`${place}: ${(error as Error).message}`);
    }
  }
  throw failed(issuer, `its metadata cannot be read (${problems.join("; ")}). ${REMEDY}`);
}

const REMEDY = "Check --issuer, or give the address of the keys with --keys.";

async function metadataAt(place: string, signal?: AbortSignal): Promise<unknown> {
  const waiting = AbortSignal.timeout(WAIT_MS);
  const answer = await fetch(place, {
    // A redirect could lead to an address without encryption.
    redirect: "error",
    signal: signal ? AbortSignal.any([signal, waiting]) : waiting,
  });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return await answer.json();
}

function keysIn(metadata: unknown, issuer: string): string {
  const { issuer: named, jwks_uri: keys } = Object(metadata) as Record<string, unknown>;
  if (named !== issuer)
    throw failed(issuer, `it calls itself ${JSON.stringify(named)}. Give that as --issuer if it is the one.`);
  if (typeof keys === "string" && URL.canParse(keys)) return keys;
  throw failed(issuer, `its metadata names no keys. ${REMEDY}`);
}

function failed(issuer: string, reason: string): SkillError {
  return new SkillError("BACKEND_FAILED", `The keys of ${issuer} cannot be found: ${reason}`);
}
