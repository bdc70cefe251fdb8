import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SkillError, type WorkspaceRegistry } from "@skillwright/core";
import { recordRegistry } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import type { SandboxConfig } from "./agent-config.js";

/**
 * A file registry for the workspaces of a runtime without its own, one per container engine and application, so that a later
 * agent of this user finds and destroys the workspaces of a killed one.
 * @throws SkillError `CONFIG_INVALID` where its folder belongs to another user.
 */
export function defaultRegistry(
  { kind }: Pick<SandboxConfig, "kind">,
  namespace: string | undefined,
): WorkspaceRegistry {
  const engine = createHash("sha256")
    .update(process.env["DOCKER_HOST"] ?? "")
    .digest("hex")
    .slice(0, 12);
  const base = join(tmpdir(), `skillwright-${process.geteuid?.() ?? "user"}`);
  mkdirSync(base, { recursive: true, mode: 0o700 });
  const found = lstatSync(base);
  if (found.isDirectory() && (!process.geteuid || found.uid === process.geteuid()))
    return recordRegistry(
      fsRecords({ root: join(base, "registries", [kind, engine, namespace ?? "all"].join("-")) }),
    );
  throw new SkillError(
    "CONFIG_INVALID",
    `The workspaces cannot be registered in ${base}: it is not a directory of this user. Give the agent a registry.`,
  );
}
