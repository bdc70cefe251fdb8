import { expect, test } from "vitest";
import { findShell } from "../src/host/shell.js";

test("commands are run by bash without start-up files", async () => {
  const { program, arguments: args, diagnostics } = await findShell();
  expect(program).toMatch(/^\/.*\/bash$/);
  expect(args).toEqual(["--noprofile", "--norc", "-c"]);
  expect(diagnostics).toEqual([]);
});

test("where there is no bash, sh runs them, with a diagnostic", async () => {
  const { program, arguments: args, diagnostics } = await findShell(["/nowhere"]);
  expect([program, args]).toEqual(["/bin/sh", ["-c"]]);
  expect(diagnostics).toMatchObject([{ code: "shell.no-bash", severity: "warning" }]);
});
