import type { ServerResponse } from "node:http";
import type { CommandRequest } from "@skillwright/supervisor";
import type { WorkspaceContainer } from "../../src/container/workspace-container.js";
import { connectEngine } from "../../src/engine/connect-engine.js";
import { knowingItself, startFakeEngine } from "../engine/fake-engine.js";

export interface FakeArchiveEngine extends AsyncDisposable {
  readonly container: WorkspaceContainer;
  readonly asked: readonly string[];
}

/** An engine that returns a hostile archive for every request. A command in its container finds no file at all. */
export async function fakeArchiveEngine(
  archive: Buffer | ((response: ServerResponse) => void),
  { callTimeoutMs = 5000 }: { callTimeoutMs?: number } = {},
): Promise<FakeArchiveEngine> {
  const fake = await startFakeEngine(
    knowingItself((request, response) => {
      const { url = "", method } = request;
      if (url.includes("/archive?") && method === "HEAD") return headOf(response);
      if (url.includes("/archive?"))
        return typeof archive === "function" ? archive(response) : response.end(archive);
      response.setHeader("Content-Type", "application/json");
      response.end("{}");
    }),
  );
  const engine = await connectEngine({ engine: { host: fake.host }, callTimeoutMs });
  const container = {
    workspaceId: "w1",
    container: engine.docker.getContainer("c1"),
    engine: {
      ...engine,
      streams: { ...engine.streams, open: async () => stream, separate: async () => stream },
    },
    shell: "/bin/sh",
    isBash: false,
    user: { uid: 1000, gid: 1000 },
    programPath: "/bin",
    filter: "offline" as const,
    skillCopies: undefined,
    hasNetwork: false,
    volume: "v1",
    imageId: "image",
    ociRuntime: "runc",
    limits: {} as WorkspaceContainer["limits"],
    ready: () => engine.docker.getContainer("c1").inspect(),
  };
  return {
    container,
    asked: fake.asked,
    [Symbol.asyncDispose]: async () => {
      engine.close();
      await fake[Symbol.asyncDispose]();
    },
  };
}

function headOf(response: ServerResponse): void {
  const stat = { name: "revision", size: 1, mode: 0o600, mtime: "2026-01-01T00:00:00Z", linkTarget: "" };
  response
    .setHeader("X-Docker-Container-Path-Stat", Buffer.from(JSON.stringify(stat)).toString("base64"))
    .end();
}

/** A fake of the supervisor in the container. */
const stream = {
  ...{ startedAt: "", notes: async () => [], memo: () => "", setMemo: async () => undefined },
  ...{ isOpen: () => true, closed: Promise.resolve(), close: () => undefined },
  start: ({ onBytes }: CommandRequest) => {
    const ended = Promise.resolve().then(async () => {
      await onBytes(3, Buffer.from("protocol 2\nbegun\nended exit 64\ngone\n"));
      await onBytes(1, Buffer.from("none out/none\n"));
      return { how: "exit", number: 0 } as const;
    });
    return { write: async () => undefined, end: () => undefined, ended };
  },
};
