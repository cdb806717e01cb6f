import { resolve } from 'node:path';
import { loadConfiguration } from '../../config/load-configuration.ts';
import type { Copy } from '../../index.ts';
import { say, type Command } from '../command.ts';
import { askOperator } from '../operator.ts';

export const backupCommand: Command = {
  usage: 'backup FILE',
  about: `Lets the running server copy its SQLite store into a new file on its machine, checks the copy, and says what is in it. Gifts are
taken meanwhile. PostgreSQL has means of its own: docs/records.md.`,
  options: ['config'],
  async run({ config }, file) {
    const { operator } = await loadConfiguration(config);
    const copy = await askOperator<Copy>(operator, '/records/backup', { file: resolve(file) });
    return say(`${copy.file}: ${copy.gifts} gifts, ${copy.bytes} bytes, checked.\n`);
  },
};
