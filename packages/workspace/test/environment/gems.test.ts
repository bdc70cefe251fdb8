import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { DEMO } from "../workspace-fixture.js";
import { allowed, environmentFixture, run } from "./environment-fixture.js";
import { needsOf } from "./needs-of.js";

const LOCK = `GEM
  remote: https://rubygems.org/
  specs:
    alpha (1.0.0)
      beta (>= 2)
    beta (2.0.0)

PLATFORMS
  ruby

DEPENDENCIES
  alpha

BUNDLED WITH
   2.3.15
`;
const GEMS = { "vendor/cache/alpha-1.0.0.gem": "alpha", "vendor/cache/beta-2.0.0.gem": "beta" };

test("PKG-13: Gemfile.lock with its gems in vendor/cache is a need", async () => {
  const sum = createHash("sha256").update("alpha").digest("hex");
  const lock = `${LOCK}\nCHECKSUMS\n  alpha (1.0.0) sha256=${sum}\n`;
  const { needs, diagnostics } = await needsOf({ ...DEMO, ...GEMS, "Gemfile.lock": lock });
  expect(diagnostics).toEqual([]);
  expect(needs).toMatchObject([
    {
      kind: "ruby",
      declaredIn: "Gemfile.lock",
      packages: [
        { name: "alpha", version: "1.0.0" },
        { name: "beta", version: "2.0.0" },
      ],
      wheels: [{ path: "vendor/cache/alpha-1.0.0.gem" }, { path: "vendor/cache/beta-2.0.0.gem" }],
    },
  ]);
});

test.each([
  [
    "a gem that vendor/cache lacks",
    { "vendor/cache/alpha-1.0.0.gem": "x" },
    LOCK,
    /beta 2\.0\.0 is not in vendor\/cache/,
  ],
  ["a gem from git", GEMS, `GIT\n  remote: https://a.invalid/b.git\n\n${LOCK}`, /from git/],
  ["a gem from a folder", GEMS, `PATH\n  remote: .\n\n${LOCK}`, /elsewhere than a gem index/],
  [
    "a gem for several platforms",
    { ...GEMS, "vendor/cache/beta-2.0.0-x86_64-linux.gem": "x" },
    LOCK.replace("    beta (2.0.0)", "    beta (2.0.0)\n    beta (2.0.0-x86_64-linux)"),
    /beta for several platforms/,
  ],
  [
    "another checksum",
    GEMS,
    `${LOCK}\nCHECKSUMS\n  alpha (1.0.0) sha256=${"0".repeat(64)}\n`,
    /alpha-1\.0\.0\.gem does not match its checksum/,
  ],
])("PKG-13: Gemfile.lock with %s is refused with the rule and a remedy", async (_what, gems, lock, why) => {
  const { needs, diagnostics } = await needsOf({ ...DEMO, ...gems, "Gemfile.lock": lock });
  expect(needs).toEqual([]);
  expect(diagnostics).toMatchObject([
    { code: "environment.not-prepared", path: "Gemfile.lock", message: expect.stringMatching(why) },
  ]);
  expect(diagnostics[0]?.hint).toMatch(/bundle cache|vendor\/cache/);
});

if (hasAll("bubblewrap", "ruby"))
  describe("gems of a skill", () => {
    test("PKG-13: are installed from vendor/cache, and found by require and on PATH", async () => {
      const beta = await builtGem("beta", "2.0.0");
      const alpha = await builtGem("alpha", "1.0.0");
      await using fixture = await environmentFixture({
        ...DEMO,
        "Gemfile.lock": LOCK,
        "vendor/cache/alpha-1.0.0.gem": alpha,
        "vendor/cache/beta-2.0.0.gem": beta,
      });
      const command = [
        "alpha",
        `ruby -e 'require "beta"; puts BETA; require "json"; puts JSON.generate([1])'`,
        'touch "$GEM_HOME/new" 2> /dev/null || echo read-only',
      ].join("\n");
      const { stdout, stderr } = await run(fixture, command, allowed);
      expect({ out: stdout.text, err: stderr.text }).toEqual({
        out: "alpha speaks\nbeta speaks\n[1]\nread-only\n",
        err: "",
      });
      expect(await fixture.store.list()).toMatchObject([{ kind: "ruby", declaredIn: "Gemfile.lock" }]);
    });

    test("PKG-13: are refused where one has native extensions, and nothing is compiled or kept", async () => {
      const beta = await builtGem("beta", "2.0.0", 's.extensions = ["ext/extconf.rb"]');
      const lock = "GEM\n  specs:\n    beta (2.0.0)\n";
      const files = { ...DEMO, "Gemfile.lock": lock, "vendor/cache/beta-2.0.0.gem": beta };
      await using fixture = await environmentFixture(files);
      await expect(run(fixture, "true", allowed)).rejects.toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringMatching(/Gemfile\.lock.*beta-2\.0\.0 has native extensions.*vendor\/cache/s),
      });
      expect(await fixture.store.list()).toEqual([]);
    });
  });

/** A gem with one file and a program of its name, as `gem build` makes it. */
async function builtGem(name: string, version: string, more = ""): Promise<Uint8Array> {
  const folder = await mkdtemp(path.join(tmpdir(), "skillwright-gem-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const files: Record<string, string> = {
    [`lib/${name}.rb`]: `${name.toUpperCase()} = "${name} speaks"\n`,
    [`exe/${name}`]: `#!/usr/bin/env ruby\nrequire "${name}"\nputs ${name.toUpperCase()}\n`,
    "ext/extconf.rb": "exit 1\n",
  };
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content, { mode: 0o755 });
  }
  const names = Object.keys(files).map((file) => JSON.stringify(file));
  const spec = [
    "Gem::Specification.new do |s|",
    `s.name = "${name}"; s.version = "${version}"; s.summary = "x"; s.authors = ["x"]`,
    `s.files = [${names.join(", ")}]; s.bindir = "exe"; s.executables = ["${name}"]`,
    more,
    "end",
  ].join("\n");
  await writeFile(path.join(folder, "one.gemspec"), spec);
  await promisify(execFile)("/usr/bin/gem", ["build", "--norc", "-q", "one.gemspec"], { cwd: folder });
  return await readFile(path.join(folder, `${name}-${version}.gem`));
}
