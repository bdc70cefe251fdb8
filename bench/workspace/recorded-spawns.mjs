import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

/**
 * Records how processes are started in this process during the work: `{ program, args, options, given }`, where
 * `given` is the text written to the last descriptor, so that the same start can be repeated. They can be read during the work.
 */
export async function recordedSpawns(work, calls = []) {
  const original = childProcess.spawn;
  childProcess.spawn = /** @type {any} */ (
    (program, args, options) => {
      const child = original(program, args, options);
      const call = { program, args, options, given: undefined };
      calls.push(call);
      const last = child.stdio.length > 3 ? child.stdio.at(-1) : undefined;
      if (last && "end" in last) {
        const end = last.end.bind(last);
        last.end = (bytes, ...rest) => {
          call.given = bytes;
          return end(bytes, ...rest);
        };
      }
      return child;
    }
  );
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    childProcess.spawn = original;
    syncBuiltinESMExports();
  }
  return calls;
}
