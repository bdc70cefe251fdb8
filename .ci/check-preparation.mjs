/** Checks that `npm test` installs and builds in a fresh clone. Afterwards everything is ready for the parallel stages. */
import { root } from "../scripts/bootstrap/root.mjs";
import { checks } from "../scripts/checks.mjs";
import { runCommand } from "../scripts/run-command.mjs";

const { check, close } = checks();
await check("npm test finds or makes everything that it needs", () =>
  runCommand("npm", ["test", "--", "--project=shared", "test/repository/bootstrap.test.ts"], {
    cwd: root,
    show: true,
  }),
);
close();
