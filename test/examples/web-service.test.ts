import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { removeTree } from "../../packages/runtime-local/src/storage/remove-tree.js";
import { hasAll } from "../needs/has-all.js";
import { root } from "../repository/readers/packages.js";

const folder = `${root}/examples/web-service`;
const SECRET = "a-secret-of-the-proxy";

if (hasAll("packages/server/dist", "packages/runtime-local/dist"))
  test("the web service of the guide has users, streams, approvals and a clean end", async () => {
    const data = await mkdtemp(join(tmpdir(), "skillwright-web-service-"));
    onTestFinished(() => removeTree(data));
    const child = spawn(process.execPath, [`${folder}/server.ts`], {
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        PATH: process.env["PATH"],
        TMPDIR: process.env["TMPDIR"],
        DATA: data,
        PORT: "0",
        PROXY_SECRET: SECRET,
      },
    });
    const ended = once(child, "close");
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await ended;
    });
    const [line] = await once(child.stdout, "data");
    const origin = String(line).trim();
    expect(
      (await fetch(`${origin}/v1/conversations`, { headers: { "x-forwarded-user": "ada" } })).status,
    ).toBe(401);
    const { stdout } = await promisify(execFile)(process.execPath, [`${folder}/client.ts`, origin, SECRET]);
    expect(stdout.trim().split("\n")).toEqual([
      "artifact: out/loud.txt QUIET",
      "question: greeter team sh greet.sh inputs/names.txt > out/greetings.txt",
      "then: Hello, Grace",
      "left: []",
    ]);
    child.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
  });

test("the guide shows the programs as they are", async () => {
  const guide = await readFile(`${root}/docs/web-service.md`, "utf8");
  for (const file of ["server.ts", "client.ts"])
    expect(guide).toContain(`\`\`\`ts\n${await readFile(`${folder}/${file}`, "utf8")}\`\`\``);
});
