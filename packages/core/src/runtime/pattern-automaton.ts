/**
 * Finds any of many byte strings in one pass, in time linear in the searched bytes (Aho and Corasick, 1975). A state is
 * a number; 0 is the start. The nodes are stored in typed arrays: a long value costs some twenty bytes for each of its
 * own.
 */
export class PatternAutomaton {
  readonly #byte: Uint8Array;
  readonly #child: Int32Array;
  readonly #sibling: Int32Array;
  readonly #fallback: Int32Array;
  readonly #depth: Int32Array;
  readonly #found: Int32Array;
  readonly #first = new Int32Array(256);
  #nodes = 1;

  constructor(patterns: readonly Uint8Array[]) {
    const size = 1 + patterns.reduce((sum, pattern) => sum + pattern.byteLength, 0);
    this.#byte = new Uint8Array(size);
    const [child, sibling, fallback, depth, found] = Array.from({ length: 5 }, () => new Int32Array(size));
    this.#child = child as Int32Array;
    this.#sibling = sibling as Int32Array;
    this.#fallback = fallback as Int32Array;
    this.#depth = depth as Int32Array;
    this.#found = found as Int32Array;
    for (const pattern of patterns) this.#insert(pattern);
    this.#linkFallbacks();
  }

  /** Index of the first byte at or after `from` that may begin a match; `bytes.byteLength` where there is none. */
  skip(bytes: Uint8Array, from: number): number {
    const first = this.#first;
    let index = from;
    while (index < bytes.byteLength && first[bytes[index] as number] === 0) index++;
    return index;
  }

  next(state: number, byte: number): number {
    for (let from = state; from !== 0; from = this.#fallback[from] as number) {
      const to = this.#childOf(from, byte);
      if (to !== 0) return to;
    }
    return this.#first[byte] as number;
  }

  /** Number of latest bytes that may still become part of a match. */
  depth(state: number): number {
    return this.#depth[state] as number;
  }

  /** The length of the longest match that ends here; 0 for none. */
  found(state: number): number {
    return this.#found[state] as number;
  }

  #insert(pattern: Uint8Array): void {
    let node = 0;
    for (const byte of pattern) {
      const known = node === 0 ? (this.#first[byte] as number) : this.#childOf(node, byte);
      node = known === 0 ? this.#add(node, byte) : known;
    }
    this.#found[node] = pattern.byteLength;
  }

  #add(parent: number, byte: number): number {
    const node = this.#nodes++;
    this.#byte[node] = byte;
    this.#depth[node] = (this.#depth[parent] as number) + 1;
    this.#sibling[node] = this.#child[parent] as number;
    this.#child[parent] = node;
    if (parent === 0) this.#first[byte] = node;
    return node;
  }

  #childOf(node: number, byte: number): number {
    let child = this.#child[node] as number;
    while (child !== 0 && this.#byte[child] !== byte) child = this.#sibling[child] as number;
    return child;
  }

  /** Processed level by level, because a node's fallback is always nearer to the start. */
  #linkFallbacks(): void {
    const queue = new Int32Array(this.#nodes);
    let end = 0;
    const enqueueChildren = (node: number) => {
      for (let child = this.#child[node] as number; child !== 0; child = this.#sibling[child] as number)
        queue[end++] = child;
    };
    enqueueChildren(0);
    for (let at = 0; at < end; at++) {
      const node = queue[at] as number;
      // This node has no children, so a match can only continue from its fallback.
      if (this.#child[node] === 0) this.#depth[node] = this.#depth[this.#fallback[node] as number] as number;
      for (let child = this.#child[node] as number; child !== 0; child = this.#sibling[child] as number) {
        const fallback = this.next(this.#fallback[node] as number, this.#byte[child] as number);
        this.#fallback[child] = fallback;
        if (this.#found[child] === 0) this.#found[child] = this.#found[fallback] as number;
      }
      enqueueChildren(node);
    }
  }
}
