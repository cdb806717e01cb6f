import type { Configuration } from '@donation-form/core/schemas';
import type { OrganizationReport } from '../index.ts';
import { askOperator, inColumns, minute } from './operator.ts';

/**
 * The organisations of a running server, and whether they take gifts.
 * @returns a text for people.
 * @throws where no server answers, or what it refuses.
 */
export async function listOrganizations(operator: Configuration['operator']): Promise<string> {
  const { items } = await askOperator<{ items: readonly OrganizationReport[] }>(
    operator,
    '/api/organizations',
  );
  return inColumns([
    ['organisation', 'name', 'state', 'forms', 'since (UTC)', 'by', 'note'],
    ...items.map(({ id, name, forms, paused }) => [
      id,
      name,
      paused ? 'paused' : 'takes gifts',
      forms.join(', '),
      paused ? minute(paused.at) : '',
      paused?.by ?? '',
      paused?.note.replaceAll('\n', ' / ') ?? '',
    ]),
  ]);
}

/**
 * Pauses or resumes an organisation.
 * @returns what was switched.
 * @throws as {@link listOrganizations} does.
 */
export async function switchOrganization(
  operator: Configuration['operator'],
  id: string,
  to: 'pause' | 'resume',
  order: { readonly by: string; readonly note: string },
): Promise<string> {
  const { said } = await askOperator<{ said: string }>(
    operator,
    `/api/organizations/${encodeURIComponent(id)}/${to}`,
    order,
  );
  return `${said}\n`;
}
