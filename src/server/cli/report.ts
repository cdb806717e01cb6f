import type { Configuration } from '@donation-form/core/schemas';
import type { IgnoredCount } from '../index.ts';
import { askOperator, inColumns } from './operator.ts';

/**
 * Asks a running server what its forms ignored of their settings.
 * @param days as written.
 * @returns a text for people. @throws where no server answers there.
 */
export async function reportIgnored(
  operator: Configuration['operator'],
  days = '30',
): Promise<string> {
  const { items } = await askOperator<{ items: readonly IgnoredCount[] }>(
    operator,
    `/ignored-settings?${new URLSearchParams({ days })}`,
  );
  if (items.length === 0) return `Nothing was ignored in the last ${days} days.\n`;
  return inColumns(
    [
      ['times', 'name', 'why', 'segment', 'form', 'last on'],
      ...items.map(({ count, name, reason, segment, form, lastDay }) => [
        String(count),
        name,
        reason.replaceAll('-', ' '),
        segment || '(none)',
        form,
        lastDay,
      ]),
    ],
    [0],
  );
}
