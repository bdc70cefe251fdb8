import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { SkillError, type SkillErrorCode } from "@skillwright/core";

const NOT_FOUND: ReadonlySet<SkillErrorCode> = new Set(["FILE_NOT_FOUND", "SKILL_NOT_FOUND"]);

/** Throws an error of the protocol with our message and code, because a resource has no result that could contain them. */
export function toProtocolError(uri: string): (error: unknown) => never {
  return (error) => {
    const { code, message } = SkillError.from(error, "Reading the resource");
    if (NOT_FOUND.has(code)) throw new ResourceNotFoundError(uri, message);
    const kind =
      code === "BACKEND_FAILED" ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
    throw new ProtocolError(kind, message, { uri, code });
  };
}
