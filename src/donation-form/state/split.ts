import { LARGEST_AMOUNT, parseTypedAmount } from '@donation-form/core/money';
import { equalParts } from '@donation-form/core/donation';
import { firstOf, isTicked } from './form-values.ts';
import type { FormState, FormContext } from './form-state.ts';

/** One project's part of a gift. */
export interface Part {
  readonly id: string;
  /** As written; empty: an equal share of what is left. */
  readonly written: string;
  /** Minor units; `undefined` where what is written is no amount, or nothing is left to share. */
  readonly amount: number | undefined;
}

/** A gift that is divided over projects (rule 36). */
export interface Split {
  readonly parts: readonly Part[];
  /** What the parts come to, minor units. */
  readonly sum: number;
  /**
   * missing: no project is chosen; not-an-amount: a part cannot be read; wrong: the parts do not
   * come to the gift; too-small: nothing is left for a part.
   */
  readonly problem: 'missing' | 'not-an-amount' | 'wrong' | 'too-small' | undefined;
}

/** Whether the donor divides the gift: the form lets them, and no override fixes the project. */
export function isDivided({ more }: FormState, { definition, settings }: FormContext): boolean {
  return definition.allowSplit && !settings.isProjectFixed && isTicked(more, 'split.on');
}

/**
 * How a gift is divided now; `undefined` where it is not.
 * @param amount of the gift, minor units; `undefined` while that is not known.
 */
export function splitOf(
  state: FormState,
  context: FormContext,
  amount: number | undefined,
): Split | undefined {
  if (!isDivided(state, context)) return undefined;
  const { more } = state;
  const {
    definition,
    settings: { currency },
    decimalMark,
  } = context;
  const chosen = definition.projects
    .filter(({ id }) => more['split.chosen']?.includes(id))
    .map(({ id }) => ({ id, written: firstOf(more, `part.${id}`).trim() }));
  const read = chosen.map(({ id, written }) => ({
    id,
    written,
    amount: written === '' ? undefined : parseTypedAmount(written, currency, decimalMark),
  }));
  const fixed = read.reduce((sum, part) => sum + (part.amount ?? 0), 0);
  const left = (amount ?? 0) - fixed;
  const shares = equalParts(
    Math.max(0, Math.min(left, LARGEST_AMOUNT)),
    read.filter(({ written }) => written === '').length,
  );
  const parts = read.map((part): Part =>
    part.written === '' ? { ...part, amount: positive(shares.shift()) } : part,
  );
  const sum = parts.reduce((total, part) => total + (part.amount ?? 0), 0);
  return { parts, sum, problem: problemOf(parts, sum, amount) };
}

function problemOf(
  parts: readonly Part[],
  sum: number,
  amount: number | undefined,
): Split['problem'] {
  const unknown = parts.filter((part) => part.amount === undefined);
  if (parts.length === 0) return 'missing';
  if (unknown.some(({ written }) => written !== '')) return 'not-an-amount';
  if (sum !== amount) return 'wrong';
  return unknown.length > 0 ? 'too-small' : undefined;
}

function positive(amount: number | undefined): number | undefined {
  return amount === 0 ? undefined : amount;
}
