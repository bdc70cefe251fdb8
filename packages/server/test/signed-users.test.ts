import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ServerUser } from "../src/index.js";
import { jwtUsers, proxyUsers } from "../src/users.js";
import { ask, keptLog, testServer } from "./test-server.js";

const ISSUER = "https://issuer.example";

/** A server of keys. */
async function issuer() {
  const pairs = new Map<string, Awaited<ReturnType<typeof generateKeyPair>>>();
  let served: string[] = [];
  let asked = 0;
  const server = createServer(async (_, response) => {
    asked++;
    const keys = served.map(async (kid) => {
      const { publicKey } = pairs.get(kid) ?? (await generateKeyPair("ES256"));
      return { ...(await exportJWK(publicKey)), kid, alg: "ES256" };
    });
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ keys: await Promise.all(keys) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => server.listening && new Promise((resolve) => server.close(resolve));
  onTestFinished(async () => void (await stop()));
  return {
    keys: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    asked: () => asked,
    stop,
    rotate: async (...kids: string[]) => {
      for (const kid of kids) if (!pairs.has(kid)) pairs.set(kid, await generateKeyPair("ES256"));
      served = kids;
    },
    token: async (kid: string, claims: JWTPayload, { exp = "5m" }: { exp?: string | number } = {}) => {
      const all = { iss: ISSUER, aud: "chat", sub: "ada", ...claims };
      const { privateKey } = pairs.get(kid) ?? (await generateKeyPair("ES256"));
      return await new SignJWT(all)
        .setProtectedHeader({ alg: "ES256", kid })
        .setExpirationTime(exp)
        .sign(privateKey);
    },
  };
}

const bearer = (token: string) =>
  new Request("http://localhost/", { headers: { authorization: `Bearer ${token}` } });

/** A server that answers every request with this value as JSON. */
async function servedJson(value: unknown): Promise<{ readonly origin: string }> {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(value));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A token of ada that `jose` would not sign with a weak key. */
function signedBy(privateKey: KeyObject, kid: string, alg = "RS256"): string {
  const exp = Math.floor(Date.now() / 1000) + 300;
  const parts = [
    { alg, kid },
    { iss: ISSUER, aud: "chat", sub: "ada", exp },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
}

describe("users by signed tokens", () => {
  test("SERVE-30: a token of the issuer for this audience names its user, and no other token does", async () => {
    const { keys, token, rotate, asked } = await issuer();
    await rotate("k1");
    const users = jwtUsers({ keys, issuer: ISSUER, audience: "chat" });
    expect(await users(bearer(await token("k1", {})))).toEqual({ id: "ada" });
    const refused = [
      await token("k1", { iss: "https://other.example" }),
      await token("k1", { aud: "another" }),
      await token("k1", {}, { exp: 1 }),
      await token("k1", { sub: "" }),
      await token("k1", { sub: "a\nb" }),
      await token("k1", { sub: "x".repeat(129) }),
      await token("unknown", {}),
      new UnsecuredJWT({ sub: "ada" }).setIssuer(ISSUER).setAudience("chat").setExpirationTime("5m").encode(),
      "no-token",
      `${(await token("k1", {})).slice(0, -4)}AAAA`,
    ];
    for (const one of refused) expect([one, await users(bearer(one))]).toEqual([one, undefined]);
    expect(await users(new Request("http://localhost/"))).toBeUndefined();
    expect(asked()).toBe(1);
    const named = jwtUsers({ keys, issuer: ISSUER, audience: "chat", claim: "email" });
    expect(await named(bearer(await token("k1", { email: "ada@example.com" })))).toEqual({
      id: "ada@example.com",
    });
    expect(await named(bearer(await token("k1", {})))).toBeUndefined();
    const others = jwtUsers({ keys, issuer: ISSUER, audience: "chat", algorithms: ["RS256"] });
    expect(await others(bearer(await token("k1", {})))).toBeUndefined();
  });

  test("SERVE-31: a new key of the issuer is found without a restart", async () => {
    const { keys, token, rotate } = await issuer();
    await rotate("k1");
    const users = jwtUsers({ keys, issuer: ISSUER, audience: "chat", refetchAfterMs: 0 });
    expect(await users(bearer(await token("k1", {})))).toEqual({ id: "ada" });
    await rotate("k2");
    expect(await users(bearer(await token("k2", {})))).toEqual({ id: "ada" });
    expect(await users(bearer(await token("k1", {})))).toBeUndefined();
  });

  test("SERVE-32: keys that cannot be had are a failure of the server, which tells no token", async () => {
    const { keys, token, rotate, stop } = await issuer();
    await rotate("k1");
    const server = testServer({ authenticate: jwtUsers({ keys, issuer: ISSUER, audience: "chat" }) });
    const signed = await token("k1", {});
    const asking = () => ask(server, "/agents", { user: signed });
    await stop();
    const failed = await asking();
    expect(failed.status).toBe(503);
    const text = await failed.text();
    expect(text).toContain("BACKEND_FAILED");
    expect(text).not.toContain(signed.slice(0, 20));
    expect((await ask(server, "/health")).status).toBe(200);
  });

  test("SERVE-82: a weak or unreadable key is not used: tokens that it signed are refused, other tokens are accepted, and the log says why", async () => {
    const weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
    const strong = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const jwk = (kid: string, { publicKey }: typeof weak) => ({
      ...publicKey.export({ format: "jwk" }),
      kid,
      alg: "RS256",
    });
    const told: string[] = [];
    const { origin } = await servedJson({
      keys: [
        ...[jwk("weak", weak), jwk("strong", strong), { kty: "RSA", kid: "broken", alg: "RS256" }, "none"],
        { kty: "EC", crv: "P-256", kid: "odd", alg: "ES256", x: "AA", y: "AA" },
        { kty: "RSA", use: "enc", kid: "other use" },
      ],
    });
    const { log, entries } = keptLog();
    const server = testServer({
      authenticate: jwtUsers({
        ...{ keys: `${origin}/keys`, issuer: ISSUER, audience: "chat", refetchAfterMs: 0 },
        onError: (error) => void told.push(String(error)),
      }),
      log,
    });
    const asked = async (kid: string, { privateKey }: typeof weak, alg?: string) =>
      (await ask(server, "/agents", { user: signedBy(privateKey, kid, alg) })).status;
    expect(await asked("strong", strong)).toBe(200);
    expect(await asked("weak", weak)).toBe(401);
    expect(await asked("broken", weak)).toBe(401);
    expect(await asked("odd", weak, "ES256")).toBe(401);
    expect(await asked("strong", strong)).toBe(200);
    // Each key is reported once, although the keys were requested several times.
    expect(told).toEqual([
      expect.stringMatching(/"weak".*1024 bits.*2048/),
      expect.stringMatching(/"broken"/),
      expect.stringMatching(/without an id/),
      expect.stringMatching(/"odd"/),
    ]);
    expect(entries("error")).toEqual([]);
  });

  test("SERVE-82: without `onError`, a line on standard error names the key", async () => {
    const printed = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => printed.mockRestore());
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
    const { origin } = await servedJson({
      keys: [{ ...publicKey.export({ format: "jwk" }), kid: "two\nlines" }],
    });
    const users = jwtUsers({ keys: `${origin}/keys`, issuer: ISSUER, audience: "chat" });
    expect(await users(bearer(signedBy(privateKey, "two\nlines")))).toBeUndefined();
    expect(printed.mock.calls).toEqual([
      [expect.stringMatching(/^[^\n]*"two\\nlines"[^\n]*1024 bits[^\n]*$/)],
    ]);
  });

  test("SERVE-32: an answer that is no key set is a failure of the server", async () => {
    const { origin } = await servedJson({ keys: "none" });
    const users = jwtUsers({ keys: `${origin}/keys`, issuer: ISSUER, audience: "chat" });
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    await expect(users(bearer(signedBy(privateKey, "k")))).rejects.toMatchObject({ code: "BACKEND_FAILED" });
  });

  test("keys from an address without encryption are refused, except on this machine", () => {
    const given = { issuer: ISSUER, audience: "chat" };
    expect(() => jwtUsers({ ...given, keys: "http://issuer.example/keys" })).toThrow("not encrypted");
    expect(jwtUsers({ ...given, keys: "https://issuer.example/keys" })).toBeTypeOf("function");
  });
});

test("SERVE-33: a proxy that shows the secret names the user, and nobody else does", () => {
  const secret = "0123456789abcdef";
  const users = proxyUsers({ secret });
  const asked = (headers: Record<string, string>) =>
    users(new Request("http://localhost/", { headers })) as ServerUser | undefined;
  expect(asked({ "x-forwarded-user": "ada", "x-proxy-secret": secret })).toEqual({ id: "ada" });
  for (const headers of [
    { "x-forwarded-user": "ada" },
    { "x-forwarded-user": "ada", "x-proxy-secret": "0123456789abcdeg" },
    { "x-forwarded-user": "ada, bob", "x-proxy-secret": secret },
    { "x-forwarded-user": "", "x-proxy-secret": secret },
    { "x-proxy-secret": secret },
  ] as Record<string, string>[])
    expect([headers, asked(headers)]).toEqual([headers, undefined]);
  const named = proxyUsers({ secret, header: "remote-user", secretHeader: "x-gate" });
  expect(
    named(new Request("http://localhost/", { headers: { "remote-user": "bob", "x-gate": secret } })),
  ).toEqual({ id: "bob" });
  expect(() => proxyUsers({ secret: "short" })).toThrow("fewer than 16");
});
