import { join } from "node:path";
import { fsArtifacts, fsRecords, fsRepository } from "@skillwright/repository-fs";
import { localRuntime } from "@skillwright/runtime-local";
import { agentServer } from "@skillwright/server";
import { listen } from "@skillwright/server/node";
import { proxyUsers } from "@skillwright/server/users";
import { skillBox } from "@skillwright/skillbox";

const data = process.env["DATA"] ?? "data";
const folder = (name: string) => ({ root: join(data, name) });
const skills = (name: string) => fsRepository({ root: join(import.meta.dirname, name) });

const server = agentServer({
  agents: { assistant: { modelConfig: { provider: "offline", model: "offline planner" } } },
  // Skills of the team wait for each user's approval before they run.
  skills: skillBox({ own: skills("skills"), team: { repository: skills("team-skills"), trusted: false } }),
  runtime: localRuntime({ ...folder("workspaces"), isolation: "auto" }),
  records: fsRecords(folder("records")),
  artifacts: fsArtifacts(folder("artifacts")),
  authenticate: proxyUsers({ secret: process.env["PROXY_SECRET"] ?? "" }),
});
const listening = await listen(server, { port: Number(process.env["PORT"] ?? 8787) });
console.log(listening.address);

// Takes no new turns and waits for running ones; what takes longer goes on at the next start.
process.once("SIGTERM", () => void listening.close());
