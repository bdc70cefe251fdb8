import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { runInProcess, writeGreet } from "../mcp/run-in-process.mjs";
import { entered, told } from "./entered.mjs";

export async function measure() {
  const place = mkdtempSync(`${tmpdir()}/skillwright-bench-walk-`);
  // Commands run as another user.
  chmodSync(place, 0o711);
  process.on("exit", () => rmSync(place, { recursive: true, force: true }));
  writeGreet(`${place}/skills`);
  const { run, close } = await runInProcess(`${place}/skills`, `${place}/data`);
  for (let warmUp = 0; warmUp < 3; warmUp++) await run();
  const files = await entered(run);
  await close();
  return told(files);
}
