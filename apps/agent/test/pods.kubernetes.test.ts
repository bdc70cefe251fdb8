import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { SHOUT } from "../../../packages/agent/test/test-agent.js";
import { onCluster } from "../../../packages/runtime-kubernetes/test/cluster-setup/cluster.js";
import { leftOfWorkspaces } from "../../../scripts/cluster/left-of-workspaces.mjs";
import { demo } from "../src/terminal/demo.js";
import { testTerminal } from "./test-terminal.js";

onCluster(
  "the agent with --runtime kubernetes",
  (namespace) => {
    test("uploads a file to a claimed sandbox, runs a skill there on gVisor, saves its output, and leaves nothing (KUBE-101)", async () => {
      const sandbox = { kind: "kubernetes", cluster: namespace().options };
      const terminal = await testTerminal({
        "home/.skillwright/skillwright.config.json": JSON.stringify({ agent: { sandbox } }),
        "bundled/shout/SKILL.md": SHOUT["SKILL.md"],
        "bundled/shout/shout.sh": SHOUT["shout.sh"],
        "notes/my note.txt": "hello\n",
      });
      const app = await terminal.open(["--runtime", "kubernetes"], {}, { home: "home" });
      expect(app.isolation.level).toBe("gvisor");
      const request = 'Write "notes/my note.txt" in capital letters';
      const code = await demo(terminal.screen, app, { request, files: [] }, new AbortController().signal);
      const shown = terminal.shown();
      expect(code, shown).toBe(0);
      expect(shown).toMatch(/exit code 0, isolation: gvisor \(/);
      const saved = /\nSaved:\n {2}(\/.*)\n/.exec(shown)?.[1] ?? "";
      expect(await readFile(saved, "utf8")).toBe("HELLO\n");
      await app.close();
      await expect.poll(() => leftOfWorkspaces(namespace())).toEqual([]);
    });
  },
  { runtimeClassName: "gvisor" },
);
