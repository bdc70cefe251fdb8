import { constants } from "node:os";
import { SkillError } from "@skillwright/core";
import { FileTrouble } from "./file-session.js";

const { ENOENT, ELOOP, ENOTDIR, EISDIR, ENXIO, ENOSPC, EDQUOT, EILSEQ, EACCES, EPERM, ENAMETOOLONG } =
  constants.errno;

/** What an error of the far end means for the path. Other errors are returned unchanged. */
export function fileError(error: unknown, path: string, doing: string): unknown {
  if (!(error instanceof FileTrouble)) return error;
  const details = { path, errno: error.errno };
  const shown = JSON.stringify(path.slice(0, 200));
  switch (error.errno) {
    case ENOENT:
      return new SkillError(
        "FILE_NOT_FOUND",
        `${shown} does not exist in the workspace. List its directory to see what is there.`,
        { details },
      );
    case ELOOP:
      return new SkillError(
        "PATH_OUTSIDE",
        `A part of ${shown} is a symlink, which is never followed. Use the path that it leads to.`,
        { details },
      );
    case ENOTDIR:
    case EISDIR:
    case ENXIO:
      return new SkillError(
        "PATH_INVALID",
        `${shown} is not of the kind that ${doing} needs: it, or a part of it, is a directory, a file or a special file.`,
        { details },
      );
    case ENOSPC:
    case EDQUOT:
      return new SkillError(
        "LIMIT_EXCEEDED",
        `${doing} ${shown} failed: the storage of the workspace is full. Remove unneeded files, or raise storageBytes.`,
        { details },
      );
    case ENAMETOOLONG:
      return new SkillError(
        "PATH_INVALID",
        `${shown} is too long for the file system of the workspace. Use shorter names.`,
        { details },
      );
    case EACCES:
    case EPERM:
      return new SkillError(
        "PATH_INVALID",
        `${doing} ${shown} failed: a command has taken the rights to it away. Give them back with chmod.`,
        { details },
      );
    case EILSEQ:
      return new SkillError(
        "BACKEND_FAILED",
        `${doing} ${shown} failed: other bytes arrived than were sent. Try again.`,
        { details },
      );
    default:
      return new SkillError(
        "BACKEND_FAILED",
        `${doing} ${shown} failed with error ${error.errno} of the pod's system. Check the workspace, and try again.`,
        { details },
      );
  }
}
