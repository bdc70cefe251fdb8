/**
 * Variables that point git to another repository, write traces (which may contain credentials), or open a window to
 * prompt. Helpers that the user configured for git itself (GIT_ASKPASS, core.askPass, credential helpers) still work.
 */
const LEFT_OUT =
  /^(?:GIT_(?:DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|CONFIG|QUARANTINE_PATH|TEMPLATE_DIR|DEFAULT_HASH|ATTR_SOURCE|PROTOCOL_FROM_USER|CURL_VERBOSE|TRACE\w*)|SSH_ASKPASS|LANGUAGE)$/;

export interface EnvironmentOptions {
  readonly host: NodeJS.ProcessEnv;
  /** Transports that git may use, by git's names. */
  readonly protocols: readonly string[];
}

/** The user's own environment, so that git finds their settings and keys, without anything that prompts. */
export function gitEnvironment({ host, protocols }: EnvironmentOptions): Record<string, string> {
  const kept = Object.entries(host).filter(([name, value]) => value !== undefined && !LEFT_OUT.test(name));
  const already = host["GIT_ALLOW_PROTOCOL"]?.split(":");
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GCM_INTERACTIVE: "never",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: protocols.filter((name) => already?.includes(name) ?? true).join(":"),
  };
}

/**
 * The ssh command without prompts: the user's own (`GIT_SSH_COMMAND`, otherwise `core.sshCommand`) with BatchMode,
 * where it is OpenSSH. `undefined` leaves another program, such as one named by `GIT_SSH`, unchanged.
 */
export function sshCommand(host: NodeJS.ProcessEnv, configured: string): string | undefined {
  const own = host["GIT_SSH_COMMAND"] || configured;
  if (!own) return host["GIT_SSH"] ? undefined : "ssh -o BatchMode=yes";
  return SSH.test(own) ? `${own} -o BatchMode=yes` : undefined;
}

/** OpenSSH by its name, with a path, in quotes where that contains blanks. */
const SSH = /^(?:(['"])(?:.*[/\\])?ssh(?:\.exe)?\1|(?:\S*[/\\])?ssh(?:\.exe)?)(?:\s|$)/;

/** Set for every call: disables hooks, monitors, background maintenance and access to other repositories. */
export const FIXED_SETTINGS: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "protocol.ext.allow=never",
  "credential.interactive=false",
  "fetch.recurseSubmodules=false",
  "submodule.recurse=false",
  "transfer.bundleURI=false",
  "fetch.writeCommitGraph=false",
  // Stores one pack instead of loose files.
  "fetch.unpackLimit=1",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);
