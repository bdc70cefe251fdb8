import { format, inspect } from "node:util";
import { expect, test } from "vitest";
import { Secret } from "../src/index.js";

const value = "sk-very-private-0123";
const secret = new Secret(value);

test.each<[route: string, printed: () => unknown, shown: string]>([
  ["String()", () => String(secret), "***"],
  ["a template", () => `key=${secret}`, "key=***"],
  // biome-ignore lint/style/useTemplate: adding is another route than a template
  ["adding", () => "key=" + secret, "key=***"],
  ["joining", () => [secret, secret].join(), "***,***"],
  ["JSON", () => JSON.stringify({ secret, list: [secret] }), '{"secret":"***","list":["***"]}'],
  ["inspect", () => inspect(secret), "***"],
  [
    "inspect, nested and with hidden fields",
    () => inspect({ a: [secret] }, { showHidden: true }),
    "{ a: [ ***, [length]: 1 ] }",
  ],
  ["console.log's format", () => format("%s %o %j", secret, secret, secret), '*** *** "***"'],
])("prints *** by %s", (_, printed, shown) => {
  expect(printed()).toBe(shown);
});

test.each<[route: string, leaked: () => unknown]>([
  ["its fields", () => JSON.stringify([Reflect.ownKeys(secret), { ...secret }, Object.entries(secret)])],
  [
    "inspect without its own way of printing",
    () => inspect(secret, { customInspect: false, showHidden: true }),
  ],
  ["a clone", () => inspect(structuredClone(secret), { customInspect: false })],
  ["the message of an error", () => new Error(`bad key ${secret}`).stack],
])("is not revealed by %s", (_, leaked) => {
  expect(leaked()).toEqual(expect.any(String));
  expect(leaked()).not.toContain(value);
});

test("returns its value only when asked for it by name", () => {
  expect(secret.reveal()).toBe(value);
});
