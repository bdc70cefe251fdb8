import { type CallOptions, containedPath, SkillError } from "@skillwright/core";
import { abortable, SKILL_LINKS, type StagedSkill, taskQueue } from "@skillwright/core/adapter";
import { fileError } from "../files/file-error.js";
import { type FileSession, sendFile } from "../files/file-session.js";
import type { FileSessions } from "../files/file-sessions.js";
import { aside } from "../files/workspace-files.js";
import type { PodRecord } from "../workspace/pod-record.js";
import { directoryFiles } from "./directory-files.js";

export interface WorkspaceSkills {
  stage(skill: StagedSkill, options: CallOptions): Promise<void>;
  unstage(name: string, options: CallOptions): Promise<void>;
}

/** Answers that may be outstanding while files are sent. */
const IN_FLIGHT = 512;

/** The staged skills of one workspace; changes within one process are one after the other. */
export function workspaceSkills(sessions: FileSessions, record: PodRecord): WorkspaceSkills {
  const turns = taskQueue();

  async function stage(skill: StagedSkill, options: CallOptions): Promise<void> {
    const { name, digest } = skill;
    checkSkillName(name);
    const known = await record.staged(options);
    if (known.get(name) === digest) return;
    const sent = async (session: FileSession, token: string) => {
      const made = new Set<string>();
      const waiting: string[] = [];
      const settle = async () => {
        const path = waiting.shift() ?? "";
        await session.answer().catch((error: unknown) => {
          throw fileError(error, path, "Staging");
        });
      };
      const files = skill.directory === undefined ? skill.files() : directoryFiles(name, skill.directory);
      for await (const { path, ...file } of abortable(files, options.signal)) {
        made.add(containedPath(path));
        await sendFile(session, token, `new/${path}`, file, options);
        if (waiting.push(path) >= IN_FLIGHT) while (waiting.length > IN_FLIGHT / 2) await settle();
      }
      for (const [link, target] of Object.entries(SKILL_LINKS)) {
        if (made.has(link) || [...made].some((path) => path.startsWith(`${link}/`))) continue;
        await session.send("L", token, `new/${link}`, target);
        waiting.push(link);
      }
      while (waiting.length > 0) await settle();
      // Another process never finds a digest whose files are not there.
      if (known.has(name)) await record.stage(name, undefined, options);
      await session.ask("S", token, "new", name);
    };
    await aside(sessions, options, sent, () => record.stage(name, digest, options));
  }

  async function unstage(name: string, options: CallOptions): Promise<void> {
    checkSkillName(name);
    if (!(await record.staged(options)).has(name)) return;
    await record.stage(name, undefined, options);
    await sessions.use(async (session) => void (await session.ask("X", name)), options);
  }

  return {
    stage: (skill, options) => turns.run(() => stage(skill, options), options.signal),
    unstage: (name, options) => turns.run(() => unstage(name, options), options.signal),
  };
}

/** @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`. */
function checkSkillName(name: string): void {
  if (!containedPath(name).includes("/") && !name.startsWith(".")) return;
  throw new SkillError(
    "PATH_INVALID",
    `${JSON.stringify(name.slice(0, 80))} cannot be the directory of a skill. Use a single name that does not begin with a dot.`,
    { details: { skill: name.slice(0, 80) } },
  );
}
