import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { PLENTY, roomy } from "./roomy.js";

/** A program whose first thread ends while another one writes without end. */
const PROGRAM = `
import ctypes, os, threading
open('pid', 'w').write(str(os.getpid()))
def work():
    while True:
        with open('f', 'ab') as file: file.write(bytes(1 << 20))
threading.Thread(target=work).start()
ctypes.CDLL(None).pthread_exit(None)`;

if (hasAll("python3", "supervisor"))
  test("RES-02: a run that has used its room is held even if the first thread of one of its processes has ended", async () => {
    const run = roomy(8_000_000, PLENTY, `python3 -c "${PROGRAM}"`);
    const states = () => {
      const pid = run.files().includes("pid") ? run.text("pid") : "";
      const tasks = `/proc/${pid}/task`;
      if (pid === "") return [];
      return readdirSync(tasks).map(
        (thread) => /^State:\s+(\S)/m.exec(readFileSync(`${tasks}/${thread}/status`, "utf8"))?.[1],
      );
    };
    expect(await run.held()).toBe(true);
    // Others on this disk may have used the room before the first thread has ended.
    while (!states().includes("Z")) {
      run.tell(`room 8000000 ${PLENTY}`);
      expect(await run.held()).toBe(true);
    }
    // A thread stops at the end of the write that it is in.
    await expect.poll(() => states().sort()).toEqual(["T", "Z"]);
    run.tell("end");
    await run.ended;
    expect(run.report()).toEqual(expect.arrayContaining(["ended signal 9", "gone"]));
  });
