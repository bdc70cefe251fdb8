import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { offlinePlanner } from "../src/planner/offline-planner.js";
import { testAgent } from "./test-agent.js";

describe("the offline planner in the agent's own loop", () => {
  test("three requests with two new skills: two matches, one without", async () => {
    const [first, second] = [word(), word()];
    const skills = {
      [`${first}-tool`]: {
        "SKILL.md": skill(
          `${first}-tool`,
          `Handles ${first} and counts its lines.`,
          "wc -l < inputs/any.txt > out/count.txt",
        ),
      },
      [`maker-${word()}`]: {
        "SKILL.md": skill("", `Makes a ${second} out of nothing.`, "seq 3 > out/made.txt"),
      },
    };
    const agent = await testAgent({ model: offlinePlanner(), skills });

    await agent.upload("my file.txt", "a\nb\nc\n");
    const hit = await agent.chat(`Please handle this ${first} for me`);
    expect(called(hit)).toEqual(["skill_load", "skill_run"]);
    expect(hit.text).toContain("out/count.txt");
    expect(hit.text).toMatch(/^\s*3\s*$/m);
    expect(hit.artifacts.map(({ name }) => name)).toEqual(["out/count.txt"]);

    const other = await agent.chat(`I want a ${second} of 5`);
    expect(called(other)).toEqual(["skill_load", "skill_run"]);
    expect(other.text).toContain("1\n2\n3\n4\n5");

    const none = await agent.chat(`Tell me about ${word()}`);
    expect(called(none)).toEqual([]);
    expect(none.text).toMatch(/^No skill matches/);
    for (const name of Object.keys(skills)) expect(none.text).toContain(name);
  });

  test("for a skill without a command, shows its text and says that this needs a language model", async () => {
    const body = "# Style\n\nRead the text twice, then mark each cliché.\n\n## Details\n\nMore.";
    const skills = {
      "cliche-hunter": { "SKILL.md": `---\nname: cliche-hunter\ndescription: Hunts clichés.\n---\n${body}` },
    };
    const agent = await testAgent({ model: offlinePlanner(), skills });
    const { text } = await agent.chat("hunt the cliches in my text");
    expect(text).toContain("Read the text twice");
    expect(text).toMatch(/offline planner cannot use it[\s\S]*OPENAI_API_KEY/);
  });

  test("for a skill that needs a file but gets none, says how to provide one", async () => {
    const skills = { counter: { "SKILL.md": skill("counter", "Counts widgets.", "wc inputs/w.txt") } };
    const agent = await testAgent({ model: offlinePlanner(), skills });
    const result = await agent.chat("count my widgets");
    expect(called(result)).toEqual(["skill_load"]);
    expect(result.text).toMatch(/needs a file[\s\S]*inputs\/w\.txt[\s\S]*\/upload FILE/);
  });

  test("a failing command is reported with its exit code and last output", async () => {
    const skills = {
      failer: { "SKILL.md": skill("failer", "Fails always.", "echo 'bad header' >&2; exit 3") },
    };
    const agent = await testAgent({ model: offlinePlanner(), skills });
    const { text } = await agent.chat("run the failer");
    expect(text).toMatch(/exit code 3; 0 was expected[\s\S]*bad header[\s\S]*Check that the file/);
  });

  test("without any skill it says so", async () => {
    const agent = await testAgent({ model: offlinePlanner(), skills: {} });
    expect((await agent.chat("do something")).text).toContain("There are no skills");
  });
});

function word(): string {
  // Only letters, so that neither the stemmer nor a number rule applies.
  return [...randomBytes(9)].map((byte) => "bdfgklmnprtv"[byte % 12]).join("");
}

function skill(name: string, description: string, command: string): string {
  const line = name ? `name: ${name}\n` : "";
  return `---\n${line}description: ${description}\n---\n# Skill\n\n## Example\n\n\`\`\`bash\n${command}\n\`\`\`\n`;
}

function called({ events }: { events: readonly { type: string }[] }): string[] {
  return events.flatMap((event) =>
    event.type === "tool.call" ? [(event as unknown as { tool: string }).tool] : [],
  );
}
