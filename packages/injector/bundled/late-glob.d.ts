export function globLibrary(): typeof import("minimatch");
