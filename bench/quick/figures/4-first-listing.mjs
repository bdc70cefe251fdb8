import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../../../scripts/bootstrap/child-environment.mjs";
import { besideFloor } from "../rounds.mjs";

const program = fileURLToPath(new URL("../new-process.mjs", import.meta.url));

/** A first listing in a new process, beside reading every SKILL.md synchronously in a new process. */
export async function measure({ few, many }) {
  return {
    "first listing of 1,000": await besideFloor(9, inNewProcess("list", few), inNewProcess("read", few)),
    "first listing of 10,000": await besideFloor(3, inNewProcess("list", many), inNewProcess("read", many)),
  };
}

function inNewProcess(what, directory) {
  return () =>
    Number(
      execFileSync(process.execPath, [program, what, directory], {
        encoding: "utf8",
        env: { ...childEnvironment(), XDG_CACHE_HOME: `${directory}/../no-cache-${process.hrtime.bigint()}` },
      }),
    );
}
