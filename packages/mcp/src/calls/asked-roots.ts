import { realpath, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Root,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { shownText } from "@skillwright/core/adapter";
import type { CallRound } from "../session/host-session.js";
import { canAsk, capabilitiesOf } from "./asked-person.js";
import type { CallParts } from "./tool-call.js";

const ALLOW = "Allow until the session ends";
const REFUSE = "Refuse";
/** Folders that a question names and that runs may read. */
const MAX_FOLDERS = 20;

/**
 * Finds out whether runs may read files in the folders that are open in the host, when a call first names such a file: asks the host
 * for its roots, then the person. Returns the next question to the client, or `undefined` where the call can go on.
 */
export async function askedRoots(
  input: unknown,
  round: CallRound,
  ctx: ServerContext,
  { server, session, options }: CallParts,
): Promise<InputRequiredResult | undefined> {
  const { roots } = session;
  if (!options.roots || roots.folders !== undefined || !namesHostFile(input)) return undefined;
  const ask = async (inputRequests: InputRequests, asked: "asked" | readonly string[]) =>
    inputRequired({ inputRequests, requestState: await session.rounds.mint({ ...round, roots: asked }) });
  if (round.roots === undefined) {
    const isAble = capabilitiesOf(server, ctx).roots !== undefined && canAsk(server, ctx);
    return isAble ? await ask({ roots: inputRequired.listRoots() }, "asked") : undefined;
  }
  const answer = inputResponse(ctx.mcpReq.inputResponses, round.roots === "asked" ? "roots" : "folders");
  if (round.roots === "asked") {
    const folders = answer.kind === "roots" ? await foldersOf(answer.roots) : [];
    if (folders.length > 0) return await ask({ folders: question(folders) }, folders);
    roots.folders = [];
  } else {
    const isAllowed =
      answer.kind === "elicit" && answer.action === "accept" && answer.content?.["answer"] === ALLOW;
    roots.folders = isAllowed ? round.roots : [];
  }
  return undefined;
}

/** True if an input of the call is a file of this machine. The rest of the call may be invalid. */
function namesHostFile(input: unknown): boolean {
  const { inputs = "" } = (input ?? {}) as { readonly inputs?: unknown };
  return JSON.stringify(inputs).includes("host://");
}

/** The existing folders of this machine among the roots. */
async function foldersOf(roots: readonly Root[]): Promise<readonly string[]> {
  const folders = await Promise.all(roots.slice(0, MAX_FOLDERS).map(({ uri }) => folderOf(uri)));
  return [...new Set(folders.filter((folder) => folder !== undefined))];
}

async function folderOf(uri: string): Promise<string | undefined> {
  try {
    const folder = await realpath(fileURLToPath(uri));
    return (await stat(folder)).isDirectory() ? folder : undefined;
  } catch {
    return undefined;
  }
}

function question(folders: readonly string[]) {
  const lines = ["May runs read files in these folders? They cannot change anything there.", "", ...folders];
  return inputRequired.elicit({
    message: shownText(lines.join("\n").slice(0, 4000)),
    requestedSchema: {
      type: "object",
      properties: { answer: { type: "string", title: "Answer", enum: [ALLOW, REFUSE] } },
      required: ["answer"],
    },
  });
}
