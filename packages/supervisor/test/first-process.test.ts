import { openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { sandboxed, sandboxOptions } from "./sandboxed.js";
import { otherUser, supervised } from "./supervised.js";

const attack = fileURLToPath(new URL("attack-first-process.py", import.meta.url));

/** The script is passed as a descriptor, because its own directory may be inaccessible to the user inside. */
async function attacked(options: readonly string[], how: string) {
  const script = openSync(attack, "r");
  const command = `/usr/bin/python3 /run/attack.py ${how}; echo $?; exit 3`;
  return sandboxed(options, ["/bin/bash", "-c", command], {
    mounts: ["--perms", "0444", "--ro-bind-data", "7", "/run/attack.py"],
    descriptors: [script],
  }).ended;
}

if (hasAll("supervisor", "bubblewrap", "python3"))
  describe("a command of the same user, in the sandbox of its supervisor,", () => {
    test.each([
      ["with the filter", ["--filter", "offline"], "reads attacks changes", 30],
      ["without a filter", [], "reads attacks", 16],
    ])(
      "fails with every attack on it %s, and the outcome is reported correctly",
      async (_, options, how, count) => {
        const { report, stdout, stderr } = await attacked(options, how);
        expect(stderr).toBe("");
        const [results = "", exitCode] = stdout.trim().split("\n");
        const came = Object.entries(JSON.parse(results) as Record<string, string>);
        expect(came.length).toBe(count);
        expect(
          came.filter(([, result]) => !["EPERM", "EACCES", "ENOSYS", "EIO", "EBADF"].includes(result)),
        ).toEqual([]);
        expect(exitCode).toBe("0");
        expect(report).toEqual(["protocol 2", "child", "begun", "ended exit 3", "launcher exit 0", "gone"]);
      },
    );

    test("succeeds with some of them if the first process is an ordinary one", async () => {
      const mounts = ["--perms", "0444", "--ro-bind-data", "7", "/run/attack.py"];
      const text = `echo first; /usr/bin/python3 /run/attack.py reads; exit 0`;
      const { stdout } = await supervised(
        ["--keep", "7", ...otherUser],
        [...sandboxOptions(), ...mounts, "/bin/bash", "-c", text],
        { descriptors: [0, 0, openSync(attack, "r")] },
      ).ended;
      expect(JSON.parse(stdout.split("\n")[1] ?? "")).toMatchObject({
        "read environment": "succeeded",
        "list descriptors": "succeeded",
        "read maps": "succeeded",
      });
    });

    test("cannot end it by any signal, even without a filter", async () => {
      const { report, stdout } = await attacked([], "signals");
      expect(stdout.trim().split("\n").at(-1)).toBe("0");
      expect(report).toEqual(["protocol 2", "child", "begun", "ended exit 3", "launcher exit 0", "gone"]);
    });
  });
