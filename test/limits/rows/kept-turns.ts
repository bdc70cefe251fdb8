import { expect, vi } from "vitest";
import { SkillError } from "../../../packages/core/src/index.js";
import { recordRegistry, type Turns } from "../../../packages/records/src/index.js";
import { memoryArtifacts, memoryRecords } from "../../../packages/repository-memory/src/index.js";
import { localRuntime } from "../../../packages/runtime-local/src/index.js";
import { openAgents } from "../../../packages/server/src/parts/open-agents.js";
import { turnStream } from "../../../packages/server/src/turns/turn-stream.js";
import { skillBox } from "../../../packages/skillbox/src/index.js";

/** Whether a conversation's agent is still open after so many agents were used, counting itself. */
export async function isOpenAfter(used: number): Promise<boolean> {
  const skills = skillBox({});
  const runtime = localRuntime();
  const agents = openAgents(
    { agents: { assistant: { modelConfig: { provider: "offline", model: "offline planner" } } } },
    {
      ...{ skills, runtime, records: memoryRecords() },
      ...{ registry: recordRegistry(memoryRecords()), artifacts: memoryArtifacts() },
    },
    () => undefined,
  );
  const of = (session: string) =>
    agents.use({ app: "limits", user: "ada", session }, "assistant", async (agent) => agent);
  try {
    const first = await of("first");
    for (let n = 1; n < used; n++) await of(`other ${n}`);
    return (await of("first")) === first;
  } finally {
    await agents.close({ except: [] });
    await runtime.close();
    await skills.close();
  }
}

/** Expects that readers of a turn whose store is away are told after that time, in milliseconds. */
export async function failsAfter(value: number): Promise<void> {
  let nowMs = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  try {
    const reader = failingStream().getReader();
    await reader.read();
    nowMs = value;
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(": keep-alive\n\n");
    nowMs = value + 1;
    // The stream reads ahead.
    await expect(reader.read().then(() => reader.read())).rejects.toThrow("away");
  } finally {
    clock.mockRestore();
  }
}

function failingStream(): ReadableStream<Uint8Array> {
  const away = () => Promise.reject(new SkillError("BACKEND_FAILED", "The store is away."));
  const turns = { next: away, get: away } as unknown as Turns;
  const key = { scope: { app: "limits", user: "ada", session: "s" }, turn: "t" };
  const { signal: closing } = new AbortController();
  return turnStream(turns, key, {
    ...{ log: "events", from: 0, keepAliveMs: 10_000, closing },
    waits: async () => false,
  });
}
