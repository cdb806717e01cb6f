import { ACTION_NAMES, type Step, tellStory } from './actions.ts';
import type { Scenario } from './layout.ts';
import { Model } from './model.ts';
import type { ProductionCode } from './production-code.ts';
import { findViolation, isEnd } from './rules.ts';
import {
  describeState,
  FIELD_COUNT,
  packDistinct,
  packState,
  unpackState,
  WORDS,
} from './state.ts';
import { StateSet } from './state-set.ts';

/** Result of a search. */
export interface SearchResult {
  /** Number of states, not counting clocks and counters. */
  readonly distinct: number;
  /** The rule that is broken, and the story of the shortest way to break it. */
  readonly violation?: { readonly rule: string; readonly story: string };
}

/**
 * Visits all states of a scenario, the nearest first, and checks the rules in each. If none is
 * broken, checks that an end can be reached from each state without another fault.
 */
export function searchScenario(code: ProductionCode, scenario: Scenario): SearchResult {
  const model = new Model(code, scenario);
  const states = new StateSet();
  const distinct = new StateSet();
  const edges = new EdgeList();
  const state = new Uint8Array(FIELD_COUNT);
  const packed = new Uint32Array(WORDS);
  const ends: number[] = [];
  let broken: { readonly rule: string; readonly at: number } | undefined;
  const addState = (next: Uint8Array, parent: number, action: number): number => {
    packState(next, packed);
    if (parent >= 0 && states.isAt(parent, packed)) return parent;
    const added = states.add(packed);
    if (added < 0) return -1 - added;
    edges.addState(parent, action);
    packDistinct(next, packed);
    distinct.add(packed);
    const rule = findViolation(next, state);
    if (rule !== undefined) broken ??= { rule, at: added };
    return added;
  };
  state.set(model.createInitialState());
  addState(state, -1, 0);
  for (let visited = 0; visited < states.size && broken === undefined; visited += 1) {
    unpackState(states.words, visited * WORDS, state);
    if (isEnd(state)) ends.push(visited);
    model.listSuccessors(state, (action, server, isFault, next) => {
      const to = addState(next, visited, action * 2 + server);
      if (!isFault) edges.addEdge(visited, to);
    });
  }
  if (broken === undefined) {
    const at = edges.findStateWithoutEnd(ends);
    if (at !== undefined) broken = { rule: 'something waits forever, and nobody sees it', at };
  }
  if (broken === undefined) return { distinct: distinct.size };
  const { rule, at } = broken;
  unpackState(states.words, at * WORDS, state);
  const story = `${tellStory(edges.getTrace(at))}\nSo ${rule}: ${describeState(state)}`;
  return { distinct: distinct.size, violation: { rule, story } };
}

/** The steps between states, by number. */
class EdgeList {
  #parents = new Int32Array(1 << 16);
  #actions = new Uint16Array(1 << 16);
  #size = 0;
  #from = new Int32Array(1 << 17);
  #to = new Int32Array(1 << 17);
  #edges = 0;

  addState(parent: number, action: number): void {
    if (this.#size === this.#parents.length) {
      this.#parents = grow(this.#parents, new Int32Array(this.#size * 2));
      this.#actions = grow(this.#actions, new Uint16Array(this.#size * 2));
    }
    this.#parents[this.#size] = parent;
    this.#actions[this.#size] = action;
    this.#size += 1;
  }

  addEdge(from: number, to: number): void {
    if (from === to) return;
    if (this.#edges === this.#from.length) {
      this.#from = grow(this.#from, new Int32Array(this.#edges * 2));
      this.#to = grow(this.#to, new Int32Array(this.#edges * 2));
    }
    this.#from[this.#edges] = from;
    this.#to[this.#edges] = to;
    this.#edges += 1;
  }

  getTrace(state: number): readonly Step[] {
    const steps: Step[] = [];
    for (let at = state; this.#parents[at]! >= 0; at = this.#parents[at]!) {
      const action = this.#actions[at]!;
      steps.unshift({ action: ACTION_NAMES[action >> 1]!, server: action & 1 });
    }
    return steps;
  }

  /** Returns the first state from which no end can be reached. */
  findStateWithoutEnd(ends: readonly number[]): number | undefined {
    const start = new Int32Array(this.#size + 1);
    for (let edge = 0; edge < this.#edges; edge += 1) start[this.#to[edge]! + 1]! += 1;
    for (let state = 0; state < this.#size; state += 1) start[state + 1]! += start[state]!;
    const sources = new Int32Array(this.#edges);
    const filled = start.slice();
    for (let edge = 0; edge < this.#edges; edge += 1)
      sources[filled[this.#to[edge]!]!++] = this.#from[edge]!;
    const reaches = new Uint8Array(this.#size);
    const queue = [...ends];
    for (const end of ends) reaches[end] = 1;
    while (queue.length > 0) {
      const state = queue.pop()!;
      for (let edge = start[state]!; edge < start[state + 1]!; edge += 1) {
        const source = sources[edge]!;
        if (reaches[source] === 1) continue;
        reaches[source] = 1;
        queue.push(source);
      }
    }
    const found = reaches.indexOf(0);
    return found < 0 ? undefined : found;
  }
}

function grow<List extends Int32Array | Uint16Array>(from: List, to: List): List {
  to.set(from);
  return to;
}
