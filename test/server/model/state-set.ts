import { WORDS } from './state.ts';

/** A set of packed states: their words in the order of insertion, and an open-addressing index. */
export class StateSet {
  words: Uint32Array;
  size = 0;
  #slots: Int32Array;

  constructor(capacity = 1 << 16) {
    this.words = new Uint32Array(capacity * WORDS);
    this.#slots = new Int32Array(capacity * 2).fill(-1);
  }

  /** Adds a state. @returns its number, as -1 - number if the set already contained it. */
  add(state: Uint32Array): number {
    let slot = this.#findSlot(state, 0);
    const found = this.#slots[slot]!;
    if (found >= 0) return -1 - found;
    if (this.size * WORDS === this.words.length) {
      this.#grow();
      slot = this.#findSlot(state, 0);
    }
    this.words.set(state, this.size * WORDS);
    this.#slots[slot] = this.size;
    this.size += 1;
    return this.size - 1;
  }

  /** Returns true if the state with the given number is `state`. */
  isAt(number: number, state: Uint32Array): boolean {
    return this.#isEqual(number * WORDS, state, 0);
  }

  #findSlot(state: Uint32Array, offset: number): number {
    let hash = 0;
    for (let index = 0; index < WORDS; index += 1) {
      hash = Math.imul(hash ^ state[offset + index]!, 0x9e3779b1);
      hash ^= hash >>> 16;
    }
    hash = Math.imul(hash, 0x85ebca6b);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 16;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = this.#slots[slot]!;
      if (found < 0 || this.#isEqual(found * WORDS, state, offset)) return slot;
    }
  }

  #isEqual(at: number, state: Uint32Array, offset: number): boolean {
    for (let index = 0; index < WORDS; index += 1)
      if (this.words[at + index] !== state[offset + index]) return false;
    return true;
  }

  #grow(): void {
    const words = new Uint32Array(this.words.length * 2);
    words.set(this.words);
    this.words = words;
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let index = 0; index < this.size; index += 1)
      this.#slots[this.#findSlot(words, index * WORDS)] = index;
  }
}
