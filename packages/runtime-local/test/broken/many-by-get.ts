import { type RuntimeWorkspace, SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";

export type GetMany = NonNullable<RuntimeWorkspace["getMany"]>;

/** Implements `getMany` with as many calls of `get`. */
export function manyByGet(get: RuntimeWorkspace["get"]): GetMany {
  return async function* (paths, options = {}) {
    for (const path of paths) {
      checkAborted(options.signal);
      try {
        yield { path, content: await get(path, options) };
      } catch (error) {
        if (!SkillError.is(error) || ["WORKSPACE_NOT_FOUND", "ABORTED", "CLOSED"].includes(error.code))
          throw error;
        yield { path, error };
      }
    }
  };
}
