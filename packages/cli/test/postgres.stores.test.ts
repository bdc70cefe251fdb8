import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type PostgresServer, startPostgres } from "../../repository-sql/test/databases/postgres-server.js";
import { cliFixture, skill } from "./cli-fixture.js";
import { testDatabase } from "./databases.js";

if (hasAll("a PostgreSQL server"))
  describe("in PostgreSQL", () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(async () => await server.stop());

    // A database of its own, because a lock file takes no address with a query, such as one that names a schema.
    let made = 0;
    testDatabase(async () => {
      const name = `cli_${++made}`;
      await server.pool(server.url).query(`CREATE DATABASE ${name}`);
      return server.url.replace(/[^/]*$/, name);
    });

    test("a password is in no output, whether the server can be reached or not (STORE-25)", async () => {
      const { cli, write } = await cliFixture({
        "project/pdf/SKILL.md": skill("pdf", "Reads PDF files for you."),
      });
      const away = "postgres://ada:geheim@127.0.0.1:1/none";
      const here = (await server.emptyPlace()).replace("test@", "test:geheim@");
      const home = JSON.stringify({ skills: { repositories: { away, here } } });
      await write({ "home/.skillwright/skillwright.config.json": home });
      const outcomes = [
        await cli(["publish", "./pdf", "--to", away]),
        await cli(["publish", "./pdf", "--to", here]),
        await cli(["list"]),
        await cli(["list", "--json"]),
        await cli(["inspect", "pdf", "--json"]),
        await cli(["doctor", "--json"]),
        await cli(["rollback", "gone", "--at", here]),
        await cli(["lock", here]),
      ];
      expect(outcomes[0]).toMatchObject({ code: 1, err: expect.stringContaining("BACKEND_FAILED") });
      expect(outcomes[1]).toMatchObject({ code: 0 });
      expect(outcomes[2]?.out).toContain("pdf");
      expect(outcomes.at(-1)).toMatchObject({ code: 1, err: expect.stringContaining("credentials") });
      expect(JSON.stringify(outcomes)).not.toContain("geheim");
    });
  });
