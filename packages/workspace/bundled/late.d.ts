export function globLibrary(): typeof import("minimatch");
export function mimeLibrary(): typeof import("mime-types");
export function tomlLibrary(): typeof import("smol-toml");
