/**
 * Writes the JSON schemas that editors use: of the operator's configuration file, and of the page's
 * settings.
 */
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { configuration } from '../src/contract/configuration.ts';
import { pageSettings } from '../src/contract/settings.ts';

for (const [name, schema] of [
  ['donation-form.config', configuration],
  ['settings', pageSettings],
] as const) {
  writeFileSync(
    `dist/${name}.schema.json`,
    `${JSON.stringify(z.toJSONSchema(schema, { io: 'input' }), null, 2)}\n`,
  );
}
