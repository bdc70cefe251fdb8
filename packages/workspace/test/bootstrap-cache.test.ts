import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ByteStream, RunEvent } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type BootstrapCache, type BootstrapStep, fsBootstrapCache, workspaceManager } from "../src/index.js";
import { type Fixture, type TestIsolation, testIsolations, workspaceFixture } from "./workspace-fixture.js";

/** A package with a program, packed and installed by the real npm, offline. */
const NPM: BootstrapStep = {
  name: "npm",
  files: [
    {
      path: "work/greet/package.json",
      content: JSON.stringify({ name: "greet", version: "1.0.0", bin: { greet: "greet.js" } }),
    },
    { path: "work/greet/greet.js", content: "#!/usr/bin/env node\nconsole.log('greetings');\n" },
    { path: "work/app/package.json", content: JSON.stringify({ name: "app", version: "1.0.0" }) },
  ],
  commands: [
    "echo ran >> work/log",
    "cd work/app && npm pack ../greet --silent && npm install --offline --no-audit --no-fund ./greet-1.0.0.tgz",
  ],
  cache: ["work/app/node_modules"],
};

const GREET = "test ! -e work/log && echo untouched; work/app/node_modules/.bin/greet";

/** A Python of its own with a module and a program, by the real venv. */
const VENV: BootstrapStep = {
  name: "python",
  files: [{ path: "work/greet.py", content: "def main():\n    print('greetings')\n" }],
  commands: [
    "echo ran >> work/log",
    "python3 -m venv --without-pip work/.venv && cp work/greet.py work/.venv/lib/python3*/site-packages/",
  ],
  cache: ["work/.venv"],
};

/** Runs the command in a new workspace and returns how its bootstrap went. */
async function inWorkspace(
  fixture: Fixture,
  session: string,
  wanted: {
    bootstrap: BootstrapStep[];
    command: string;
    before?: string;
    bootstrapCache?: BootstrapCache;
  },
) {
  const { skills, runtime, directory } = fixture;
  const { bootstrap, command, before } = wanted;
  const { bootstrapCache = fsBootstrapCache({ root: path.join(directory, "cache") }) } = wanted;
  const { id } = await fixture.workspaces.forSession({ app: "test", user: "ada", session });
  // An uploaded file exists before the first run, and does not prevent caching the result.
  await fixture.workspaces.upload(id, "a.txt", "uploaded");
  if (before !== undefined) await fixture.workspaces.run(id, { command: before });
  const workspaces = workspaceManager({ skills, runtime, bootstrap, bootstrapCache });
  const events: RunEvent[] = [];
  const result = await workspaces.run(id, { command }, { onEvent: (event) => void events.push(event) });
  const fromCache = events.flatMap((event) => (event.type === "bootstrap.ended" ? [event.fromCache] : []));
  const codes = result.diagnostics.flatMap(({ code }) => (code.startsWith("bootstrap.") ? [code] : []));
  return { id, result, text: result.stdout.text, fromCache, codes };
}

const withFixture = async (isolation: TestIsolation, use: (fixture: Fixture) => Promise<void>) => {
  await using fixture = await workspaceFixture(isolation);
  await use(fixture);
};

/** The directory's header, then a one-block file: a truncation that tar does not report as an error. */
async function* cutAfterOneFile(entry: ByteStream): ByteStream {
  for await (const piece of entry) {
    yield piece.subarray(0, 3 * 512);
    throw new Error("The line was cut.");
  }
}

if (hasAll("python3"))
  describe.each(await testIsolations())("the bootstrap cache, isolation %s", (isolation) => {
    test("npm: the second workspace gets the packages, including links and permissions, and runs no command", async () => {
      await withFixture(isolation, async (fixture) => {
        const bootstrap = [NPM];
        const first = await inWorkspace(fixture, "one", { bootstrap, command: GREET });
        expect(first).toMatchObject({ text: "greetings\n", fromCache: [false], codes: [] });
        const second = await inWorkspace(fixture, "two", { bootstrap, command: GREET });
        expect(second).toMatchObject({ text: "untouched\ngreetings\n", fromCache: [true], codes: [] });
        const again = await inWorkspace(fixture, "two", { bootstrap, command: GREET });
        expect(again.fromCache).toEqual([]);
      });
    });

    test("venv: it is restored where its path is the same, and recreated where the path differs", async () => {
      await withFixture(isolation, async (fixture) => {
        const use = {
          bootstrap: [VENV],
          command:
            "work/.venv/bin/python -c 'import greet, sys; greet.main(); print(sys.prefix)'; cat work/log",
        };
        const first = await inWorkspace(fixture, "one", use);
        expect(first.text).toMatch(/^greetings\n.*\/work\/\.venv\nran\n$/);
        const second = await inWorkspace(fixture, "two", use);
        expect(second.fromCache).toEqual([isolation === "sandbox"]);
        const root = (await fixture.runtime.attach(second.id))?.root;
        expect(second.text).toBe(`greetings\n${root}/work/.venv\n${isolation === "sandbox" ? "" : "ran\n"}`);
      });
    });

    test("leftovers of an earlier command in a workspace do not reach others", async () => {
      await withFixture(isolation, async (fixture) => {
        const bootstrap: BootstrapStep[] = [
          { name: "a", commands: ["mkdir work/dir && cp -r work/*.conf work/dir/"], cache: ["work/dir"] },
        ];
        const use = { bootstrap, command: "ls work/dir" };
        const before = "mkdir work/dir; touch work/bad.conf work/dir/planted";
        const first = await inWorkspace(fixture, "one", { ...use, before });
        expect(first).toMatchObject({
          text: "bad.conf\n",
          fromCache: [false],
          codes: ["bootstrap.not-cached"],
        });
        const second = await inWorkspace(fixture, "two", { ...use, before: "touch work/good.conf" });
        expect(second).toMatchObject({ text: "good.conf\n", fromCache: [false] });
      });
    });

    test("a truncated entry is reported, and the commands run from a clean state", async () => {
      await withFixture(isolation, async (fixture) => {
        const make = "mkdir work/dir && head -c 100000 /dev/zero > work/dir/a && echo b > work/dir/b";
        const bootstrap: BootstrapStep[] = [{ name: "a", commands: [make], cache: ["work/dir"] }];
        const use = { bootstrap, command: "wc -c < work/dir/a; cat work/dir/b" };
        await inWorkspace(fixture, "one", use);
        const cache = path.join(fixture.directory, "cache");
        const [entry = ""] = await readdir(cache);
        const whole = await readFile(path.join(cache, entry));
        await writeFile(path.join(cache, entry), whole.subarray(0, 50_000));
        const second = await inWorkspace(fixture, "two", use);
        expect(second).toMatchObject({
          text: "100000\nb\n",
          fromCache: [false],
          codes: ["bootstrap.cache-failed"],
        });
        expect(await inWorkspace(fixture, "three", use)).toMatchObject({ fromCache: [true], codes: [] });
      });
    });

    test("a cache that fails halfway is reported, even if the received part unpacks without an error", async () => {
      await withFixture(isolation, async (fixture) => {
        const make = "mkdir work/dir && echo a > work/dir/a && echo b > work/dir/b";
        const bootstrap: BootstrapStep[] = [{ name: "a", commands: [make], cache: ["work/dir"] }];
        const use = { bootstrap, command: "ls work/dir" };
        await inWorkspace(fixture, "one", use);
        const whole = fsBootstrapCache({ root: path.join(fixture.directory, "cache") });
        const bootstrapCache: BootstrapCache = {
          ...whole,
          async get(key) {
            const entry = await whole.get(key);
            return entry && cutAfterOneFile(entry);
          },
        };
        const second = await inWorkspace(fixture, "two", { ...use, bootstrapCache });
        expect(second).toMatchObject({ text: "a\nb\n", codes: ["bootstrap.cache-failed"] });
      });
    });

    test("a cached directory that no command created is reported, and the run continues", async () => {
      await withFixture(isolation, async (fixture) => {
        const bootstrap: BootstrapStep[] = [{ name: "a", commands: ["true"], cache: ["work/none"] }];
        const { text, codes } = await inWorkspace(fixture, "one", { bootstrap, command: "echo ran" });
        expect({ text, codes }).toEqual({ text: "ran\n", codes: ["bootstrap.cache-failed"] });
        expect(await readdir(path.join(fixture.directory, "cache")).catch(() => [])).toEqual([]);
      });
    });

    test("recreating a directory makes other steps with results in it run again", async () => {
      await withFixture(isolation, async (fixture) => {
        const step = (name: string): BootstrapStep => ({
          name,
          commands: [`mkdir work/dir && echo ${name} > work/dir/name`],
          cache: ["work/dir"],
        });
        const after: BootstrapStep = { name: "after", commands: ["echo after >> work/dir/name"] };
        const name = async (bootstrap: BootstrapStep[]) =>
          (await inWorkspace(fixture, "one", { bootstrap, command: "cat work/dir/name" })).text;
        expect(await name([step("a"), after])).toBe("a\nafter\n");
        expect(await name([step("b")])).toBe("b\n");
        expect(await name([step("a"), after])).toBe("a\nafter\n");
      });
    });
  });

describe("fsBootstrapCache", () => {
  const key = (digit: string) => digit.repeat(64);
  async function* bytes(count: number) {
    yield Buffer.alloc(count, "x");
  }
  const exists = async (cache: ReturnType<typeof fsBootstrapCache>, digit: string) =>
    (await cache.get(key(digit))) !== undefined;

  test("stays within its size by evicting the least recently used entries", async () => {
    await withFixture("none", async ({ directory }) => {
      const root = path.join(directory, "cache");
      const cache = fsBootstrapCache({ root, maxBytes: 250 });
      for (const [index, digit] of ["a", "b"].entries()) {
        await cache.put(key(digit), bytes(100));
        await utimes(path.join(root, `${key(digit)}.tar`), 1_000 + index, 1_000 + index);
      }
      expect(await exists(cache, "a")).toBe(true);
      await cache.put(key("c"), bytes(100));
      const there = await Promise.all(["a", "b", "c"].map((digit) => exists(cache, digit)));
      expect(there).toEqual([true, false, true]);
    });
  });

  test("a writer that fails or is too large leaves nothing, and the existing entry is kept", async () => {
    await withFixture("none", async ({ directory }) => {
      const root = path.join(directory, "cache");
      const cache = fsBootstrapCache({ root, maxBytes: 250 });
      await cache.put(key("a"), bytes(100));
      async function* failing() {
        yield* bytes(50);
        throw new Error("gone");
      }
      await expect(cache.put(key("a"), failing())).rejects.toThrow(/gone/);
      await expect(cache.put(key("b"), bytes(251))).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
      expect(await readdir(root)).toEqual([`${key("a")}.tar`]);
      expect(await cache.get(key("b"))).toBeUndefined();
    });
  });

  test("an invalid key is refused", async () => {
    await withFixture("none", async ({ directory }) => {
      await mkdir(path.join(directory, "cache"));
      const cache = fsBootstrapCache({ root: path.join(directory, "cache") });
      await expect(cache.get("../../etc/passwd")).rejects.toMatchObject({ code: "INPUT_INVALID" });
    });
  });
});
