import { SkillError } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from "jose";
import type { Authenticate } from "../server-options.js";
import { usableKeys } from "./usable-keys.js";
import { userOf } from "./user-of.js";

export interface JwtUsersOptions {
  /** Address of the issuer's keys (a JSON Web Key Set), with `https:`, or `http:` on this machine. */
  readonly keys: string | URL;
  /** Required value of `iss`. */
  readonly issuer: string;
  /** Required value of `aud`. */
  readonly audience: string;
  /** The claim with the user's id. Defaults to `sub`. */
  readonly claim?: string | undefined;
  /** Accepted algorithms of signatures. Defaults to RS256, PS256, ES256, EdDSA and Ed25519. */
  readonly algorithms?: readonly string[] | undefined;
  /** Least time between two requests for the keys, in milliseconds, when a token names a new key. Defaults to 30,000. */
  readonly refetchAfterMs?: number | undefined;
  /**
   * Called with an error for each key of the set that is not used: an RSA key of less than 2,048 bits, a private key, or a key that
   * cannot be read. Defaults to printing a line on standard error.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Users by signed tokens (JWT, RFC 7519) in `Authorization: Bearer`, for `authenticate`. A token must be signed with a
 * key of the set, name issuer and audience, have an `exp` in the future, and a user of 1 to 128 characters without control
 * characters. Keys that are too weak or unreadable are not used. Keys are requested when they are first needed, when a token
 * names an unknown key, and after 10 minutes.
 * @throws SkillError `CONFIG_INVALID` for an address without encryption; the returned function `BACKEND_FAILED` where the
 * keys cannot be had within 5 s, so that a request is answered with 503 and not with 401.
 */
export function jwtUsers({
  keys,
  issuer,
  audience,
  claim = "sub",
  algorithms = SAFE,
  refetchAfterMs = 30_000,
  onError = printed,
}: JwtUsersOptions): Authenticate {
  const address = new URL(keys);
  if (address.protocol !== "https:" && !LOOPBACK.has(address.hostname)) throw notEncrypted(address);
  const keySet = createRemoteJWKSet(address, {
    cooldownDuration: refetchAfterMs,
    [customFetch]: usableKeys(onError),
  });
  const checks = { issuer, audience, algorithms: [...algorithms], requiredClaims: ["exp", claim] };

  return async (request) => {
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    if (token === undefined) return undefined;
    try {
      const { payload } = await jwtVerify<JWTPayload>(token, keySet, checks);
      return userOf(payload[claim]);
    } catch (error) {
      if (isTokensFault(error)) return undefined;
      throw noKeys(address, error);
    }
  };
}

const SAFE = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

function printed(error: unknown): void {
  console.error(shownLine((error as Error).message));
}

function isTokensFault(error: unknown): boolean {
  return [
    ...[errors.JWTExpired, errors.JWTClaimValidationFailed, errors.JWTInvalid, errors.JWSInvalid],
    ...[errors.JWSSignatureVerificationFailed, errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys],
    ...[errors.JOSEAlgNotAllowed, errors.JOSENotSupported],
  ].some((kind) => error instanceof kind);
}

function notEncrypted({ href }: URL): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `keys: ${href} is not encrypted, so that anybody on the way could give keys of their own. Use https:.`,
    { details: { fields: [{ path: "keys" }] } },
  );
}

function noKeys({ origin }: URL, cause: unknown): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The keys that sign users' tokens cannot be had from ${origin}. Check that it answers with a JSON Web Key Set.`,
    { cause },
  );
}
