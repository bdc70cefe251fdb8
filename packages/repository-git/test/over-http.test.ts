import { randomBytes } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type GitRepositoryOptions, gitRepository } from "../src/index.js";
import { type GitServer, gitServer } from "./git-server.js";
import { type Origin, origin } from "./git-subject.js";

const SECRET = "s3cret:/@&' %41";
const USER = "ada@example.com";

let place: Origin;
let server: GitServer;

if (hasAll("git-http-backend"))
  describe("over HTTP", () => {
    beforeEach(async () => {
      place = await origin({ one: { "SKILL.md": skillMarkdown("one") } });
      server = await gitServer(place.root, `${USER}:${SECRET}`);
      // No credential helper of the user answers here.
      vi.stubEnv("GIT_CONFIG_GLOBAL", join(place.root, "settings"));
      vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
      for (const name of ["no_proxy", "NO_PROXY"]) vi.stubEnv(name, "127.0.0.1");
      await writeFile(join(place.root, "settings"), "");
    });
    afterEach(async () => {
      vi.unstubAllEnvs();
      await server.close();
      await place.dispose();
    });

    test("a password in the URL opens the repository, and does not appear in the list of processes", async () => {
      const log = join(place.root, "log");
      const git = await script("git", `printf '%s\\n' "$*" >> '${log}'; exec git "$@"`);
      const repository = opened({ url: address(SECRET), git });
      expect((await repository.list()).skills.map(({ name }) => name)).toEqual(["one"]);
      const said = await readFile(log, "utf8");
      expect(said).toContain(`http://${server.host}/origin`);
      for (const secret of [SECRET, encodeURIComponent(SECRET), USER, encodeURIComponent(USER)]) {
        expect(said).not.toContain(secret);
        expect(repository.label).not.toContain(secret);
      }
    });

    test("a password in the URL is not stored by a helper of the user", async () => {
      const stored = join(place.root, "stored");
      await writeFile(join(place.root, "settings"), `[credential]\n\thelper = "store --file='${stored}'"\n`);
      await opened({ url: address(SECRET) }).list();
      await expect(readFile(stored)).rejects.toMatchObject({ code: "ENOENT" });
    });

    test("without a password in the URL the user's own helper answers", async () => {
      const stored = join(place.root, "stored");
      await writeFile(
        stored,
        `http://${encodeURIComponent(USER)}:${encodeURIComponent(SECRET)}@${server.host}\n`,
      );
      await writeFile(join(place.root, "settings"), `[credential]\n\thelper = "store --file='${stored}'"\n`);
      const repository = opened({ url: `http://${server.host}/origin` });
      expect((await repository.list()).skills.map(({ name }) => name)).toEqual(["one"]);
    });

    test("a wrong password ends with an error that contains no credentials, without a prompt", async () => {
      const repository = opened({ url: address("wr0ng:pass word") });
      const error = await repository.list().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "BACKEND_FAILED", message: expect.stringContaining(server.host) });
      expect(server.answers.every((answer) => answer.startsWith("401 "))).toBe(true);
      const shown = JSON.stringify([error, String(error), (error as Error).stack, (error as Error).cause]);
      for (const secret of ["wr0ng", encodeURIComponent("pass word"), USER, encodeURIComponent(USER)])
        expect(shown).not.toContain(secret);
    });

    test("errors contain no credentials, whatever git or a server prints", async () => {
      const text = `case "$*" in
*ls-remote*)
  exec >&2
  echo "fatal: https://tok3n@host/a and ssh://ada:tok3n@host/a?key=tok3n"
  echo "remote: $SKILLWRIGHT_GIT_USERNAME $SKILLWRIGHT_GIT_PASSWORD http://a:tok3n@b@host/c"
  printf 'remote: \\033[31mred\\007 the end\\n'
  exit 128;;
*) exec git "$@";;
esac`;
      const git = await script("git", text);
      const error = await opened({ url: address(SECRET), git })
        .list()
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "BACKEND_FAILED", message: expect.stringContaining("the end") });
      const shown = JSON.stringify([error, String(error), (error as Error).stack]);
      for (const secret of ["tok3n", SECRET, USER, "\\u001b", "\\u0007"]) expect(shown).not.toContain(secret);
    });

    test("a server that requires an unknown password ends with an error", async () => {
      const error = await opened({ url: `http://${server.host}/origin` })
        .list()
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringMatching(/terminal prompts disabled/),
      });
    });

    test("an interrupted download is an error, keeps the previous state and leaves nothing partial in the cache", async () => {
      await place.commit({ one: { "SKILL.md": skillMarkdown("one"), "a.bin": randomBytes(100_000) } });
      const repository = opened({ url: address(SECRET) });
      server.cutPacks(true);
      await expect(repository.list()).rejects.toMatchObject({ code: "BACKEND_FAILED" });
      expect(await inCache()).toEqual([]);
      server.cutPacks(false);
      const before = await repository.list();
      expect(before.skills).toHaveLength(1);
      await place.commit({ two: { "SKILL.md": skillMarkdown("two"), "a.bin": randomBytes(100_000) } });
      server.cutPacks(true);
      await expect(repository.refresh()).rejects.toMatchObject({ code: "BACKEND_FAILED" });
      expect(await repository.list()).toEqual(before);
      expect(await inCache()).toEqual([`${await repository.commit()}.git`]);

      async function inCache(): Promise<string[]> {
        const [folder = ""] = await readdir(place.cache);
        return await readdir(join(place.cache, folder));
      }
    });
  });

function opened(options: GitRepositoryOptions): ReturnType<typeof gitRepository> {
  return gitRepository({ cache: place.cache, allowHttp: true, ...options });
}

function address(password: string): string {
  return `http://${encodeURIComponent(USER)}:${encodeURIComponent(password)}@${server.host}/origin`;
}

async function script(name: string, text: string): Promise<string> {
  const path = join(place.root, name);
  await writeFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}
