// A server of ada over folders, with a fake model: `killed-server.mjs <folder> <model>`.
import { fsArtifacts, fsRegistry, fsSessions, fsTurns } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { agentServer } from "@skillwright/server";
import { listen } from "@skillwright/server/node";
import { skillBox } from "@skillwright/skillbox";

const [root, baseURL] = process.argv.slice(2);
const server = agentServer({
  agents: { assistant: { modelConfig: { provider: "openai", model: "fake", baseURL, apiKey: "none" } } },
  app: "killed",
  skills: skillBox({ own: memoryRepository({ skills: {} }) }),
  runtime: localRuntime({ root: `${root}/workspaces`, isolation: "none" }),
  registry: fsRegistry({ root: `${root}/registry` }),
  sessions: fsSessions({ root: `${root}/sessions` }),
  turns: fsTurns({ root: `${root}/turns` }),
  artifacts: fsArtifacts({ root: `${root}/artifacts` }),
  authenticate: (request) =>
    request.headers.get("authorization") === "Bearer ada" ? { id: "ada" } : undefined,
});
const { address } = await listen(server, { port: 0 });
console.log(address);
