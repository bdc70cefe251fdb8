import { SkillError, type WorkspaceRun } from "@skillwright/core";

/**
 * Variables that change which programs the names in a command mean, or start programs; refused in addition to those
 * that core refuses for every run.
 */
const STEERING = new RegExp(
  `^(${[
    "PATH|HOME|SHELL|EXECIGNORE|GLOBIGNORE|POSIXLY_CORRECT|XDG_CONFIG_(HOME|DIRS)",
    ".*EDITOR|VISUAL|.*PAGER|BROWSER|LESSOPEN|LESSCLOSE|.*_ASKPASS",
    "GIT_.*|RSYNC_RSH|CVS_RSH|TAR_OPTIONS|MAKEFLAGS|MAKEFILES|GREP_OPTIONS|AWKPATH|AWKLIBPATH|PERL5DB|RUBYLIB",
  ].join("|")})$`,
);

/** True for a variable that a call may not set where there is a policy. */
export function steersPrograms(name: string): boolean {
  return STEERING.test(name);
}

/**
 * Ensures that the names in a command mean what the policy resolved them to.
 * @throws SkillError `REFUSED` naming the first variable of the call that could change this.
 */
export function checkPolicyEnvironment(env: WorkspaceRun["env"] = {}): void {
  const name = Object.keys(env).find(steersPrograms);
  if (name === undefined) return;
  throw new SkillError(
    "REFUSED",
    `The variable "${name}" cannot be set here, because it could make the command run programs that were not ` +
      "checked. Leave it out of env.",
    { details: { retry: true, variable: name } },
  );
}
