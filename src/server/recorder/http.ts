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
        if (isAbsent(body, find.idAt)) return undefined;
        const id = idOf(valueAt(body, find.idAt));
        if (id === undefined) throw new Error(`the platform answered, and no whole number stands at ${find.idAt} of its answer`);
        return id;
      },
    }),
  };
}

/** Whether an answer says that there is no such gift: a list on the way to the id is too short, or something on it is null. Anything else is an answer that is not understood. */
function isAbsent(body: unknown, path: string): boolean {
  const names = path.split('.');
  return names.some((name, index) => {
    const holder = index === 0 ? body : valueAt(body, names.slice(0, index).join('.'));
    return holder === null || (Array.isArray(holder) && /^\d+$/.test(name) && Number(name) >= holder.length);
  }) || valueAt(body, path) === null;
}

function idOf(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(id) && (id as number) > 0 ? id as number : undefined;
}
