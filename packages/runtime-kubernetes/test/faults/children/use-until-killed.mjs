/**
 * A host that uses the built package: `use-until-killed.mjs <options> <id> <point>`; the options are JSON. It tells its parent when it has
 * reached the point, and waits there.
 */
import { kubernetesRuntime } from "@skillwright/runtime-kubernetes";

const [options = "", id = "", point] = process.argv.slice(2);
const workspace = await kubernetesRuntime(JSON.parse(options)).create(id);

await workspace.stage({
  name: "demo",
  digest: "sha256:1",
  files: async function* () {
    yield { path: "SKILL.md", content: "one" };
    await at("stage");
    yield { path: "more", content: "two" };
  },
});
const run = await workspace.start({
  ...{ runId: "kept", keep: true, cwd: ".", env: {}, timeoutMs: 60_000, maxOutputBytes: 65_536 },
  command:
    "echo begun; until [ -e work/go ]; do sleep 0.01; done; head -c 20000000 /dev/zero > out/large; exit 6",
});
for await (const _ of run.output()) break;
await at("run");
await workspace.put([{ path: "work/go", content: "" }]);
await run.result;
for await (const _ of await workspace.get("out/large")) await at("collect");

async function at(/** @type {string} */ here) {
  if (here !== point) return;
  process.send?.("there");
  await new Promise(() => setInterval(() => undefined, 60_000));
}
