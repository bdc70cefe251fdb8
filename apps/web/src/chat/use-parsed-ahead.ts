import { useEffect } from "react";
import type { ChatMessage } from "../api/answers.js";
import { parseAhead } from "../ui/markdown.js";

/** Messages before and after those in view. */
const MOST_AHEAD = 100;
const LEAST_IDLE_MS = 4;

/**
 * Parses the text of messages near those in view while the browser is idle, so that scrolling only draws them.
 *
 * @param first Index of the first message in view.
 */
export function useParsedAhead(messages: readonly ChatMessage[], first: number): void {
  useEffect(() => {
    const near = aroundOf(messages, first);
    let waiting = requestIdleCallback(work);
    function work(idle: IdleDeadline): void {
      while (idle.timeRemaining() > LEAST_IDLE_MS) {
        const { done, value } = near.next();
        if (done) return;
        parseAhead(value);
      }
      waiting = requestIdleCallback(work);
    }
    return () => cancelIdleCallback(waiting);
  }, [messages, first]);
}

/** The texts of the answers around a message, the nearest first. */
function* aroundOf(messages: readonly ChatMessage[], first: number): Generator<string> {
  for (let distance = 0; distance < MOST_AHEAD; distance++)
    for (const index of [first - distance, first + distance]) {
      const message = messages[index];
      if (message?.role !== "assistant") continue;
      for (const part of message.parts) if (part.type === "text") yield part.text;
    }
}
