import { containedPath, type Diagnostic, isContainedPath, SKILL_LIMITS, SkillError } from "@skillwright/core";
import {
  type ArchiveEntry,
  leftOutFolder,
  pathClaims,
  pathSpellings,
  repositoryDiagnostic,
  type UploadLimits,
  uploadRules,
} from "@skillwright/core/adapter";
import { entryPath } from "./entry-path.js";
import { entryRefusal, formRefusal, type Refusal } from "./entry-refusal.js";
import { leftOutReason } from "./left-out.js";

const MAX_LEFT_ENTRIES = 50_000;

/** What to do with an entry. */
export type ArchiveVerdict =
  | {
      readonly verdict: "take";
      /** Contained path in Unicode form NFC. */
      readonly path: string;
      readonly executable: boolean;
      readonly diagnostics: readonly Diagnostic[];
    }
  /** The entry is a directory, or not a file that belongs to a skill. */
  | { readonly verdict: "leave"; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly verdict: "refuse";
      /** Id of the rule, such as `archive.link`. Stable between releases. */
      readonly rule: string;
      /** `SKILL_INVALID`, `PATH_OUTSIDE`, `PATH_INVALID` or `LIMIT_EXCEEDED`. */
      readonly error: SkillError;
    };

/** The rules for one archive. The caller passes each entry in archive order, before anything is written. */
export interface ArchiveRules {
  /**
   * Never throws. After a `refuse` the caller may continue: later verdicts are the same as if the refused entry had not
   * been there, unless a limit was reached.
   */
  judge(entry: ArchiveEntry): ArchiveVerdict;
}

/**
 * Accepts regular files and directories only, with contained and portable paths. Refuses two paths that some file
 * system treats as the same. Limits the number of entries, the depth (32), the declared bytes, and the unpacked size
 * that a file may claim (200 times its packed bytes, above 1 MiB).
 * @param leaveOut Names of directories whose content is left out and told once each; up to 50,000 entries of it do not count
 *   against the limits. None by default.
 */
export function archiveRules(
  limits: UploadLimits = SKILL_LIMITS,
  leaveOut: Iterable<string> = [],
): ArchiveRules {
  const installed = { leaveOut: new Set(leaveOut) };
  const toldFolders = new Set<string>();
  const claims = pathClaims("archive");
  const files = uploadRules(limits, claims);
  const spellings = pathSpellings();
  // Directories and macOS metadata come on top of the files. In practice there is at most one of each per file.
  const entryLimit = limits.files * 4 + 64;
  let entries = 0;
  let leftEntries = 0;

  function judge(entry: ArchiveEntry): ArchiveVerdict {
    entries += 1;
    if (entries - leftEntries > entryLimit) return refuse(tooMany(entry, entryLimit));
    if (leftEntries === MAX_LEFT_ENTRIES) return refuse(tooMany(entry, MAX_LEFT_ENTRIES));
    // First of all: installed packages may hold links, which are otherwise refused.
    const folder = installedFolder(entry);
    if (folder !== undefined) {
      leftEntries += 1;
      return { verdict: "leave", diagnostics: toldOnce(folder) };
    }
    const form = formRefusal(entry);
    if (form) return refuse(form);
    const { path, diagnostics } = entryPath(entry);
    if (path === "") return { verdict: "leave", diagnostics };
    try {
      containedPath(path);
    } catch (error) {
      return refuseWith("archive.path", error);
    }
    const leftOut = leftOutReason(path);
    if (leftOut)
      return { verdict: "leave", diagnostics: entry.kind === "folder" ? [] : [told(path, leftOut)] };
    const refusal = entryRefusal(entry, path) ?? clash(path);
    return refusal ? refuse(refusal) : claim(entry, path, diagnostics);
  }

  function installedFolder(entry: ArchiveEntry): string | undefined {
    const { path } = entryPath(entry);
    if (!isContainedPath(path)) return undefined;
    return leftOutFolder(installed, entry.kind === "folder" ? `${path}/` : path);
  }

  function toldOnce(folder: string): readonly Diagnostic[] {
    if (toldFolders.has(folder)) return [];
    toldFolders.add(folder);
    return [repositoryDiagnostic("file.installed", folder)];
  }

  function clash(path: string): Refusal | undefined {
    const first = spellings.clash(path);
    if (first === undefined) return undefined;
    const message = `The entry "${path}" and "${first}" are the same file on file systems that ignore case or Unicode form. Rename one.`;
    return { rule: "archive.collision", code: "SKILL_INVALID", message };
  }

  function claim(entry: ArchiveEntry, path: string, diagnostics: readonly Diagnostic[]): ArchiveVerdict {
    try {
      if (entry.kind === "folder") claims.folder(path);
      else files.admit(path);
    } catch (error) {
      return refuseWith(
        SkillError.is(error, "LIMIT_EXCEEDED") ? "archive.limit" : "archive.duplicate",
        error,
      );
    }
    spellings.keep(path);
    if (entry.kind === "folder") return { verdict: "leave", diagnostics };
    try {
      files.count(path, entry.size);
    } catch (error) {
      return refuseWith("archive.limit", error);
    }
    const mode = entry.mode ?? 0;
    const special = (mode & 0o7000) === 0 ? [] : [specialMode(path)];
    const executable = (mode & 0o100) !== 0;
    return { verdict: "take", path, executable, diagnostics: [...diagnostics, ...special] };
  }

  return { judge };
}

function refuse({ rule, code, message }: Refusal): ArchiveVerdict {
  return { verdict: "refuse", rule, error: new SkillError(code, message) };
}

function refuseWith(rule: string, error: unknown): ArchiveVerdict {
  return { verdict: "refuse", rule, error: SkillError.from(error, "Checking an entry") };
}

function tooMany({ name }: ArchiveEntry, limit: number): Refusal {
  const message = `With "${name}" the archive has more than ${limit} entries. Pack fewer files and folders.`;
  return { rule: "archive.limit", code: "LIMIT_EXCEEDED", message };
}

function told(path: string, reason: string): Diagnostic {
  return {
    code: "archive.left-out",
    severity: "info",
    message: `"${path}" ${reason}; it is left out.`,
    hint: "Leave it out when packing.",
    path,
  };
}

function specialMode(path: string): Diagnostic {
  return {
    code: "archive.mode-dropped",
    severity: "warning",
    message: `"${path}" has a set-user, set-group or sticky bit, which is removed.`,
    hint: "Pack it with mode 644 or 755.",
    path,
  };
}
