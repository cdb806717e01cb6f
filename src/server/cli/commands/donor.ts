import { loadConfiguration } from '../../config/load-configuration.ts';
import type { DonorDeletion, DonorRecord } from '../../index.ts';
import { say, type Command } from '../command.ts';
import { askOperator } from '../operator.ts';

export const exportDonorCommand: Command = {
  usage: 'donor export EMAIL',
  about: `Writes everything that the server keeps of a donor as JSON: gifts with all that they came with, what happened to them, tracking,
consents, custom fields, and what the platform's webhooks said.`,
  options: ['config', 'organization'],
  async run({ config, organization }, email) {
    const { operator } = await loadConfiguration(config);
    return say(
      `${JSON.stringify(await askOperator<DonorRecord>(operator, '/records/donor', { email, ...(organization !== undefined && { organization }) }), null, 2)}\n`,
    );
  },
};

export const deleteDonorCommand: Command = {
  usage: 'donor delete EMAIL',
  about: `Deletes what names a donor, --by NAME of the person who does it; sums, references, states, days and projects stay for the books.
What is still needed stays, with the reason and what to do. Exits with 1 where something stays.`,
  options: ['config', 'organization', 'by'],
  async run({ config, organization, by }, email) {
    if (by === undefined)
      throw new Error(
        '--by is required: the name of the person who deletes, which is kept with the gifts.',
      );
    const { operator } = await loadConfiguration(config);
    const { deleted, unnamed, needed } = await askOperator<DonorDeletion>(
      operator,
      '/records/donor/deletion',
      { email, by, ...(organization !== undefined && { organization }) },
    );
    say(
      [
        ...(deleted.length + unnamed.length + needed.length === 0
          ? ['No gift names this address.']
          : []),
        ...deleted.map((reference) => `deleted   ${reference}`),
        ...unnamed.map(
          (reference) => `deleted   ${reference}: the address, which somebody else named in it`,
        ),
        ...needed.map(({ reference, why }) => `stays     ${reference}: ${why}`),
        ...(deleted.length + unnamed.length > 0
          ? ['The processor, the platform and backups keep their own: delete there too.']
          : []),
      ]
        .map((line) => `${line}\n`)
        .join(''),
    );
    return needed.length === 0 ? 0 : 1;
  },
};
