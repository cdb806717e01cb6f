import { splitEqually } from '../donation/index.ts';
import { MAX_AMOUNT, parseTypedAmount } from '../money/index.ts';
import type { FormContext, FormState } from './form-state.ts';
import { getFirstControlValue, isControlChecked } from './form-values.ts';

export interface SplitPart {
  readonly id: string;
  /** If empty, the project receives an equal share of the remainder. */
  readonly input: string;
  /** Minor units. Undefined if the input is invalid or the remainder is too small to share. */
  readonly amount: number | undefined;
}

/** Division of a donation among projects (rule 36). */
export interface Split {
  readonly parts: readonly SplitPart[];
  readonly total: number;
  /** `too-small`: the remainder is too small to give a share to each part without an amount. */
  readonly error: 'missing' | 'not-an-amount' | 'wrong-total' | 'too-small' | undefined;
}

export function isDonationSplit(
  { optionalFields }: FormState,
  { definition, settings }: FormContext,
): boolean {
  return (
    definition.allowSplit &&
    !settings.isProjectFixed &&
    isControlChecked(optionalFields, 'split.enabled')
  );
}

export function calculateSplit(
  state: FormState,
  context: FormContext,
  amount: number | undefined,
): Split | undefined {
  if (!isDonationSplit(state, context)) return undefined;
  const { optionalFields } = state;
  const { definition, settings } = context;
  const selected = definition.projects
    .filter(({ id }) => optionalFields['split.projects']?.includes(id))
    .map(({ id }) => ({
      id,
      input: getFirstControlValue(optionalFields, `split.amount.${id}`).trim(),
    }));
  const parsed = selected.map(({ id, input }) => ({
    id,
    input,
    amount: input === '' ? undefined : parseTypedAmount(input, settings.currency, context),
  }));
  const entered = sumParts(parsed);
  const remainder = (amount ?? 0) - entered;
  const shares = splitEqually(
    Math.max(0, Math.min(remainder, MAX_AMOUNT)),
    parsed.filter(({ input }) => input === '').length,
  );
  const parts = parsed.map((part): SplitPart =>
    part.input === '' ? { ...part, amount: omitZeroAmount(shares.shift()) } : part,
  );
  const total = sumParts(parts);
  return { parts, total, error: findSplitError(parts, total, amount) };
}

function sumParts(parts: readonly Pick<SplitPart, 'amount'>[]): number {
  let sum = 0;
  for (const { amount = 0 } of parts) sum += amount;
  return sum;
}

function findSplitError(
  parts: readonly SplitPart[],
  total: number,
  amount: number | undefined,
): Split['error'] {
  const partsWithoutAmount = parts.filter((part) => part.amount === undefined);
  if (parts.length === 0) return 'missing';
  if (partsWithoutAmount.some(({ input }) => input !== '')) return 'not-an-amount';
  if (total !== amount) return 'wrong-total';
  return partsWithoutAmount.length > 0 ? 'too-small' : undefined;
}

function omitZeroAmount(amount: number | undefined): number | undefined {
  return amount === 0 ? undefined : amount;
}
