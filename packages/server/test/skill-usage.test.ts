import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { ask, newConversation, say, scripted, testServer } from "./test-server.js";

if (hasAll("bubblewrap"))
  test("WEB-08: the use of each skill is counted, with failures, time and tokens", async () => {
    const run = (command: string) => ({ calls: [{ tool: "skill_run", input: { skill: "shout", command } }] });
    const load = { calls: [{ tool: "skill_load", input: { skill: "shout" } }] };
    const server = testServer(
      scripted([load, run("true"), run("exit 3"), { text: "Done." }, { text: "Gladly." }]),
    );
    const id = await newConversation(server);
    await (await say(server, id, "Shout")).text();
    await (await say(server, id, "Thank you")).text();
    const [used] = (await (await ask(server, "/usage/skills")).json()) as { durationMs: number }[];
    expect(used).toMatchObject({ skill: "shout", offered: 2, loaded: 1, run: 2, failed: 1, tokens: 45 });
    expect(used?.durationMs).toBeGreaterThan(0);
    expect(await (await ask(server, "/usage/skills", { user: "bob" })).json()).toEqual([]);
  });
