import { localRuntime } from "../src/index.js";
import { temporaryDirectory } from "./local-subject.js";

/**
 * Whether sandboxed suites can be registered here. Where they cannot, one line says why; with SKILLWRIGHT_REQUIRE_ALL=1
 * that is a failure.
 */
export const sandboxWorks = await tryOut();

async function tryOut(): Promise<boolean> {
  const { path, remove } = await temporaryDirectory();
  const runtime = localRuntime({ root: path });
  try {
    await runtime.capabilities();
    return true;
  } catch (error) {
    if (process.env["SKILLWRIGHT_REQUIRE_ALL"] === "1") throw error;
    console.warn(`runtime-local: sandboxed suites are not registered: ${String(error)}`);
    return false;
  } finally {
    await runtime.close();
    await remove();
  }
}
