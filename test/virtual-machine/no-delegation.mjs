/** Checks what a host is told to which no control group, or not every controller, is delegated. `no-delegation.mjs WHY REMEDY LIMIT...` */
import assert from "node:assert/strict";
import { run } from "../../packages/core/dist/adapter.js";
import { localRuntime } from "../../packages/runtime-local/dist/index.js";
import { checks } from "../../scripts/checks.mjs";

const [why = "", remedy = "", ...missing] = process.argv.slice(2);
const { check, close } = checks();
const runtime = localRuntime();
await check("the diagnostic names the defaults that do not hold, the reason and the remedy", async () => {
  const { limits, diagnostics = [] } = await runtime.capabilities();
  for (const limit of missing) assert.ok(!limits.includes(limit), `${limit}: ${limits}`);
  const [told, ...others] = diagnostics.filter(({ code }) => code === "limit.default-not-enforced");
  assert.deepEqual(others, []);
  assert.ok(
    told.message.includes(`The default limits ${missing.join(", ")} of runs are not enforced`),
    told.message,
  );
  assert.ok(told.message.includes(why), told.message);
  assert.ok(told.hint.includes(remedy), told.hint);
});
await check("a run without limits works, and one with such a limit is refused with both", async () => {
  const workspace = await runtime.create(`w-${process.pid}`);
  const command = { command: "echo hi", cwd: ".", env: {}, timeoutMs: 600_000, maxOutputBytes: 100 };
  const plain = await run(workspace, { ...command, runId: "plain" });
  assert.equal(plain.stdout.text, "hi\n");
  const refused = run(workspace, { ...command, runId: "limited", limits: { cpu: 0.5 } });
  await assert.rejects(refused, ({ code, message }) => {
    assert.equal(code, "UNSUPPORTED");
    assert.ok(message.includes(why) && message.includes(remedy), message);
    return true;
  });
});
await runtime.close();
close();
