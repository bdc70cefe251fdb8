import { expect, test } from "vitest";
import { parseSkill, validateSkill } from "../../src/index.js";
import { skillFile } from "./skill-case.js";

const described = (rest: string) => skillFile(`name: d\ndescription: text\n${rest}`);
const unknown = (text: string) =>
  validateSkill(text, { directoryName: "d" })
    .filter(({ code }) => code === "field.unknown")
    .map(({ message, line }) => [message, line]);

test.each(["1.0", "12", "-1", ".5", "0x10", "1e3", ".inf", "~", "null", "True", "false", "2024-01-01"])(
  "the key %s, which YAML may not treat as text, is reported as an unknown field under the name as written",
  (key) => {
    const text = described(`${key}: a`);
    expect(unknown(text)).toEqual([[`The field "${key}" is not in the standard.`, 4]]);
    const { skill } = parseSkill(text, { directoryName: "d" });
    expect(skill?.frontmatter).toEqual({ name: "d", description: "text", [key]: "a" });
  },
);

test("a number before the same text in quotes is another key as well", () => {
  const { skill } = parseSkill(described("1.0: b\n'1.0': a"), { directoryName: "d" });
  expect(skill?.frontmatter).toMatchObject({ "1.0": "a", "1": "b" });
});

test("a quoted number and the number are two keys", () => {
  expect(unknown(described('"1.0": a\n1: b')).map(([message]) => message)).toEqual([
    'The field "1.0" is not in the standard.',
    'The field "1" is not in the standard.',
  ]);
});

test("an empty key and one that is an alias are reported", () => {
  expect(unknown(described(": a"))).toEqual([['The field "" is not in the standard.', 4]]);
  expect(unknown(described("license: &key extra\n*key : a")).map(([message]) => message)).toEqual([
    'The field "extra" is not in the standard.',
  ]);
});

test("an empty key without a value is reported at a position in the file", () => {
  const [found] = validateSkill(described(":"), { directoryName: "d" });
  expect(found).toMatchObject({ code: "field.unknown", column: 1 });
});

test("a key that is a number keeps its own value where the header has to be repaired", () => {
  const { skill } = parseSkill(described("license: a: b\n1.0: c"), { directoryName: "d" });
  expect(skill?.frontmatter).toMatchObject({ license: "a: b", "1.0": "c" });
});
