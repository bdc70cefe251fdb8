import { built } from "../built.mjs";
import { seededRandom } from "../format/random.mjs";

const EDITS = 100_000;

/** Changes one field of generated headers. The changed field is parsed as it was given, and every other line stays the same. */
export async function soak({ seed, share }) {
  const { editSkill, parseSkill } = await built("core");
  const { chance, pick } = seededRandom(seed);
  const edits = Math.round(EDITS * share);
  let refused = 0;
  for (let edit = 0; edit < edits; edit++) {
    const end = pick(["\n", "\r\n", "\r"]);
    const others = shuffled(OTHERS, pick).filter(() => chance(0.4));
    const place = pick([...others.keys(), others.length]);
    const old = pick(DESCRIPTIONS);
    const lines = [...others.slice(0, place), old, ...others.slice(place)].join("\n");
    const description = text(pick, chance);
    const before = `---\nname: d\n${lines}\n---\nbody\n`.replaceAll("\n", end);
    let after;
    try {
      after = Buffer.from(editSkill(before, { description }, { directoryName: "d" }).content).toString();
    } catch (/** @type {any} */ error) {
      if (error.code !== "INPUT_INVALID") throw error;
      refused++;
      continue;
    }
    const fault = faultOf({ before, after, old: old.replaceAll("\n", end), description, parseSkill });
    if (fault) throw new Error(`edit ${edit}: ${fault}\n${JSON.stringify({ before, after })}`);
  }
  if (refused > edits / 4) throw new Error(`${refused} of ${edits} edits were refused`);
  return `${edits} headers edited, ${refused} refused, nothing else changed in any`;
}

function faultOf({ before, after, old, description, parseSkill }) {
  const at = before.indexOf(old);
  const [head, tail] = [before.slice(0, at), before.slice(at + old.length)];
  if (!after.startsWith(head) || !after.endsWith(tail)) return "bytes around the description changed";
  const [was, is] = [before, after].map((file) => parseSkill(file, { directoryName: "d" }).skill);
  if (is?.description !== description) return "the description is read as another one";
  const rest = ({ description: _, ...others }) => JSON.stringify(others);
  if (rest(is.frontmatter) !== rest(was.frontmatter)) return "another field is read otherwise";
  if (rest(is.fields) !== rest(was.fields)) return "another typed field is read otherwise";
  if (/# kept/.test(old) && !/# kept/.test(after.slice(head.length, after.length - tail.length)))
    return "the comment behind the description is lost";
  return undefined;
}

const DESCRIPTIONS = [
  "description: plain text",
  "description: plain text # kept",
  'description: "quoted: text"   # kept',
  "description: 'it''s'",
  "description: |\n  one\n  # two\n\n  three",
  "description: >-\n  one\n  two",
  "description: over\n  two lines",
  "description:\n  below",
  "description:   |+ \n  one\n",
  "description: Use when: it does not parse",
  "description: | # inside\n  one",
  "description: !!str 12",
];
const OTHERS = [
  "# a comment",
  "",
  " # further in",
  "license: [MIT]",
  "license-2: MIT # why",
  "compatibility:\n  - Node\n  # and\n  - Python",
  "version: 1.10",
  "number: 12345678901234567890",
  "triggers:\n- type: keyword\n  keywords: [a, 'b']",
  'metadata: {"openclaw": {"requires": {"bins": ["jq"]}}}',
  "allowed-tools:\n  - Read\n  - Bash(git:*)",
  "1.0: one",
  "~: none",
  "date: 2024-01-01",
  "anchor: &a {x: 1}\nalias: *a",
  "block: |\n  description: no\n\n  # text\n",
  '"quoted key": 1',
  "? explicit\n: value",
  "flow: {a: 1,\n  b: [2, 3]}",
  "unicode: \u2028x",
];

function text(pick, chance) {
  const words = [
    "Use when:",
    "#",
    "a",
    '"',
    "'",
    "\\",
    "技能",
    "- x",
    "{",
    "---",
    "1.10",
    "true",
    "$&",
    ": ",
  ];
  const chosen = [pick(words)];
  while (chance(0.8)) chosen.push(pick(words));
  return chosen.join(" ").replace(/\s+/g, " ").trim();
}

function shuffled(list, pick) {
  const left = [...list];
  return list.map(() => left.splice(pick([...left.keys()]), 1)[0]);
}
