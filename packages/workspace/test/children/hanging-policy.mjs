// Sweeps with a policy whose function never settles, and tells what came of it.
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { policy, workspaceManager } from "@skillwright/workspace";

const [root] = process.argv.slice(2);
const workspaces = workspaceManager({
  skills: skillBox({}),
  runtime: localRuntime({ root, isolation: "none" }),
  policies: [policy({ when: () => new Promise(() => undefined), do: () => undefined })],
  policyLimits: { timeout: 2500 },
  onDiagnostic: ({ hint }) => console.log(hint),
});
await workspaces.forSession({ app: "test", user: "ada", session: "s1" });
await workspaces.sweep();
console.log("swept");
await workspaces.close();
console.log("closed");
