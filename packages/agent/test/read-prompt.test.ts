import { injector } from "@skillwright/injector";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { expect, test } from "vitest";
import { readPrompt } from "../src/planner/read-prompt.js";

test.each(["xml", "markdown"] as const)(
  "the planner reads descriptions of trusted and untrusted sources, as %s",
  async (format) => {
    const file = (name: string) => ({
      "SKILL.md": `---\nname: ${name}\ndescription: Does ${name}, with \`sh\`.\n---\nGo.\n`,
    });
    await using box = skillBox({
      own: memoryRepository({ skills: { own: file("own") } }),
      project: { repository: memoryRepository({ skills: { foreign: file("foreign") } }), trusted: false },
    });
    const { text } = injector({ format }).overview({ snapshot: await box.snapshot() });
    const { skills } = readPrompt([
      { role: "system", content: text },
      { role: "user", content: [{ type: "text", text: "Go" }] },
    ]);
    expect(skills).toEqual(
      expect.arrayContaining([
        { name: "own", description: "Does own, with `sh`." },
        { name: "foreign", description: "Does foreign, with `sh`." },
      ]),
    );
  },
);
