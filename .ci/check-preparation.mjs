/** In a fresh clone `npm test` alone installs and builds. Then everything is ready for what runs at the same time later. */
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
