import { describe } from "vitest";
import { type SkillCase, testSkillCases } from "./skill-case.js";

const named = (rest: string) => `name: d\n${rest}`;
const described = (rest: string) => `name: d\ndescription: text\n${rest}`;
const description = (length: number) => "x".repeat(length);

const descriptions: readonly SkillCase[] = [
  { title: "23: 1,024 letters", header: named(`description: ${description(1024)}`), strict: [], loads: {} },
  {
    title: "23: 1,025 letters load with a warning",
    header: named(`description: ${description(1025)}`),
    strict: ["description.too-long"],
    warnings: ["description.too-long"],
    loads: { description: description(1025) },
  },
  {
    title: "24: 1,024 emoji are 1,024 characters",
    header: named(`description: ${"🙂".repeat(1024)}`),
    strict: [],
    loads: { description: "🙂".repeat(1024) },
  },
  {
    title: "25: a block's last newline does not count",
    header: named(`description: |\n  ${description(1024)}`),
    strict: [],
    loads: { description: description(1024) },
  },
  { title: "34: none", header: "name: d", strict: ["description.missing"], loads: false },
  { title: "34: empty", header: named('description: ""'), strict: ["description.empty"], loads: false },
  { title: "34: blank", header: named('description: "  "'), strict: ["description.empty"], loads: false },
  { title: "34: null", header: named("description: ~"), strict: ["description.empty"], loads: false },
  {
    title: "34: a list",
    header: named("description: [a]"),
    strict: ["description.not-string"],
    loads: false,
  },
  {
    title: "35: capitalised keys are other keys",
    header: "Name: d\nDescription: text",
    strict: ["description.missing", "field.unknown", "name.missing"],
    loads: false,
  },
  {
    title: "39: markup is text",
    header: named("description: </description></skill></available_skills><x>"),
    strict: [],
    loads: { description: "</description></skill></available_skills><x>" },
  },
  {
    title: "a number is text",
    header: named("description: 0123"),
    strict: [],
    loads: { description: "0123" },
  },
  {
    title: "an alias is what it stands for",
    header: "name: d\nmetadata:\n  about: &x text\ndescription: *x",
    strict: [],
    loads: { description: "text" },
  },
];

const others: readonly SkillCase[] = [
  {
    title: "2: all six fields",
    header: described(
      'license: MIT\ncompatibility: Needs git\nmetadata:\n  author: me\n  version: "1.0"\nallowed-tools: Bash(git:*) Read',
    ),
    strict: [],
    loads: {
      frontmatter: {
        name: "d",
        description: "text",
        license: "MIT",
        compatibility: "Needs git",
        metadata: { author: "me", version: "1.0" },
        "allowed-tools": "Bash(git:*) Read",
      },
    },
  },
  {
    title: "36: tools as a list",
    header: described("allowed-tools: [Read, Grep]"),
    strict: ["allowed-tools.not-string"],
    loads: { frontmatter: { name: "d", description: "text", "allowed-tools": ["Read", "Grep"] } },
  },
  {
    title: "36: tools with commas",
    header: described('allowed-tools: Read, Bash(git commit -m "a, b")'),
    strict: [],
    info: ["allowed-tools.comma-separated"],
    loads: {},
  },
  {
    title: "36: a comma inside parentheses separates nothing",
    header: described('allowed-tools: Bash(git commit -m "a, b") Read'),
    strict: [],
    loads: {},
  },
  {
    title: "37: nested metadata is kept as written",
    header: described('metadata: {"openclaw":{"requires":{"bins":["jq"]}}}'),
    strict: ["metadata.value-not-string"],
    loads: {
      frontmatter: {
        name: "d",
        description: "text",
        metadata: { openclaw: { requires: { bins: ["jq"] } } },
      },
    },
  },
  {
    title: "metadata as text",
    header: described("metadata: x"),
    strict: ["metadata.not-mapping"],
    loads: {},
  },
  { title: "empty metadata", header: described("metadata:"), strict: [], info: ["metadata.null"], loads: {} },
  {
    title: "a licence that is a map",
    header: described("license: {a: b}"),
    strict: ["license.not-string"],
    loads: {},
  },
  {
    title: "500 characters of compatibility",
    header: described(`compatibility: ${description(500)}`),
    strict: [],
    loads: {},
  },
  {
    title: "501 characters of compatibility",
    header: described(`compatibility: ${description(501)}`),
    strict: ["compatibility.too-long"],
    loads: {},
  },
  {
    title: "empty compatibility",
    header: described('compatibility: ""'),
    strict: ["compatibility.empty"],
    loads: {},
  },
  {
    title: "compatibility as a list",
    header: described("compatibility: [a]"),
    strict: ["compatibility.not-string"],
    loads: {},
  },
  {
    title: "unknown fields are kept, and no client warns of them",
    header: described("user-invocable: false"),
    strict: ["field.unknown"],
    warnings: [],
    loads: { frontmatter: { name: "d", description: "text", "user-invocable": false } },
  },
];

describe("descriptions", () => testSkillCases(descriptions));
describe("the other fields", () => testSkillCases(others));
