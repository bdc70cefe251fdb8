import { describe, expect, test } from "vitest";
import { parseSkill, validateSkill } from "../../src/index.js";
import { codes, skillFile } from "./skill-case.js";

const read = (text: string) => parseSkill(text, { directoryName: "x" });
const judged = (text: string) => codes(validateSkill(text, { directoryName: "x" }), "error");

/** How long the call took, in milliseconds, and how much the heap grew at most, in MiB, garbage included. */
function cost(call: () => unknown): { ms: number; mib: number } {
  const heap = process.memoryUsage().heapUsed;
  const start = performance.now();
  call();
  return { ms: performance.now() - start, mib: (process.memoryUsage().heapUsed - heap) / 2 ** 20 };
}

describe("headers that attack their reader", () => {
  test.each(["js", "javascript", "json", "coffee", "toml"])(
    "YAML-01: a ---%s header is never evaluated",
    (language) => {
      const text = `---${language}\n{ name: (globalThis.PWNED = 1, "x"), description: "d" }\n---\n`;
      expect(judged(text)).toEqual(["frontmatter.missing"]);
      expect(read(text).skill).toBeUndefined();
      expect(Reflect.get(globalThis, "PWNED")).toBeUndefined();
    },
  );

  test("YAML-01: a body that begins with ---js is text", () => {
    const body = "---js\nglobalThis.PWNED = 1\n---";
    expect(read(skillFile("name: x\ndescription: d", body)).skill?.body).toBe(body);
    expect(Reflect.get(globalThis, "PWNED")).toBeUndefined();
  });

  test("YAML-03 and 19: an alias bomb is refused, quickly and in little memory", () => {
    const levels = ["b", "c", "d", "e", "f", "g", "h", "i", "j"];
    const bomb = levels.map((level, index) => {
      const below = `*${String.fromCharCode(97 + index)}`;
      return `${level}: &${level} [${Array(9).fill(below).join(",")}]`;
    });
    const text = skillFile(`a: &a ["x","x"]\n${bomb.join("\n")}\nname: x\ndescription: *g`);
    const { ms, mib } = cost(() => expect(read(text).skill).toBeUndefined());
    expect(ms).toBeLessThan(200);
    expect(mib).toBeLessThan(32);
    expect(judged(text)).toEqual(["yaml.resource-limit"]);
  });

  test("an alias to itself is refused", () => {
    expect(judged(skillFile("name: x\ndescription: d\nm: &m [*m]"))).toEqual(["yaml.resource-limit"]);
  });

  test("YAML-05 and 20: deep nesting is an error, never an overflow", () => {
    const block = skillFile(`name: x\nm: ${"- ".repeat(20_000)}x`);
    expect(judged(block)).toEqual(["yaml.invalid"]);
    expect(read(block).skill).toBeUndefined();
    const flow = skillFile(`name: x\ndescription: d\nm: ${"[".repeat(2000)}${"]".repeat(2000)}`);
    expect(judged(flow)).toEqual(["yaml.invalid"]);
    expect(read(flow)).toMatchObject({
      skill: { name: "x", description: "d" },
      diagnostics: [{ code: "yaml.repaired" }],
    });
  });

  test("YAML-07 and 38: __proto__ and constructor are fields like any other", () => {
    const { skill } = read(
      skillFile(
        "name: x\ndescription: d\n__proto__:\n  polluted: yes\nmetadata:\n  __proto__: {isAdmin: true}\n  constructor: {prototype: {x: 1}}",
      ),
    );
    const fields = skill?.frontmatter ?? {};
    expect(Object.keys(fields)).toEqual(["name", "description", "__proto__", "metadata"]);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
    expect(JSON.parse(JSON.stringify(fields["metadata"]))).toEqual(
      JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}'),
    );
    const copied: Record<string, unknown> = { ...structuredClone(fields), ...fields };
    expect(copied["name"]).toBe("x");
    for (const key of ["polluted", "isAdmin", "x"]) expect(Reflect.get({}, key), key).toBeUndefined();
  });

  test("YAML-07: the same in a header that has to be repaired", () => {
    const { skill } = read(skillFile("name: x\ndescription: a: b\n__proto__:\n  polluted: yes"));
    expect(skill?.description).toBe("a: b");
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test("YAML-09: wrong types name the fields", () => {
    const text = skillFile("name: 123\ndescription: [a, b]\nallowed-tools: {x: 1}");
    expect(judged(text)).toEqual([
      "allowed-tools.not-string",
      "description.not-string",
      "name.directory-mismatch",
    ]);
    expect(read(text).skill).toBeUndefined();
  });

  test("YAML-11: an unknown tag is an error, and what it tags is not taken for text", () => {
    const text = skillFile('name: x\ndescription: !!js/function "function(){}"');
    expect(judged(text)).toEqual(["yaml.invalid"]);
    expect(read(text).skill).toBeUndefined();
  });

  test("YAML-13: ten million characters without a closing line are refused at once", () => {
    const text = `---\n${"a".repeat(10_000_000)}`;
    expect(cost(() => expect(read(text).skill).toBeUndefined()).ms).toBeLessThan(1000);
    expect(judged(text)).toEqual(["frontmatter.unclosed"]);
  });

  test("a header above the limit is not parsed", () => {
    const text = skillFile(`name: x\ndescription: ${"a".repeat(256 * 1024)}`);
    expect(judged(text)).toEqual(["yaml.resource-limit"]);
  });

  test.each([
    ["parentheses", (length: number) => `allowed-tools: ${"(".repeat(length)}`],
    ["white space", (length: number) => `compatibility: a${" \t".repeat(length / 2)}b`],
    ["quotes in a broken value", (length: number) => `description: "a" ${"'\"".repeat(length / 2)}`],
    ["keys in a flow map", (length: number) => `m: {${"a, ".repeat(length / 3)}}`],
    ["explicit keys", (length: number) => "? a\n".repeat(length / 4)],
    ["anchors", (length: number) => `m: [${"&a x, ".repeat(length / 6)}]`],
    ["lines of dashes", (length: number) => `m: |\n${" ---\n".repeat(length / 5)}`],
  ])("a header full of %s is judged within a second", (_, filler) => {
    const text = skillFile(`name: x\n${filler(255 * 1024)}\ndescription: d`);
    const { ms } = cost(() => [judged(text), read(text)]);
    expect(ms).toBeLessThan(1000);
  });

  test.each([
    ["20,001 keys", (key: number) => `k${key}:`, 20_001],
    ["1,001 keys of which one is broken", (key: number) => `k${key}: ${key ? "" : "@"}`, 1001],
  ])("%s are too many", (_, line, count) => {
    const keys = Array.from({ length: count }, (_unused, key) => line(key));
    expect(judged(skillFile(keys.join("\n")))).toEqual(["yaml.resource-limit"]);
  });

  test("YAML-17: two readings of one text share nothing", () => {
    const text = skillFile("name: x\ndescription: d\nmetadata:\n  list: [1]");
    const metadata = read(text).skill?.frontmatter["metadata"];
    Object.assign(metadata as object, { list: "changed" });
    expect(read(text).skill?.frontmatter["metadata"]).toEqual({ list: [1] });
  });

  test("a broken header is as broken the second time", () => {
    const text = skillFile("{ name: x");
    expect(read(text)).toEqual(read(text));
    expect(read(text).diagnostics).toMatchObject([{ code: "yaml.invalid" }]);
  });
});
