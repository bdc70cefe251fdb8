import { seededRandom } from "./random.mjs";
import { markdownBody, words } from "./synthetic-text.mjs";

/**
 * Generates skills with realistic sizes and irregularities: log-normal lengths, header styles and faults by how often
 * they occur in public repositories. SKILL.md only; the same in every run.
 *
 * @returns `{ folder, file, content, expected }` each; `expected` is the description, or `null` where none can be read
 */
export function syntheticSkills(count) {
  const random = seededRandom(3);
  return Array.from({ length: count }, (_, index) => syntheticSkill(random, index));
}

function syntheticSkill(random, index) {
  const name = skillName(random, index);
  const folder = random.chance(0.1) ? `folder-${index}` : name;
  const description = skillDescription(random);
  const body = markdownBody(random, random.logNormal(8.32, 1.08, 0, 300_000));
  const fault = random.shared([
    ["no header", 0.02],
    ["unclosed", 0.0005],
    ["unquoted colon", 0.01],
    ["none", 1],
  ]);
  const { written, text } =
    fault === "unquoted colon"
      ? { written: ` Use: ${description}`, text: `Use: ${description}` }
      : { written: writtenDescription(random, description), text: description };
  const header = [`name: ${name}`, `description:${written}`, ...optionalFields(random)].join("\n");
  const lines = {
    "no header": body,
    unclosed: `---\n${header}\n\n${body.replaceAll("---", "***")}`,
  };
  const content = lines[fault] ?? `---\n${header}\n---\n\n${body}\n`;
  return {
    folder,
    file: "SKILL.md",
    content: encoded(random, content),
    expected: fault in lines ? null : text,
  };
}

function skillName(random, index) {
  const length = random.logNormal(2.67, 0.52, 1, 50);
  const name = `${words(random, length).replaceAll(" ", "-")}-${index}`;
  if (!random.chance(0.03)) return name;
  return random.pick([name.replaceAll("-", " "), name.toUpperCase(), name.replaceAll("-", "_")]);
}

function skillDescription(random) {
  const length = random.chance(0.001) ? 1500 : random.logNormal(5.21, 0.75, 7, 1000);
  const script = random.shared([
    ["chinese", 0.075],
    ["accented", 0.075],
    ["english", 1],
  ]);
  return words(random, length, script);
}

/** The styles of `description:` and their frequency in real files. */
function writtenDescription(random, text) {
  const write = random.shared([
    [plain, 0.63],
    [doubleQuoted, 0.23],
    [folded, 0.047],
    [singleQuoted, 0.042],
    [literal, 0.03],
    [wrapped, 1],
  ]);
  return write(text);
}

const plain = (text) => ` ${text}`;
const doubleQuoted = (text) => ` "${text}"`;
const singleQuoted = (text) => ` '${text}'`;
const folded = (text) => ` >\n  ${broken(text)}`;
const literal = (text) => ` |\n  ${broken(text)}`;
const wrapped = (text) => ` ${broken(text)}`;
const broken = (text) => text.replace(/(.{60}\S*) /g, "$1\n  ");

function optionalFields(random) {
  const fields = [];
  if (random.chance(0.095)) fields.push("license: MIT");
  if (random.chance(0.4)) fields.push(random.pick(["version: 1.2.0", "origin: community", "tags: [a, b]"]));
  if (random.chance(0.246)) fields.push(`metadata:\n  author: ${words(random, 8)}\n  version: "1.0"`);
  else if (random.chance(0.14))
    fields.push("metadata:\n  tool:\n    emoji: x\n    requires: { bins: [git, jq] }");
  if (random.chance(0.033)) fields.push("allowed-tools: Read Write Bash(git:*)");
  return fields;
}

function encoded(random, content) {
  const ends = random.chance(0.014) ? content.replaceAll("\n", "\r\n") : content;
  return random.chance(0.002) ? `\ufeff${ends}` : ends;
}
