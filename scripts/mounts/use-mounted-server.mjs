import assert from "node:assert/strict";

/**
 * Goes through what an application has where the agent's server is mounted beside it: its own page, refusal of a
 * stranger, a conversation with an upload and a turn, and deletion. Throws where something is missing.
 *
 * @param {string} origin such as `http://127.0.0.1:8080`
 * @param {string} token of the local user
 */
export async function useMountedServer(origin, token) {
  const ask = (/** @type {string} */ path, /** @type {RequestInit} */ init) =>
    fetch(`${origin}/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
  assert.equal(await (await fetch(origin)).text(), "the application's own page");
  assert.equal((await fetch(`${origin}/v1/agents`)).status, 401);
  const created = await ask("/conversations", { method: "POST", body: "{}" });
  assert.equal(created.status, 201);
  const path = `/conversations/${/** @type {{ id: string }} */ (await created.json()).id}`;
  const upload = await ask(`${path}/uploads/a.bin`, { method: "PUT", body: "x".repeat(300_000) });
  assert.equal(/** @type {{ size: number }} */ (await upload.json()).size, 300_000);
  const body = JSON.stringify({ message: { parts: [{ type: "text", text: "What can you do?" }] } });
  const turn = await ask(`${path}/turns`, { method: "POST", body });
  assert.match(await turn.text(), /^id: 0\ndata: \{"type":"start"[\s\S]*data: \[DONE\]\n\n$/);
  assert.equal((await ask(path, { method: "DELETE" })).status, 204);
}
