/** Without a sandbox this guards against mistakes only: a command may change the modes of what its user owns. */
export const READ_ONLY = { file: 0o444, executable: 0o555, directory: 0o555 } as const;
