import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inTime, skillMarkdown } from "@skillwright/contracts";
import { readText } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type GitRepositoryOptions, gitRepository } from "../src/index.js";
import { type Origin, origin } from "./git-subject.js";

let place: Origin;
beforeEach(async () => {
  place = await origin({ one: { "SKILL.md": skillMarkdown("one"), "big.bin": new Uint8Array(3_000_000) } });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await place.dispose();
});

describe("the git program", () => {
  test("that is missing ends with an error that says what to install", async () => {
    const repository = opened({ git: join(place.root, "no-git") });
    const wanted = { code: "UNSUPPORTED", message: expect.stringMatching(/Install git 2\.30/) };
    await expect(repository.list()).rejects.toMatchObject(wanted);
    await expect(repository.refresh()).rejects.toMatchObject(wanted);
  });

  test("that is too old ends with an error that contains its version; a newer one is used from the next call", async () => {
    const git = await script("git", "echo git version 2.29.9");
    const repository = opened({ git });
    const wanted = { code: "UNSUPPORTED", message: expect.stringMatching(/2\.29\.9.*2\.30 or later/) };
    await expect(repository.list()).rejects.toMatchObject(wanted);
    await script("git", 'exec git "$@"');
    expect((await repository.list()).skills).toHaveLength(1);
  });

  test("ignores variables that point git at another repository", async () => {
    for (const name of [
      "GIT_DIR",
      "GIT_WORK_TREE",
      "GIT_OBJECT_DIRECTORY",
      "GIT_INDEX_FILE",
      "GIT_COMMON_DIR",
    ])
      vi.stubEnv(name, join(place.root, "elsewhere"));
    expect((await opened({}).list()).skills).toHaveLength(1);
    expect(existsSync(join(place.root, "elsewhere"))).toBe(false);
  });
});

describe("a git that hangs", () => {
  /** Runs local commands, and hangs on commands to the server; its helper outlives it if it can. */
  async function hanging(): Promise<{ git: string; started: string }> {
    const started = join(place.root, "started");
    const helper = `(sleep 1000 & echo $! > '${started}.new'; mv '${started}.new' '${started}'; wait)`;
    return {
      git: await script("git", `case "$*" in *ls-remote*) ${helper};; *) exec git "$@";; esac`),
      started,
    };
  }

  test("is killed with its helpers when the call is aborted", async () => {
    const { git, started } = await hanging();
    const controller = new AbortController();
    const listing = opened({ git }).list({ signal: controller.signal });
    await vi.waitUntil(() => existsSync(started), { timeout: 180_000 });
    controller.abort();
    await inTime(expect(listing).rejects.toMatchObject({ code: "ABORTED" }), "The aborted listing");
    await ended(started);
  });

  test("is killed when the last of several callers has aborted, and not before", async () => {
    const { git, started } = await hanging();
    const repository = opened({ git });
    const [one, two] = [new AbortController(), new AbortController()];
    const listings = [one, two].map(({ signal }) => repository.list({ signal }));
    await vi.waitUntil(() => existsSync(started), { timeout: 180_000 });
    one.abort();
    await expect(listings[0]).rejects.toMatchObject({ code: "ABORTED" });
    expect(isRunning(Number(await readFile(started, "utf8")))).toBe(true);
    two.abort();
    await expect(listings[1]).rejects.toMatchObject({ code: "ABORTED" });
    await ended(started);
  });

  test("is killed at its timeout", async () => {
    const { git, started } = await hanging();
    const listing = opened({ git, timeoutMs: 500 }).list();
    await expect(listing).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringContaining("500 ms"),
    });
    await ended(started);
  });

  async function ended(started: string): Promise<void> {
    const pid = Number(await readFile(started, "utf8"));
    expect(pid).toBeGreaterThan(1);
    await vi.waitUntil(() => !isRunning(pid), { timeout: 180_000 });
  }
});

test("a helper that outlives git, such as a credential cache, does not delay the call", async () => {
  const pids = join(place.root, "pids");
  const helper = `sleep 1000 > /dev/null & echo $! >> '${pids}'`;
  const git = await script("git", `case "$*" in *ls-remote*) ${helper};; esac; exec git "$@"`);
  expect((await inTime(opened({ git }).list(), "The listing")).skills).toHaveLength(1);
  const pid = Number(await readFile(pids, "utf8"));
  expect(isRunning(pid)).toBe(true);
  process.kill(pid);
});

test("a caller that stops reading a file early leaves no git process behind", async () => {
  const log = join(place.root, "pids");
  const git = await script("git", `echo $$ >> '${log}'; exec git "$@"`);
  for await (const piece of await opened({ git }).open("one", "big.bin")) {
    expect(piece.byteLength).toBeGreaterThan(0);
    break;
  }
  const pids = (await readFile(log, "utf8")).trim().split("\n").map(Number);
  expect(pids.length).toBeGreaterThan(3);
  await vi.waitUntil(() => !pids.some(isRunning), { timeout: 180_000 });
});

describe("ssh", () => {
  test.each([
    [
      "the user's own command",
      async (ssh: string) => vi.stubEnv("GIT_SSH_COMMAND", `'${ssh}' -F none`),
      "-F none -o BatchMode=yes",
    ],
    [
      "the command in the user's settings",
      async (ssh: string) => await setting(`sshCommand = "'${ssh}' -v"`),
      "-v -o BatchMode=yes",
    ],
    [
      "ssh as the PATH has it",
      async (ssh: string) => vi.stubEnv("PATH", `${join(ssh, "..")}:${process.env["PATH"]}`),
      "-o BatchMode=yes",
    ],
  ])("%s is run without prompts", async (_, arrange, expected) => {
    const log = join(place.root, "log");
    await mkdir(join(place.root, "bin"));
    const ssh = await script(
      "bin/ssh",
      `echo "$*" >> '${log}'; echo no entry for git:s3cret@host >&2; exit 255`,
    );
    vi.stubEnv("GIT_CONFIG_GLOBAL", join(place.root, "settings"));
    vi.stubEnv("GIT_SSH_COMMAND", undefined);
    await arrange(ssh);
    const repository = gitRepository({ url: "git@host.example:team/skills.git", cache: place.cache });
    await expect(repository.list()).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringContaining("no entry"),
    });
    expect(await readFile(log, "utf8")).toContain(`${expected} `);
    expect(await readFile(log, "utf8")).toContain("git@host.example git-upload-pack 'team/skills.git'");
  });

  async function setting(line: string): Promise<void> {
    await writeFile(join(place.root, "settings"), `[core]\n\t${line}\n`);
  }
});

test("SKILL.md files of a listing are read by one process however many skills there are, and unchanged ones are not read again", async () => {
  const log = join(place.root, "log");
  const git = await script("git", `echo "$*" >> '${log}'; exec git "$@"`);
  const seed = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [
      `skill-${index}`,
      { "SKILL.md": skillMarkdown(`skill-${index}`) },
    ]),
  );
  await place.commit(seed);
  const repository = opened({ git });
  const calls = async (pattern: RegExp): Promise<number> =>
    (await readFile(log, "utf8")).split("\n").filter((line) => pattern.test(line)).length;
  expect((await repository.list()).skills).toHaveLength(50);
  expect([await calls(/cat-file --batch$/), await calls(/ls-remote/), await calls(/ fetch /)]).toEqual([
    1, 1, 1,
  ]);
  const before = await calls(/./);
  expect((await repository.list()).skills).toHaveLength(50);
  expect(await calls(/./)).toBe(before);
  await repository.refresh();
  expect(await calls(/./)).toBe(before + 1);
  await place.commit({ ...seed, more: { "SKILL.md": skillMarkdown("more") } });
  await repository.refresh();
  expect((await repository.list()).skills).toHaveLength(51);
  expect(await readText(await repository.open("more", "SKILL.md"), 1000)).toBe(skillMarkdown("more"));
});

function opened(options: Partial<GitRepositoryOptions>): ReturnType<typeof gitRepository> {
  return gitRepository({ url: place.directory, cache: place.cache, allowLocal: true, ...options });
}

async function script(name: string, text: string): Promise<string> {
  const path = join(place.root, name);
  await writeFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}

/** A zombie that waits for its parent does not count as running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "latin1") : "");
  } catch {
    return false;
  }
}
