import type { Diagnostic } from "@skillwright/core";

export function noBash(): Diagnostic {
  return {
    code: "shell.no-bash",
    severity: "warning",
    message: "The image has no bash, so sh runs the command.",
    hint: "Use an image with bash, or write commands for the POSIX shell.",
  };
}

export function noRunDirectory(path: string): Diagnostic {
  return {
    code: "run.no-directory",
    severity: "warning",
    message: `The directory ${path} of the run could not be created, most likely because the workspace is full.`,
    hint: "Remove unneeded files from work/, out/ and runs/.",
  };
}

export function memoryReached(): Diagnostic {
  return {
    code: "limit.memoryBytes-reached",
    severity: "warning",
    message: "The workspace exceeded its memory limit, and the system killed one of its processes.",
    hint: "Raise memoryBytes, process the input in parts, or remove files: those kept in memory count too.",
  };
}

export function processesReached(): Diagnostic {
  return {
    code: "limit.processes-reached",
    severity: "warning",
    message: "The workspace reached its limit of concurrent processes.",
    hint: "Raise processes, or start fewer at a time.",
  };
}

export function fileFull(): Diagnostic {
  return {
    code: "limit.fileBytes-reached",
    severity: "warning",
    message: "A file of the run reached the size that fileBytes allows; further data was not written.",
    hint: "Write smaller files, or raise fileBytes.",
  };
}

export function storageFull(): Diagnostic {
  return {
    code: "limit.storageBytes-reached",
    severity: "warning",
    message: "The storage of the workspace was full when the command ended; further data was not written.",
    hint: "Remove unneeded files from work/, out/ and runs/, or raise storageBytes.",
  };
}

/** Reports a full file system in memory that is not the workspace's storage. */
export function temporaryFull(path: string): Diagnostic {
  return {
    code: "limit.tmp-reached",
    severity: "warning",
    message: `The container's ${path} was full when the command ended; further data was not written.`,
    hint: "Write large or many files to work/, and remove unneeded files from there.",
  };
}

export function containerEnded(how: "stopped" | "removed"): Diagnostic {
  return {
    code: `container.${how}`,
    severity: "error",
    message: `The container was ${how} while the command ran, and the command ended with it.`,
    hint:
      how === "removed"
        ? "The workspace and its files are lost; create a new one."
        : "Find out who stopped it, or whether the engine was restarted, before you run the command again.",
  };
}

export function treeLeft(why: string): Diagnostic {
  return {
    code: "run.tree-not-ended",
    severity: "error",
    message: `It is unknown whether every process of the run has ended: ${why}.`,
    hint: "Do not collect outputs yet. Destroy the workspace, or inspect its container.",
  };
}
