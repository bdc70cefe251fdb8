import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, readFile, rm, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import type { ContentStore } from "@skillwright/core";
import type { ContentLease } from "@skillwright/core/adapter";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fsContentStore } from "../src/index.js";
import { temporaryDirectory } from "./fs-subject.js";

const uid = process.getuid?.() ?? 0;
let root: string;
let dispose: () => Promise<void>;
beforeEach(async () => ({ root, dispose } = await temporaryDirectory()));
afterEach(async () => {
  vi.unstubAllEnvs();
  await dispose();
});

test("a digest's directory is <root>/<two digits>/<digest>/tree", async () => {
  const { digest, directory } = await materialize(fsContentStore({ root }));
  const hex = digest.replace("sha256:", "");
  expect(relative(root, directory)).toBe(`${hex.slice(0, 2)}/${hex}/tree`);
});

test("another user can read it by its path and cannot list what else is there, whatever the umask", async () => {
  const place = join(root, "content");
  const mask = process.umask(0o077);
  try {
    const { directory } = await materialize(fsContentStore({ root: place }));
    await chmod(root, 0o711);
    const modes = [place, join(directory, "../.."), join(directory, "..")].map(
      async (path) => (await lstat(path)).mode,
    );
    for (const mode of await Promise.all(modes)) expect(mode & 0o777).toBe(0o711);
    if (uid !== 0) return;
    const text = execFileSync("cat", [join(directory, "scripts/run.sh")], { uid: 65534, gid: 65534 });
    expect(text.toString()).toBe("run");
  } finally {
    process.umask(mask);
  }
});

test("a tree that was removed by hand is created again", async () => {
  const store = fsContentStore({ root });
  const { directory } = await materialize(store);
  execFileSync("chmod", ["-R", "u+w", directory]);
  await rm(directory, { recursive: true });
  const again = await materialize(store);
  expect(again.directory).toBe(directory);
  expect(await readFile(join(directory, "scripts/run.sh"), "utf8")).toBe("run");
});

test("without a root it is in the user's own directory below the temporary one", async () => {
  vi.stubEnv("TMPDIR", root);
  const { directory } = await materialize(fsContentStore());
  expect(relative(root, directory)).toMatch(new RegExp(`^skillwright-${uid}/content/`));
});

test("that directory is not used when it is a link or others may write to it", async () => {
  vi.stubEnv("TMPDIR", root);
  const folder = join(root, `skillwright-${uid}`);
  await mkdir(join(root, "elsewhere"));
  await symlink("elsewhere", folder);
  await expect(materialize(fsContentStore())).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  await rm(folder);
  await mkdir(folder);
  await chmod(folder, 0o777);
  await expect(materialize(fsContentStore())).rejects.toMatchObject({ code: "CONFIG_INVALID" });
});

test("a manifest that needs one name as file and as directory is refused", async () => {
  const files = [file("a", "x"), file("a/b", "x")];
  const work = fsContentStore({ root }).materialize({ formatVersion: 1, files }, open, { owner: "w" });
  await expect(work).rejects.toMatchObject({ code: "SKILL_INVALID" });
});

async function materialize(store: ContentStore): Promise<ContentLease> {
  const manifest = {
    formatVersion: 1,
    files: [file("SKILL.md", "text"), file("scripts/run.sh", "run")],
  } as const;
  return await store.materialize(manifest, open, { owner: "w" });
}

async function* bytes(path: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(path === "SKILL.md" ? "text" : "run");
}

async function open(path: string): Promise<AsyncGenerator<Uint8Array>> {
  return bytes(path);
}

function file(
  path: string,
  text: string,
): { path: string; size: number; executable: boolean; sha256: string } {
  const sha256 = createHash("sha256").update(text).digest("hex");
  return { path, size: text.length, executable: path.endsWith(".sh"), sha256 };
}
