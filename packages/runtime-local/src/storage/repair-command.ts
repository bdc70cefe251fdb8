/**
 * The shell command of `@skillwright/cli` that repairs a workspace below that root, for messages; it can be pasted
 * unchanged.
 */
export function repairCommand(root: string, workspaceId: string): string {
  const word = /^[\w./@:+-]+$/.test(root) ? root : `'${root.replaceAll("'", "'\\''")}'`;
  return `skillwright workspaces repair ${workspaceId} --root ${word}`;
}
