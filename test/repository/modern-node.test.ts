import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { isOlder, modernNode } from "../../scripts/bootstrap/choose-node.mjs";
import { nodeProgram, versionInPlaceOfOlder } from "../../scripts/bootstrap/fetch-node.mjs";
import { root } from "./readers/packages.js";

const version = versionInPlaceOfOlder() ?? "";
const nowhere = "http://127.0.0.1:9";
let checkout = "";

beforeEach(() => {
  checkout = mkdtempSync(`${tmpdir()}/skillwright old node-`);
  cpSync(`${root}/scripts`, `${checkout}/scripts`, { recursive: true });
  writeFileSync(`${checkout}/package.json`, JSON.stringify({ engines: { node: ">=22.13" } }));
  const prints =
    "console.log(JSON.stringify([process.execPath, process.env.PATH, ...process.argv.slice(2)]))";
  writeFileSync(
    `${checkout}/scripts/program.mjs`,
    `import "./modern-node.mjs";\n${prints};\nprocess.exitCode = 7;\n`,
  );
});

afterEach(() => rmSync(checkout, { recursive: true }));

describe("isOlder", () => {
  it.each(["22.12.9", "20.20.2", "18.20.8", "9.0.0"])("is true for Node %s and >=22.13", (older) => {
    expect(isOlder(older, ">=22.13")).toBe(true);
  });

  it.each(["22.13.0", "22.13.1", "24.0.0", "100.1.0"])("is false for Node %s and >=22.13", (newer) => {
    expect(isOlder(newer, ">=22.13")).toBe(false);
  });
});

describe("a program of the repository", () => {
  it("runs on the machine's own Node if that is new enough, and fetches nothing", () => {
    const { stdout, stderr, status } = started(process.versions.node);
    expect([stderr, status]).toEqual(["", 7]);
    expect(JSON.parse(stdout)[0]).toBe(process.execPath);
    expect(existsSync(`${checkout}/.cache`)).toBe(false);
  });

  it("runs with its arguments and exit code on the fetched Node if the machine's own is too old, and says so in one line", () => {
    const program = nodeProgram(version, `${checkout}/.cache`);
    mkdirSync(dirname(program), { recursive: true });
    copyFileSync(process.execPath, program);
    const { stdout, stderr, status } = started("20.20.2");
    expect([stderr, status]).toEqual([
      `Node 20.20.2 is older than 22.13: using Node ${version} from .cache/node.\n`,
      7,
    ]);
    const [, path, ...args] = JSON.parse(stdout);
    expect(path.split(":")[0]).toBe(dirname(program));
    expect(args).toEqual(["an argument", "--flag"]);
  });

  it("refuses a fetched Node that is the one in use, instead of starting itself forever", () => {
    const program = nodeProgram(version, `${checkout}/.cache`);
    mkdirSync(dirname(program), { recursive: true });
    symlinkSync(process.execPath, program);
    const { stderr, status } = started("20.20.2");
    expect(stderr).toMatch(/is this Node 20\.20\.2 again\. What to do: remove \.cache\/node/);
    expect(status).toBe(1);
  });

  it("ends with the reason and the remedy if the machine's own Node is too old and npm cannot fetch another", () => {
    const { stdout, stderr, status } = started("20.20.2");
    expect([stdout, status]).toEqual(["", 1]);
    expect(stderr).toMatch(/^Node 20\.20\.2 is older than 22\.13: using .*, fetched from npm this once\.$/m);
    expect(stderr).toContain("ECONNREFUSED");
    expect(stderr).toMatch(/What to do: install a current Node .*npm ping/);
    expect(readdirSync(`${checkout}/.cache/node`)).toEqual([]);
  });

  it("that runs all stages of CI starts on a Node that lacks names which the stages import", () => {
    mkdirSync(`${checkout}/.ci`);
    copyFileSync(`${root}/.ci/run`, `${checkout}/.ci/run`);
    writeFileSync(`${checkout}/.ci/stages.mjs`, 'import { notInThisNode } from "node:fs";\n');
    const newer = nodeProgram(version, `${checkout}/.cache`);
    const older = `${checkout}/older/node`;
    for (const [file, script] of [
      [newer, "echo newer"],
      [older, `exec "${process.execPath}" "${pretending("20.20.2").join('" "')}" "$@"`],
    ] as const) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    const env = { ...process.env, PATH: `${dirname(older)}:${process.env["PATH"]}` };
    const { stdout, stderr } = spawnSync(`${checkout}/.ci/run`, { env, encoding: "utf8" });
    expect([stdout, stderr]).toEqual(["newer\n", expect.stringMatching(/^Node 20\.20\.2 is older.*\n$/)]);
  });

  function pretending(own: string) {
    const pretended = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${own}" } }); process.execArgv = [];`;
    return ["--import", `data:text/javascript,${encodeURIComponent(pretended)}`];
  }

  function started(own: string) {
    const args = pretending(own);
    return spawnSync(
      process.execPath,
      [...args, `${checkout}/scripts/program.mjs`, "an argument", "--flag"],
      {
        env: npmEnvironment(nowhere),
        encoding: "utf8",
      },
    );
  }
});

it("a tarball with another integrity than the listed one is refused", async () => {
  const registry = createServer((request, response) => {
    const name = basename(nodeProgram(version).split("/bin/")[0] ?? "");
    const tarball = `http://${request.headers.host}/${name}.tgz`;
    const manifest = { name, version, dist: { tarball } };
    if (request.url?.endsWith(".tgz")) response.end("another program");
    else
      response.end(
        JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: manifest } }),
      );
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void registry.close());
  const { port } = registry.address() as AddressInfo;
  const cache = `${checkout}/.cache`;
  const fetching = modernNode(">=22.13", {
    own: "20.20.2",
    cache,
    env: npmEnvironment(`http://127.0.0.1:${port}`),
    tell: () => undefined,
  });
  await expect(fetching).rejects.toThrow(/EINTEGRITY/);
  expect(readdirSync(`${cache}/node`)).toEqual([]);
});

function npmEnvironment(registry: string): NodeJS.ProcessEnv {
  const { NODE_OPTIONS, VITEST, ...env } = process.env;
  return {
    ...env,
    npm_config_registry: registry,
    npm_config_cache: `${checkout}/npm`,
    npm_config_fetch_retries: "0",
  };
}
