import { type ApprovalData, turnTransport, type UiChunk } from "@skillwright/server/client";

const [origin, secret] = process.argv.slice(2);
// A browser sends its own credentials to the proxy, which adds these.
const headers = { "x-forwarded-user": "ada", "x-proxy-secret": secret ?? "" };
const transport = turnTransport({ server: `${origin}/v1`, headers });
const ask = (path: string, init: RequestInit = {}) => fetch(`${origin}/v1${path}`, { ...init, headers });

// Files of the user go into the conversation's workspace.
await ask("/conversations", { method: "POST" }).then(async (answer) =>
  chat(((await answer.json()) as { id: string }).id),
);

async function chat(id: string): Promise<void> {
  await ask(`/conversations/${id}/uploads/note.txt`, { method: "PUT", body: "quiet\n" });
  for (const chunk of await turn(id, "Write note.txt in capital letters"))
    if (chunk.type === "data-artifact")
      console.log("artifact:", chunk.data.name, await text(chunk.data.content));

  // A skill that is not trusted: the turn ends with a question, and the answer starts the one that goes on.
  await ask(`/conversations/${id}/uploads/names.txt`, { method: "PUT", body: "Grace\n" });
  for (const chunk of await turn(id, "Greet everybody in the list of names")) {
    if (chunk.type !== "data-approval") continue;
    const { skill, source, subject }: ApprovalData = chunk.data;
    console.log("question:", skill, source, subject);
    console.log("then:", await decided(chunk.data));
  }

  // Deleting the conversation removes workspace, uploads, events and artifacts.
  await ask(`/conversations/${id}`, { method: "DELETE" });
  console.log("left:", await (await ask("/workspaces")).text());
}

async function turn(chatId: string, words: string): Promise<readonly UiChunk[]> {
  const messages = [{ role: "user", parts: [{ type: "text", text: words }] }];
  const stream = await transport.sendMessages({ chatId, messages, abortSignal: undefined });
  const chunks: UiChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

async function decided({ decide, digest, conversation }: ApprovalData): Promise<string> {
  const answer = await fetch(`${origin}${decide}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ answer: { allow: "digest" }, digest }),
  });
  const { turn: next } = (await answer.json()) as { turn: string };
  await text(`/v1/conversations/${conversation}/turns/${next}/stream`);
  return await text(`/v1/conversations/${conversation}/artifacts/content?name=out/greetings.txt`);
}

async function text(path: string): Promise<string> {
  return (await (await fetch(`${origin}${path}`, { headers })).text()).trim();
}
