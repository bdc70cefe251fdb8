import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface IdentityProvider {
  readonly issuer: string;
  readonly keys: string;
  /** A signed token of the user for the audience, valid for five minutes. */
  token(sub: string, audience: string): string;
}

const KEYS = "/signing/keys";

/** A server at this machine that publishes its metadata (`fields` replace some of it) and its keys, and signs tokens. */
export async function identityProvider(
  place = "/.well-known/openid-configuration",
  fields: object = {},
): Promise<IdentityProvider> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const server = createServer(({ url }, response) => {
    const documents = new Map<string | undefined, object>([
      [place, { issuer, jwks_uri: `${issuer}${KEYS}`, ...fields }],
      [KEYS, { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k1", alg: "ES256" }] }],
    ]);
    const document = documents.get(url);
    response.statusCode = document ? 200 : 404;
    response.setHeader("content-type", "application/json").end(JSON.stringify(document ?? {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    keys: `${issuer}${KEYS}`,
    token: (sub, aud) => {
      const exp = Math.floor(Date.now() / 1000) + 300;
      const parts = [
        { alg: "ES256", kid: "k1" },
        { iss: issuer, aud, sub, exp },
      ];
      const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
      const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
      return `${text}.${signature.toString("base64url")}`;
    },
  };
}
