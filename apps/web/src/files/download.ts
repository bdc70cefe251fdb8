import { request } from "../api/request.js";

/** Saves what the server has at a path, under that name. The token goes with it, so that it is no plain link. */
export async function download(path: string, name: string): Promise<void> {
  const answer = await request(path);
  save(await answer.blob(), name);
}

export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name.split("/").at(-1) ?? name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
