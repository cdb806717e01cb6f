import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { configuration } from '../src/core/schemas/configuration.ts';
import { pageSettings } from '../src/core/schemas/settings.ts';

const SCHEMAS = { 'donation-form.config': configuration, settings: pageSettings };

/** Writes JSON schemas of the configuration file and of page settings, which editors use. */
export async function writeSchemas(
  folder: string,
  names: readonly (keyof typeof SCHEMAS)[],
): Promise<void> {
  for (const name of names) {
    const json = JSON.stringify(z.toJSONSchema(SCHEMAS[name], { io: 'input' }));
    await writeFile(`${folder}/${name}.schema.json`, `${json}\n`);
  }
}
