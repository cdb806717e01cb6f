import type { Configuration } from '@donation-form/core/schemas';
import type { ByHand } from '../index.ts';
import { askOperator, inColumns, minute } from './operator.ts';

/**
 * What a person has to enter at the platform, since it takes no call for it.
 * @returns a text for people.
 * @throws where no server answers.
 */
export async function listByHand(operator: Configuration['operator']): Promise<string> {
  const { items } = await askOperator<{ items: readonly ByHand[] }>(operator, '/events/by-hand');
  if (items.length === 0) return 'Nothing is to be entered by hand.\n';
  return inColumns(
    [
      ['when (UTC)', 'what', 'gift', 'amount', 'to do', 'why'],
      ...items.map(({ at, kind, reference, amount, currency, state, why }) => [
        minute(at),
        kind.replaceAll('-', ' '),
        reference,
        amount === null ? '' : `${amount} ${currency}`,
        state === 'held' ? 'find out' : 'enter',
        why,
      ]),
    ],
    [3],
  );
}
