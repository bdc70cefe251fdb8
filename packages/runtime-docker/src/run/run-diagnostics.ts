import type { Diagnostic } from "@skillwright/core";

export function noBash(): Diagnostic {
  return {
    code: "shell.no-bash",
    severity: "warning",
    message: "There is no bash in the image; sh reads the command.",
    hint: "Use an image with bash, or keep to what POSIX says of the shell.",
  };
}

export function noRunDirectory(path: string): Diagnostic {
  return {
    code: "run.no-directory",
    severity: "warning",
    message: `The run has no directory ${path}: it could not be made, most likely because the workspace is full.`,
    hint: "Remove what is not needed from work/, out/ and runs/.",
  };
}

export function memoryReached(): Diagnostic {
  return {
    code: "limit.memoryBytes-reached",
    severity: "warning",
    message: "The workspace needed more memory than it was allowed, and the system ended a process of it.",
    hint: "Raise memoryBytes, work on the input in parts, or remove files: those kept in memory count.",
  };
}

export function processesReached(): Diagnostic {
  return {
    code: "limit.processes-reached",
    severity: "warning",
    message: "The workspace wanted more processes at once than it was allowed.",
    hint: "Raise processes, or start fewer at a time.",
  };
}

export function fileFull(): Diagnostic {
  return {
    code: "limit.fileBytes-reached",
    severity: "warning",
    message: "A file of the run reached the size that fileBytes allows, and took nothing more.",
    hint: "Write smaller files, or raise fileBytes.",
  };
}

export function storageFull(): Diagnostic {
  return {
    code: "limit.storageBytes-reached",
    severity: "warning",
    message: "The workspace's storage was full when the command ended, and took nothing more.",
    hint: "Remove what is not needed from work/, out/ and runs/, or raise storageBytes.",
  };
}

/** Reports a full file system in memory that is not the workspace's storage. */
export function temporaryFull(path: string): Diagnostic {
  return {
    code: "limit.tmp-reached",
    severity: "warning",
    message: `The container's ${path} was full when the command ended, and took nothing more.`,
    hint: "Write large or many files to work/, and remove from there what is no longer needed.",
  };
}

export function containerEnded(how: "stopped" | "removed" | "unknown"): Diagnostic {
  if (how === "unknown")
    return {
      code: "container.unknown",
      severity: "warning",
      message:
        "The command was killed, and the engine did not tell in time whether its container was stopped.",
      hint: "See how the engine is, and look at the workspace before the command is run again.",
    };
  return {
    code: `container.${how}`,
    severity: "error",
    message: `The container was ${how} while the command ran, and the command ended with it.`,
    hint:
      how === "removed"
        ? "The workspace is gone with its files; make a new one."
        : "Find out who stopped it, or whether the engine was restarted, before the command is run again.",
  };
}

export function containerRestarted(): Diagnostic {
  return {
    code: "run.container-restarted",
    severity: "warning",
    message:
      "Processes of the run ended whatever was to end them, so the container was started anew with its files as they were.",
    hint: "Do not run this command again. Other commands of the workspace that were running ended too.",
  };
}

export function treeLeft(why: string): Diagnostic {
  return {
    code: "run.tree-not-ended",
    severity: "error",
    message: `It is not certain that every process of the run has ended: ${why}.`,
    hint: "Do not collect outputs yet. Destroy the workspace, or look at its container.",
  };
}
