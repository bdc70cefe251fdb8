import { PgBoss } from "pg-boss";
import { expect, test } from "vitest";
import { pgBossTurns } from "../../src/pg-boss.js";

test("an instance of pg-boss fits, without a change of its type", () => {
  const boss = new PgBoss({ connectionString: "postgres://nobody@127.0.0.1:1/none" });
  expect(pgBossTurns({ boss }).add).toBeTypeOf("function");
});
