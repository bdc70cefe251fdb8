import { cpSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { root } from "../../scripts/bootstrap/root.mjs";
import { runCommand } from "../../scripts/run-command.mjs";

/** Creates a checkout with the files that git would commit here, as its first commit. Nothing is built or installed. */
export async function copyOfCheckout(destination) {
  const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await runCommand("git", listing, { cwd: root });
  for (const file of new Set(stdout.split("\0").filter(Boolean))) {
    mkdirSync(dirname(`${destination}/${file}`), { recursive: true });
    cpSync(`${root}/${file}`, `${destination}/${file}`, { verbatimSymlinks: true });
  }
  await runCommand("git", ["init", "--quiet", "--initial-branch=main"], { cwd: destination });
  await commit(destination, "State before the release");
}

/** Commits everything with an author that needs no user configuration. */
export async function commit(directory, message) {
  const identity = ["-c", "user.name=release rehearsal", "-c", "user.email=rehearsal@example.invalid"];
  await runCommand("git", ["add", "--all"], { cwd: directory });
  await runCommand("git", [...identity, "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", message], {
    cwd: directory,
  });
}
