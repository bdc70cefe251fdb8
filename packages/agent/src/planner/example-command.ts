import { searchTerms } from "./search-terms.js";
import { type SkillCommand, shellBlocks, writtenInline } from "./skill-commands.js";

/**
 * The example command of a skill: a shell block below a heading that contains Example, otherwise below one with Command
 * or Usage, otherwise any, otherwise the line after `Command:`. If there are several, the one whose words, including
 * the line it belongs to, match most words of the request; the first of equal ones. A command written inside a line of
 * text wins only if it matches more words. Without a file, a command that needs one loses against one that does not.
 */
export function exampleCommand(body: string, request: string, hasFiles = true): string | undefined {
  const sections = [
    sectionsTitled(body, /\bexamples?\b/i),
    sectionsTitled(body, /\b(commands?|usage|run)\b/i),
  ];
  const blocks = [...sections, body].map(shellBlocks).find((found) => found.length > 0) ?? [];
  const wanted = new Set(searchTerms(request));
  const usable = ({ code }: SkillCommand) => hasFiles || !code.includes("inputs/");
  const block = best(blocks.filter(usable), wanted) ?? best(blocks, wanted);
  const inline = best(writtenInline(body).filter(usable), wanted);
  if (inline && meets(inline, wanted) > (block && usable(block) ? meets(block, wanted) : 0))
    return inline.code;
  return block?.code ?? /^\s*Command:\s*\n+\s*(\S[^\n]*)/m.exec(body)?.[1]?.trim();
}

function best(commands: readonly SkillCommand[], wanted: ReadonlySet<string>): SkillCommand | undefined {
  return commands.toSorted((one, other) => meets(other, wanted) - meets(one, wanted))[0];
}

function meets({ code, lead }: SkillCommand, wanted: ReadonlySet<string>): number {
  return new Set(searchTerms(`${lead} ${code}`).filter((term) => wanted.has(term))).size;
}

function sectionsTitled(body: string, title: RegExp): string {
  const kept: string[] = [];
  let depth = 0;
  let fenced = false;
  for (const line of body.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    const heading = fenced ? null : /^(#{1,6})\s+(.*)$/.exec(line);
    const level = heading?.[1]?.length ?? 0;
    if (heading && (depth === 0 || level <= depth)) depth = title.test(heading[2] ?? "") ? level : 0;
    if (depth > 0) kept.push(line);
  }
  return kept.join("\n");
}
