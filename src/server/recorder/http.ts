import type { HttpRecorderConfiguration } from '../../contract/configuration.ts';
import type { FundraisingClient } from '../../platform/fundraising/index.ts';
import { distinguish } from './distinguish.ts';
import type { GiftRecorder } from './recorder.ts';
import { fill, fillPath, valueAt } from './template.ts';

/**
 * Records at a platform by a call that its operator knows: the specification shows none that records or finds a gift.
 * Where the configuration names no look-up, a gift whose recording may have happened is held for a person.
 */
export function httpRecorder(client: FundraisingClient, { record, find }: Pick<HttpRecorderConfiguration, 'record' | 'find'>): GiftRecorder {
  return {
    async record(gift) {
      const { body } = await client.call('POST', fillPath(record.path, gift), fill(record.body, gift)).catch(distinguish);
      const id = idOf(valueAt(body, record.idAt));
      if (id === undefined) throw new Error(`the platform answered, and no whole number stands at ${record.idAt} of its answer`);
      return id;
    },
    ...(find && {
      async find(reference: string) {
        const { body } = await client.call('GET', fillPath(find.path, { reference })).catch(distinguish);
        return idOf(valueAt(body, find.idAt));
      },
    }),
  };
}

function idOf(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(id) ? id as number : undefined;
}
