import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { SkillError } from "@skillwright/core";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type GitRepositoryOptions, gitRepository } from "../src/index.js";
import { type Origin, origin } from "./git-subject.js";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
let place: Origin | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await place?.dispose();
  place = undefined;
});

describe("addresses", () => {
  test.each([
    ["https://example.com/team/skills.git", "git https://example.com/team/skills.git@HEAD"],
    ["https://ada:s3cret@example.com:8443/a/b", "git https://example.com:8443/a/b@HEAD"],
    ["https://t0ken@example.com/a/b", "git https://example.com/a/b@HEAD"],
    ["https://a%40b:p%3Aw@example.com/a", "git https://example.com/a@HEAD"],
    ["ssh://git@example.com:2222/a/b.git", "git ssh://example.com:2222/a/b.git@HEAD"],
    ["git@example.com:a/b.git", "git example.com:a/b.git@HEAD"],
    ["git@[::1]:a/b.git", "git [::1]:a/b.git@HEAD"],
  ])("%s is accepted, and its label %s contains no credentials", (url, label) => {
    expect(gitRepository({ url }).label).toBe(label);
  });

  test.each([
    "--upload-pack=touch /tmp/PWNED",
    "-oProxyCommand=touch",
    "ext::sh -c touch% /tmp/PWNED",
    "ext::sh",
    "fd::17",
    "example::path",
    "git://example.com/a",
    "ftp://example.com/a",
    "HTTPS://example.com/a",
    "git+ssh://example.com/a",
    "http://example.com/a",
    "file:///srv/a",
    "/srv/a",
    "./a",
    "../a",
    "a",
    "",
    "C:/a",
    "ssh://-oProxyCommand=touch/a",
    "ssh://%2doProxyCommand=touch/a",
    "ssh://-x@example.com/a",
    "ssh://ada:s3cret@example.com/a",
    "-x@example.com:a",
    "example.com:-a",
    "https://-example.com/a",
    "https://example.com/a?token=s3cret",
    "https://example.com/a#main",
    "https://ada:%0as3cret@example.com/a",
    "https://ada:%zzs3cret@example.com/a",
    "https://example.com/a\n--upload-pack=x",
    "https://example.com\\@other.example/a",
    `https://example.com/${"a".repeat(3000)}`,
  ])("STORE-09: %s is refused at once, without its secrets in the error", (url) => {
    const error = refusal({ url });
    expect(SkillError.is(error, "CONFIG_INVALID")).toBe(true);
    expect(String(error)).not.toContain("s3cret");
  });

  test("a local path may contain spaces, any other address may not", () => {
    for (const url of ["/srv/my skills", "file:///srv/my skills", "file:///srv/my%20skills"])
      expect(gitRepository({ url, allowLocal: true }).label).toBe(`git ${url}@HEAD`);
    for (const url of [
      "https://example.com/my skills",
      "git@example.com:my skills",
      "/srv/a\u2028b",
      "/srv/a\nb",
    ])
      expect(SkillError.is(refusal({ url, allowLocal: true }), "CONFIG_INVALID"), url).toBe(true);
  });

  test("each restricted protocol is allowed only by its own option", () => {
    for (const url of ["file:///srv/a", "/srv/a"]) {
      expect(SkillError.is(refusal({ url, allowHttp: true }), "CONFIG_INVALID")).toBe(true);
      expect(gitRepository({ url, allowLocal: true }).label).toBe(`git ${url}@HEAD`);
    }
    const url = "http://example.com/a";
    expect(SkillError.is(refusal({ url, allowLocal: true }), "CONFIG_INVALID")).toBe(true);
    expect(gitRepository({ url, allowHttp: true }).label).toBe(`git ${url}@HEAD`);
    expect(SkillError.is(refusal({ url: "file://host/a", allowLocal: true }), "CONFIG_INVALID")).toBe(true);
  });
});

describe("names", () => {
  const url = "https://example.com/a";

  test.each([
    "-x",
    "--upload-pack=x",
    "",
    "a b",
    "a..b",
    "a:b",
    "a*",
    "refs/heads/*",
    "^a",
    "@",
    "a@{1}",
    "a.lock",
    "/a",
    "a/",
    ".a",
    "a\nb",
  ])("the ref %j is refused at once", (ref) =>
    expect(SkillError.is(refusal({ url, ref }), "CONFIG_INVALID")).toBe(true),
  );

  test.each(["-x", "", "/a", "..", "a/../b", "a\\b", "a//b", "./a", "a\nb"])(
    "the path %j is refused at once",
    (path) => expect(SkillError.is(refusal({ url, path }), "CONFIG_INVALID")).toBe(true),
  );

  test.each(["-x", "", "HEAD", COMMIT.slice(1), COMMIT.toUpperCase(), `${COMMIT}0`, `-${COMMIT.slice(1)}`])(
    "the commit %j is refused at once",
    (commit) => expect(SkillError.is(refusal({ url, commit }), "CONFIG_INVALID")).toBe(true),
  );

  test("a cache path that is not absolute is refused at once", () => {
    expect(SkillError.is(refusal({ url, cache: "cache" }), "CONFIG_INVALID")).toBe(true);
  });

  test("the label contains path and commit, and stays on one line however long they are", () => {
    expect(gitRepository({ url, path: "skills", commit: COMMIT }).label).toBe(
      `git ${url} skills@0123456789ab`,
    );
    const long = { url: `${url}/${"b".repeat(1000)}`, path: "p".repeat(200), ref: "r".repeat(200) };
    expect(gitRepository(long).label.length).toBeLessThan(200);
  });
});

test("STORE-09: a user setting that turns an address into a program is not followed", async () => {
  place = await origin({ one: { "SKILL.md": skillMarkdown("one") } });
  const settings = join(place.root, "settings");
  const proof = join(place.root, "proof");
  await writeFile(
    settings,
    `[url "ext::sh -c touch% ${proof}% #"]\n\tinsteadOf = https://example.com/\n[protocol "ext"]\n\tallow = always\n`,
  );
  vi.stubEnv("GIT_CONFIG_GLOBAL", settings);
  const repository = gitRepository({ url: "https://example.com/a", cache: place.cache });
  await expect(repository.list()).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringMatching(/'ext' not allowed/),
  });
  expect(existsSync(proof)).toBe(false);
});

function refusal(options: GitRepositoryOptions): unknown {
  try {
    gitRepository(options);
  } catch (error) {
    return error;
  }
  throw new Error("It was not refused.");
}
