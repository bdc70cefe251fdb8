/**
 * Installs the packed packages beside Bun and Next, whose examples in `examples/mounts` then serve the agent's server
 * as a user's would: Bun by its own program, Next built and started. Neither is a dependency of the workspace.
 */
import "./modern-node.mjs";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";

const { prepare } = await import("./bootstrap/prepare.mjs");
const { childEnvironment } = await import("./bootstrap/child-environment.mjs");
const { root } = await import("./bootstrap/root.mjs");
const { checks } = await import("./checks.mjs");
const { startedProgram } = await import("./started-program.mjs");
const { useMountedServer } = await import("./mounts/use-mounted-server.mjs");
const { emptyProject, npmInstall } = await import("./packing/empty-project.mjs");
const { packPackages } = await import("./packing/pack-packages.mjs");
const { runCommand } = await import("./run-command.mjs");

const BUN = "bun@1.4.5";
const NEXT = ["next@16.4.6", "react@19.3.1", "react-dom@19.3.1"];
/** Next installs what is missing of these by itself. */
const TYPES = ["typescript@5.9.3", "@types/react@19.2.2", "@types/node@24.10.1"];

await prepare();
const { check, close } = checks();
const project = mkdtempSync(`${tmpdir()}/skillwright-mounts-`);
const env = { ...childEnvironment(), NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: undefined };

try {
  const installed = await check("the packed packages install beside Bun and Next", install);
  if (installed) {
    await check(`${BUN} serves the agent's server`, serveWithBun);
    const built = await check(`${NEXT[0]} builds an application with the agent's server`, buildWithNext);
    if (built) await check(`${NEXT[0]} serves the agent's server`, serveWithNext);
  }
} finally {
  rmSync(project, { recursive: true, force: true, maxRetries: 3 });
}
close();

async function install() {
  const { asOf } = JSON.parse(readFileSync(`${root}/test/release/expected-installs.json`, "utf8"));
  const packed = await packPackages(`${project}/packed`);
  const wanted = packed.filter(({ name }) => name === "@skillwright/server");
  await emptyProject(`${project}/app`, wanted, packed, asOf);
  await npmInstall(`${project}/app`, ["--ignore-scripts", BUN, ...NEXT, ...TYPES], asOf);
  const examples = `${root}/examples/mounts`;
  for (const name of ["server.ts", "bun.ts", "next"])
    cpSync(`${examples}/${name}`, `${project}/app/${name}`, { recursive: true });
}

async function serveWithBun() {
  // The package of this platform holds the program; a script of npm would copy it elsewhere.
  const platforms = `${project}/app/node_modules/@oven`;
  const program = `${platforms}/${readdirSync(platforms)[0]}/bin/bun`;
  const ready = /^(\S+)\n[\s\S]*(http:\/\/127\.0\.0\.1:\d+)/;
  await startedProgram([program, "bun.ts"], { cwd: `${project}/app`, env, ready }, ([, token, origin]) =>
    useMountedServer(origin, token),
  );
}

async function buildWithNext() {
  const app = `${project}/app/next`;
  const compilerOptions = { allowImportingTsExtensions: true, moduleResolution: "bundler", noEmit: true };
  writeFileSync(`${app}/tsconfig.json`, JSON.stringify({ compilerOptions }));
  // The application's own code sees the server that the route mounts; here it tells the test the token.
  mkdirSync(`${app}/app/token`);
  writeFileSync(
    `${app}/app/token/route.ts`,
    `import { server } from "../../../server.ts";
export const dynamic = "force-dynamic";
export const GET = () => new Response(server.token);
`,
  );
  await runCommand(process.execPath, [next(), "build"], { cwd: app, env });
}

async function serveWithNext() {
  const argv = [process.execPath, next(), "start", "-H", "127.0.0.1", "-p", "0"];
  const options = { cwd: `${project}/app/next`, env, ready: /(http:\/\/127\.0\.0\.1:\d+)[\s\S]*Ready/ };
  await startedProgram(argv, options, async ([, origin]) => {
    const token = await (await fetch(`${origin}/token`)).text();
    await useMountedServer(origin, token);
  });
}

function next() {
  return `${project}/app/node_modules/next/dist/bin/next`;
}
