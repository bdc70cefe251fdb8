import { execFileSync } from "node:child_process";
import { childEnvironment } from "../../../scripts/bootstrap/child-environment.mjs";
import { root } from "../../../scripts/bootstrap/root.mjs";
import { besideFloor } from "../rounds.mjs";

const QUICK_START = ["core", "skillbox", "workspace", "repository-memory", "runtime-local"];

/** A new process that imports packages, beside one that imports nothing. */
export async function measure() {
  return {
    "import of core": await besideFloor(15, importing(["core"]), importing([])),
    "import of the quick start": await besideFloor(15, importing(QUICK_START), importing([])),
  };
}

function importing(names) {
  const program = names.map((name) => `import "${root}/packages/${name}/dist/index.js";`).join("");
  const options = { env: childEnvironment() };
  return () => void execFileSync(process.execPath, ["--input-type=module", "-e", program], options);
}
