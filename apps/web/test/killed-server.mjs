// A server of ada over folders, with a fake model: `killed-server.mjs <folder> <model>`.
import { recordRegistry } from "@skillwright/records";
import { fsArtifacts, fsRecords } from "@skillwright/repository-fs";
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
  registry: recordRegistry(fsRecords({ root: `${root}/registry` })),
  records: fsRecords({ root: `${root}/records` }),
  artifacts: fsArtifacts({ root: `${root}/artifacts` }),
  authenticate: (request) =>
    request.headers.get("authorization") === "Bearer ada" ? { id: "ada" } : undefined,
});
const { address } = await listen(server, { port: 0 });
console.log(address);
