import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { type CallOptions, SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { RunStream, StreamedCommand } from "@skillwright/supervisor";
import { notesIn, noteText } from "../run/run-note.js";
import type { WorkspaceContainer } from "./workspace-container.js";

const NO_ROOM = "no room";
/** A run in progress may have used up the container's processes. */
const NO_ROOM_MS = 3000;
const SHORTEST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 400;

/**
 * Runs the work while no other process, on any machine, runs such work in the same container. Each contender starts a
 * process in the container and then checks for others: of two, the later one sees the earlier one's process and
 * withdraws. The process ends with the connection that started it, so a killed host loses its turn.
 * @throws SkillError `BACKEND_FAILED` also where the holder does not give up the turn within a call's deadline,
 * `LIMIT_EXCEEDED` where no process can be started in the container, `ABORTED`, and whatever the work throws.
 */
export async function inLimitsTurn<T>(
  container: WorkspaceContainer,
  work: () => Promise<T>,
  { signal }: CallOptions = {},
): Promise<T> {
  const { callTimeoutMs } = container.engine;
  let before: { readonly seen: string; readonly sinceMs: number } | undefined;
  for (let waitMs = SHORTEST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
    const turn = await taken(container, { signal });
    if (typeof turn !== "string") return await during(turn, work);
    if (before?.seen !== turn) before = { seen: turn, sinceMs: performance.now() };
    const waitedMs = performance.now() - before.sinceMs;
    if (turn === NO_ROOM && waitedMs > Math.min(NO_ROOM_MS, callTimeoutMs)) throw noRoom();
    if (waitedMs > callTimeoutMs) throw stillHeld(callTimeoutMs);
    // A random delay, so that two contenders do not collide again.
    await setTimeout(waitMs * (0.5 + Math.random()), undefined, { signal }).catch(() => checkAborted(signal));
  }
}

/** Takes the turn, or returns the marks of its holders. */
async function taken(container: WorkspaceContainer, options: CallOptions): Promise<StreamedCommand | string> {
  const mark = randomBytes(8).toString("hex");
  const stream = await container.engine.streams.open(container, options);
  const others = async () => {
    const marks = notesIn(await stream.notes()).flatMap((note) => ("turn" in note ? [note.turn] : []));
    return marks.filter((one) => one !== mark).join();
  };
  const earlier = await others();
  if (earlier !== "") return earlier;
  const turn = standing(stream, mark);
  let isOver = false;
  void turn.ended.then(() => {
    isOver = true;
  });
  try {
    const met = await others();
    // A process that could not be started has ended by then.
    if (isOver) return NO_ROOM;
    if (met === "") return turn;
    turn.end(0);
    return met;
  } catch (error) {
    turn.end(0);
    throw error;
  }
}

/** A process that does nothing until its input ends, as with the connection of a killed host. */
function standing(stream: RunStream, mark: string): StreamedCommand {
  return stream.start({
    ...{ arguments: ["files", "/"], inputs: [0], note: noteText({ turn: mark }) },
    onBytes: () => undefined,
  });
}

async function during<T>(turn: StreamedCommand, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    turn.end(0);
  }
}

function noRoom(): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    "No process could be started in the workspace, because a run in progress uses all processes that its limit allows. Wait until it has ended, end it, or raise its limit.",
  );
}

function stillHeld(timeoutMs: number): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `Another process has been changing the limits of the workspace for ${timeoutMs} ms. Check whether it hangs, and end it.`,
    { details: { timeoutMs } },
  );
}
