import type { Diagnostic } from "@skillwright/core";
import { localRuntime } from "@skillwright/runtime-local";
import { expect, test } from "vitest";
import { workspaceFindings } from "../src/doctor/check-machine.js";
import { type TriedWorkspace, tryWorkspace } from "../src/doctor/try-workspace.js";

const hidden: Diagnostic = {
  code: "interpreter.not-visible",
  severity: "warning",
  message: "Sandboxed commands cannot use python3 at /home/me/bin/python3.",
  hint: "Install python3 below /usr or /opt.",
};

test("doctor prints the runtime's diagnostics once, even without a sandbox", async () => {
  const tried = (await tryWorkspace(() => {
    const runtime = localRuntime({ isolation: "none" });
    return {
      ...runtime,
      capabilities: async (options) => {
        const known = await runtime.capabilities(options);
        return { ...known, diagnostics: [...(known.diagnostics ?? []), hidden, hidden] };
      },
    };
  }, undefined)) as TriedWorkspace;
  expect(tried.diagnostics.filter(({ code }) => code === hidden.code)).toEqual([hidden]);
  const sandbox = workspaceFindings(tried).find(({ check }) => check === "sandbox");
  expect(sandbox?.details).toContain(`${hidden.message} ${hidden.hint} (interpreter.not-visible)`);
});
