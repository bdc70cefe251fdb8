import type { ServerResponse } from "node:http";
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
      if (url.endsWith("/start")) return response.end(frame("none out/none\n"));
      response.setHeader("Content-Type", "application/json");
      if (url.endsWith("/exec")) return response.writeHead(201).end('{"Id":"e1"}');
      if (url.includes("/top")) return response.end('{"Titles":["PID","RUID","RGID"],"Processes":[]}');
      response.end('{"Running":false,"ExitCode":64,"Pid":1}');
    }),
  );
  const engine = await connectEngine({ engine: { host: fake.host }, callTimeoutMs });
  const container = {
    workspaceId: "w1",
    container: engine.docker.getContainer("c1"),
    engine,
    shell: "/bin/sh",
    isBash: false,
    user: { uid: 1000, gid: 1000 },
    programPath: "/bin",
    filter: undefined,
    isServed: false,
    supervisor: "/none",
    settings: () => undefined,
    startedAt: () => undefined,
    skillCopies: undefined,
    hasNetwork: false,
    volume: "v1",
    imageId: "image",
    limits: {} as WorkspaceContainer["limits"],
    variables: () => undefined,
    mainProcess: () => undefined,
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

function frame(text: string): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(1, 0);
  header.writeUInt32BE(text.length, 4);
  return Buffer.concat([header, Buffer.from(text)]);
}
