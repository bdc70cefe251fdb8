/**
 * Tests the packed tools with the previous major of the AI SDK, in a copy of `test/ai-sdk-6`
 * with its own lockfile, so that the workspace keeps the major it supports.
 */
import "./modern-node.mjs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

const { prepare } = await import("./bootstrap/prepare.mjs");
const { root } = await import("./bootstrap/root.mjs");
const { checks } = await import("./checks.mjs");
const { lockedProject } = await import("./packing/locked-project.mjs");
const { packPackages } = await import("./packing/pack-packages.mjs");
const { runCommand } = await import("./run-command.mjs");

/** The tools with the packages of ours that they need. */
const PACKED = ["core", "lint", "records", "repository-memory", "tools"];

await prepare({ build: PACKED.map((name) => `packages/${name}`) });
const { check, close } = checks();
const temporary = mkdtempSync(`${tmpdir()}/skillwright-ai-sdk-6-`);
const project = `${temporary}/project`;

try {
  const installed = await check("its own lockfile and the packed tools install", async () => {
    const tarballs = (await packPackages(`${temporary}/packed`, PACKED)).map(({ tarball }) => tarball);
    // The peers of the tarballs may name the major of the workspace; this test uses the other one.
    const flags = ["--legacy-peer-deps"];
    await lockedProject({ source: `${root}/test/ai-sdk-6`, project, tarballs, flags });
  });
  if (installed) {
    await check(`the tools work with ai 6 on Node ${process.versions.node}`, async () => {
      await runCommand(process.execPath, ["run.mjs"], { cwd: project, show: true });
    });
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
close();
