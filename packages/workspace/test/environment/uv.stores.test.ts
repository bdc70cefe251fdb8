import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { SkillError } from "@skillwright/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { DEMO } from "../workspace-fixture.js";
import { allowed, entries, environmentFixture, run } from "./environment-fixture.js";
import { configuredIndex, requirement, uvProject, wheel } from "./package-index.js";

const ALPHA = wheel("alpha", "1.0.0", "alpha speaks");
const BETA = wheel("beta", "2.0.0", "beta speaks");
const SKILL = { ...DEMO, ...uvProject([ALPHA, BETA]) };
/** Files in which installers write their own name, in order of their own. */
const OWN = /\/(INSTALLER|RECORD)$|^bin\/(alpha|beta)$|\.pyc$/;

if (hasAll("bubblewrap", "pip or ensurepip", "a package index for pip and npm"))
  describe("uv where commands run", () => {
    let folder = "";

    /** A Python of its own with uv beside it, which a sandbox shows. */
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "skillwright-uv-"));
      await chmod(folder, 0o755);
      const python = "/usr/bin/python3";
      const whole = path.join(folder, "python");
      await promisify(execFile)(python, ["-m", "venv", "--without-pip", "--copies", whole]);
      const download = ["-m", "pip", "download", "-q", "--no-deps", "-d", folder, "uv==0.9.2"];
      await promisify(execFile)(python, download);
      const [file = ""] = (await readdir(folder)).filter((name) => name.endsWith(".whl"));
      const unpack =
        "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); n = [n for n in z.namelist() if n.endswith('/scripts/uv')]; open(sys.argv[2], 'wb').write(z.read(n[0]))";
      const uv = path.join(whole, "bin/uv");
      await promisify(execFile)(python, ["-c", unpack, path.join(folder, file), uv]);
      await promisify(execFile)("chmod", ["-R", "a+rX", whole]);
      await chmod(uv, 0o755);
    }, 600_000);

    afterAll(() => rm(folder, { recursive: true, force: true }));

    beforeEach(() => {
      vi.stubEnv("PATH", `${path.join(folder, "python/bin")}:${process.env["PATH"]}`);
    });

    test("PKG-11: installs the same files as pip, under the same key", async () => {
      await using _index = await configuredIndex([ALPHA, BETA]);
      const prepared = async () => {
        await using fixture = await environmentFixture(SKILL);
        const { stdout } = await run(fixture, "alpha && beta && uv --version | head -c 3", allowed);
        const [stored] = await fixture.store.list();
        const directory = stored?.directory ?? "";
        const found = await readdir(directory, { recursive: true, withFileTypes: true });
        const names = found.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
        const contents = names.sort().map(async (name) => {
          const relative = path.relative(directory, name);
          return [relative, OWN.test(relative) ? "" : (await readFile(name)).toString("base64")] as const;
        });
        const installers = names.filter((name) => name.endsWith("/INSTALLER"));
        const [installer = ""] = await Promise.all(installers.map((name) => readFile(name, "utf8")));
        return { said: stdout.text, key: stored?.key, files: await Promise.all(contents), installer };
      };
      const byUv = await prepared();
      expect(byUv).toMatchObject({ said: "alpha speaks\nbeta speaks\nuv ", installer: "uv" });
      await rename(path.join(folder, "python/bin/uv"), path.join(folder, "uv"));
      try {
        const byPip = await prepared();
        expect(byPip).toMatchObject({ said: "alpha speaks\nbeta speaks\n", installer: "pip\n" });
        expect(byPip.key).toBe(byUv.key);
        expect(byPip.files).toEqual(byUv.files);
      } finally {
        await rename(path.join(folder, "uv"), path.join(folder, "python/bin/uv"));
      }
    });

    test("PKG-11: refuses what does not match its hash, and keeps nothing", async () => {
      await using _index = await configuredIndex([ALPHA, wheel("beta", "2.0.0", "something else")]);
      await using fixture = await environmentFixture(SKILL);
      await expect(run(fixture, "true", allowed)).rejects.toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringMatching(/uv\.lock.*hash/is),
      });
      expect(await fixture.store.list()).toEqual([]);
    });

    test("PKG-11: installs the skill's own wheels without an index", async () => {
      await using index = await configuredIndex([]);
      const wheels = Object.fromEntries([ALPHA, BETA].map((one) => [`wheels/${one.fileName}`, one.bytes]));
      await using fixture = await environmentFixture({ ...SKILL, ...wheels });
      expect((await run(fixture, "alpha && beta", allowed)).stdout.text).toBe("alpha speaks\nbeta speaks\n");
      expect(index.asked).toEqual([]);
    });

    test.each([
      ["pip", "PIP_INDEX_URL"],
      ["uv", "UV_DEFAULT_INDEX"],
    ])("PKG-06: leaves no credentials of the index that %s is configured with", async (_who, variable) => {
      await using index = await configuredIndex([ALPHA]);
      const password = "a-password-of-the-index";
      vi.stubEnv(variable, index.python.replace("//", `//ada:${password}@`));
      const files = { ...DEMO, "requirements.txt": requirement(ALPHA) };
      await using fixture = await environmentFixture(files);
      const look = `env; grep -r ${password} "$VIRTUAL_ENV" "$WORKSPACE_DIR/work" | wc -l`;
      const result = await run(fixture, look, allowed);
      expect([...index.credentials]).toEqual([`Basic ${btoa(`ada:${password}`)}`]);
      expect(result.stdout.text).toMatch(/\n0\n$/);
      expect(JSON.stringify(result)).not.toContain(password.slice(2));
      await fixture.repository.upload(
        entries({ ...files, "requirements.txt": requirement(wheel("missing", "1.0.0", "")) }),
      );
      const error: unknown = await run(fixture, "true", allowed).catch((error: unknown) => error);
      expect(SkillError.is(error) && error.message).toMatch(/missing/);
      expect(JSON.stringify([String(error), error])).not.toContain(password.slice(2));
    });
  });
