import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordStore } from "@skillwright/core";
import { recordRegistry } from "@skillwright/records";
import { fsArtifacts, fsRecords } from "@skillwright/repository-fs";
import { localRuntime } from "@skillwright/runtime-local";
import { expect, onTestFinished } from "vitest";
import { type ScriptedStep, scriptedModel } from "../../agent/test/scripted-model.js";
import { removeTree } from "../../runtime-local/src/storage/remove-tree.js";
import type { AgentServer } from "../src/index.js";
import { allEvents, newConversation, say, testServer } from "./test-server.js";

/** A command that adds a line to `<file>.ran` and then waits until the file `<file>.go` exists. */
export const command = (file: string): string =>
  `echo ran >> "${file}.ran"; echo begun; until [ -e "${file}.go" ]; do sleep 0.02; done; echo text > "$OUTPUT_DIR/a.txt"; echo end`;

/** Opens servers that share their stores. Their model gives these steps, one after the other. */
export async function commandServers(
  stepsFor: (file: string) => readonly ScriptedStep[],
  options: { readonly leaseMs?: number; readonly records?: (store: RecordStore) => RecordStore } = {},
) {
  const root = await mkdtemp(join(tmpdir(), "skillwright-test-"));
  onTestFinished(() => removeTree(root));
  const file = join(root, "file");
  const steps = stepsFor(file);
  const store = fsRecords({ root: join(root, "records") });
  const records = options.records?.(store) ?? store;
  const server = (agent = "assistant") =>
    testServer({
      agents: { [agent]: { modelConfig: { provider: "test", model: "test" } } },
      dependencies: {
        models: () =>
          scriptedModel(
            (_, { prompt }) => steps[prompt.filter(({ role }) => role === "assistant").length] ?? {},
          ).model,
      },
      app: "shared",
      artifacts: fsArtifacts({ root: join(root, "artifacts") }),
      registry: recordRegistry(store),
      records,
      leaseMs: options.leaseMs,
      runtime: localRuntime({ root: join(root, "workspaces"), isolation: "none" }),
    });

  /** Starts a turn in a new conversation and waits until its command runs. */
  async function begin(first: AgentServer) {
    const id = await newConversation(first);
    const reading = allEvents(await say(first, id, "Run it"));
    await expect.poll(() => readFile(`${file}.ran`, "utf8").catch(() => "")).toBe("ran\n");
    return { id, reading };
  }

  return { file, server, records, begin, go: () => writeFile(`${file}.go`, "") };
}
