import type { SkillCatalog, SkillTool, ToolContext, ToolResult } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";

export const session = { app: "test", user: "ann", session: "s1" };

/** A context of that session with nothing loaded by default. */
export function callContext(more: Partial<ToolContext> = {}): ToolContext {
  return { session, state: {}, ...more };
}

/** SKILL.md of that name, further header lines, and a body. */
export function skillFile(name: string, header = "", body = `Instructions of ${name}.`): string {
  return `---\nname: ${name}\ndescription: Does ${name} things.\n${header}---\n${body}\n`;
}

export const greeter = {
  "SKILL.md": skillFile("greeter", "", "Run `sh scripts/greet.sh inputs/name.txt > out/greeting.txt`."),
  "USAGE.md": "How to greet.",
  "notes.TXT": "Some notes.",
  "docs/Guide.MD": "The guide.",
  "scripts/greet.sh": 'printf "Hello, %s\\n" "$(cat "$1")"\n',
};

/** `greeter`, `counter`, and `manual`, which only people may start. */
export function exampleCatalog(): SkillCatalog {
  return skillBox({
    own: memoryRepository({
      skills: {
        greeter,
        counter: { "SKILL.md": skillFile("counter") },
        manual: { "SKILL.md": skillFile("manual", "disable-model-invocation: true\n") },
        broken: { "SKILL.md": "no header" },
      },
    }),
  });
}

/** Calls of the tools by name. */
export function caller(tools: readonly SkillTool[]) {
  return (name: string, input: unknown, context: ToolContext = callContext()): Promise<ToolResult> => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return tool.execute(input, context);
  };
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly retry: boolean;
}

/** The refusal in the result; the test fails where there is none. */
export function refusalOf(result: ToolResult): Refusal {
  const { error } = result.output as { error?: Refusal };
  if (!result.isError || !error) throw new Error(`No refusal: ${JSON.stringify(result.output)}`);
  return error;
}
