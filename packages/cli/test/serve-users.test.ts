import { expect, onTestFinished, test } from "vitest";
import { type CliFixture, cliFixture } from "./cli-fixture.js";
import { identityProvider } from "./identity-provider.js";

test("SERVE-111: with --issuer each user has conversations of their own, and a token for another audience is refused", async () => {
  const { issuer, token } = await identityProvider();
  const address = await servedUsers(await cliFixture(), ["--issuer", issuer, "--audience", "chat"]);
  const asked = async (user: string, path: string, { audience = "chat", json }: Asked = {}) =>
    await fetch(`${address}${path}`, {
      method: json ? "POST" : "GET",
      headers: { authorization: `Bearer ${token(user, audience)}`, "content-type": "application/json" },
      ...(json && { body: JSON.stringify(json) }),
    });
  expect((await asked("ada", "/conversations", { json: { id: "one" } })).status).toBe(201);
  expect((await asked("ada", "/conversations/one")).status).toBe(200);
  expect((await asked("bob", "/conversations/one")).status).toBe(404);
  expect((await asked("ada", "/conversations/one", { audience: "another" })).status).toBe(401);
  expect((await fetch(`${address}/conversations`)).status).toBe(401);
});

interface Asked {
  readonly audience?: string;
  readonly json?: object;
}

const ISSUER = ["--issuer", "https://id.example.com"];

test.each([
  [ISSUER, 1, "--issuer works only together with --audience."],
  [["--keys", "https://id.example.com/keys"], 1, "--keys works only together with --issuer."],
  [[...ISSUER, "--audience", "chat", "--web"], 2, "'--web' cannot be used with option '--issuer"],
  [
    [...ISSUER, "--audience", "chat", "--keys", "https://id.example.com/keys", "--isolation", "none"],
    1,
    "see each other's files",
  ],
])("SERVE-111: `serve %j` is refused", async (argv, exitCode, message) => {
  const { cli } = await cliFixture();
  const { code, out, err } = await cli(["serve", "--port", "0", ...argv]);
  expect({ code, out }).toEqual({ code: exitCode, out: "" });
  expect(err).toContain(message);
});

/** Runs `skillwright serve` until the end of the test. Returns its address. */
async function servedUsers({ cli }: CliFixture, argv: readonly string[]): Promise<string> {
  const stopping = new AbortController();
  let tell: (text: string) => void = () => undefined;
  const printed = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const running = cli(["serve", "--port", "0", "--model", "offline", ...argv], {
    signal: stopping.signal,
    stdout: { write: tell },
  });
  onTestFinished(async () => {
    stopping.abort();
    expect((await running).code).toBe(0);
  });
  const ended = running.then(({ err }) => Promise.reject(new Error(err)));
  const text = await Promise.race([printed, ended]);
  expect(text).toContain(`issuer   ${argv[1]}\n`);
  return /^address +(\S+)$/m.exec(text)?.[1] ?? "";
}
