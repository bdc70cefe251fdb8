export function yaml(): typeof import("js-yaml");
