// Waits to be killed after one step of a turn with an approval. Arguments: what to do, a folder, the file of the command.
import { createAgent } from "@skillwright/agent";
import { fsRecords } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { storedApprovals } from "@skillwright/tools";
import { MockLanguageModelV4 } from "ai/test";

const [what, folder, file] = process.argv.slice(2);
const session = { app: "test", user: "u", session: "parked" };
const records = fsRecords({ root: `${folder}/sessions` });
const approvals = storedApprovals({ records });

if (what === "ask") {
  const input = JSON.stringify({ skill: "counter", command: `echo went >> '${file}'` });
  const model = new MockLanguageModelV4({
    doGenerate: async () => ({
      content: [{ type: "tool-call", toolCallId: "c1", toolName: "skill_run", input }],
      finishReason: { unified: "tool-calls", raw: undefined },
      usage: { inputTokens: {}, outputTokens: {} },
      warnings: [],
    }),
  });
  const files = { "SKILL.md": "---\nname: counter\ndescription: Counts.\n---\nCount.\n" };
  const agent = await createAgent(
    {
      ...{ modelConfig: { provider: "test", model: "test", stream: false }, session },
      sandbox: { isolation: "none", root: `${folder}/workspaces` },
    },
    {
      ...{ records, approvals, models: () => model },
      skills: skillBox({
        project: { repository: memoryRepository({ skills: { counter: files } }), trusted: false },
      }),
    },
  );
  console.log((await agent.chat("Count")).finish);
} else {
  const [question] = await approvals.list(session);
  const { digest } = question.request;
  await approvals.decide(session, question.id, { digest, answer: { allow: "once" } });
  console.log("answered");
}
setInterval(() => undefined, 60_000);
