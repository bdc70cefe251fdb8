import { Buffer } from "node:buffer";
import type { PatternAutomaton } from "./pattern-automaton.js";

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Replaces every match in a stream with the mask, however the stream is split into pieces. Bytes that may begin a match
 * are held back until more arrive; these are fewer than the longest pattern, and nothing else is buffered.
 */
export class StreamMasker {
  readonly #automaton: PatternAutomaton;
  readonly #mask: Uint8Array;
  #state = 0;
  /** Counted from the stream's start. */
  #position = 0;
  #held = new Uint8Array(0);
  /** Everything before this position was emitted or masked. */
  #settled = 0;
  /** Matches not emitted yet, in order and without overlaps. */
  #matches: Range[] = [];

  constructor(automaton: PatternAutomaton, mask: Uint8Array) {
    this.#automaton = automaton;
    this.#mask = mask;
  }

  /** Returns the output that is final by now. The result may share memory with `bytes`. */
  append(bytes: Uint8Array): Uint8Array {
    this.#search(bytes);
    return this.#giveOut(bytes, this.#position - this.#automaton.depth(this.#state));
  }

  /** Returns the bytes that were held back. */
  end(): Uint8Array {
    this.#state = 0;
    return this.#giveOut(new Uint8Array(0), this.#position);
  }

  #search(bytes: Uint8Array): void {
    const start = this.#position;
    let state = this.#state;
    for (let index = 0; index < bytes.byteLength; index++) {
      if (state === 0) index = this.#automaton.skip(bytes, index);
      if (index >= bytes.byteLength) break;
      state = this.#automaton.next(state, bytes[index] as number);
      const length = this.#automaton.found(state);
      if (length > 0) this.#add(start + index + 1 - length, start + index + 1);
    }
    this.#state = state;
    this.#position = start + bytes.byteLength;
  }

  #add(from: number, to: number): void {
    let first = from;
    while (this.#matches.length > 0) {
      const last = this.#matches.at(-1) as Range;
      if (last.to <= first) break;
      first = Math.min(first, last.from);
      this.#matches.pop();
    }
    // The match overlaps one that was already emitted, so it gets no second mask.
    if (first < this.#settled) this.#settled = Math.max(this.#settled, to);
    else this.#matches.push({ from: first, to });
  }

  /** Emits everything before `until`, the earliest position at which a later match can begin. */
  #giveOut(bytes: Uint8Array, until: number): Uint8Array {
    const all = this.#held.byteLength === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const base = this.#position - all.byteLength;
    const pieces: Uint8Array[] = [];
    const giveUpTo = (position: number) => {
      if (position <= this.#settled) return;
      pieces.push(all.subarray(this.#settled - base, position - base));
      this.#settled = position;
    };
    let given = 0;
    for (const { from, to } of this.#matches) {
      if (from >= until) break;
      giveUpTo(from);
      pieces.push(this.#mask);
      this.#settled = to;
      given++;
    }
    if (given > 0) this.#matches = this.#matches.slice(given);
    giveUpTo(until);
    // Copied, because the caller may reuse its buffer.
    this.#held = new Uint8Array(all.subarray(Math.max(0, this.#settled - base)));
    return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
  }
}
