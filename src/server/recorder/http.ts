import type { HttpRecorderConfiguration } from '../../contract/configuration.ts';
import type { FundraisingClient } from '../../platform/fundraising/index.ts';
import { distinguish } from './distinguish.ts';
import type { GiftChange, GiftRecorder } from './recorder.ts';
import { fill, fillPath, valueAt } from './template.ts';

/**
 * Records at a platform by a call that its operator knows: the specification shows none that records or finds a gift.
 * Where the configuration names no look-up, a gift whose recording may have happened is held for a person.
 */
export function httpRecorder(client: FundraisingClient, { record, find, update }: Pick<HttpRecorderConfiguration, 'record' | 'find' | 'update'>): GiftRecorder {
  return {
    async record(gift) {
      const { body } = await client.call('POST', fillPath(record.path, gift), fill(record.body, gift)).catch(distinguish);
      return idIn(body, record.idAt);
    },
    ...(find && {
      async find(reference: string) {
        const { body } = await client.call('GET', fillPath(find.path, { reference })).catch(distinguish);
        return isAbsent(body, find.idAt) ? undefined : idIn(body, find.idAt);
      },
    }),
    ...(update && {
      async update(change: GiftChange) {
        await client.call(update.method, fillPath(update.path, change), fill(update.body, change)).catch(distinguish);
      },
    }),
  };
}

/** Whether an answer says that there is no such gift: a list on the way to the id is too short, or something on it is null. Anything else is an answer that is not understood. */
function isAbsent(body: unknown, path: string): boolean {
  let value = body;
  for (const name of path.split('.')) {
    if (value === null || (Array.isArray(value) && /^\d+$/.test(name) && Number(name) >= value.length)) return true;
    value = valueAt(value, name);
  }
  return value === null;
}

/** @throws where no id stands there. */
function idIn(body: unknown, path: string): number {
  const value = valueAt(body, path), id = typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : value;
  if (!Number.isSafeInteger(id) || (id as number) <= 0) throw new Error(`the platform answered, and no whole number stands at ${path} of its answer`);
  return id as number;
}
