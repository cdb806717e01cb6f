import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { z } from 'zod';
import { configuration } from '../../src/core/schemas/configuration.ts';

const page = readFileSync('docs/configuration.md', 'utf8');
const codeIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name!.split('.'));
/** The first cells of the tables' rows: fields, with the way to them. */
const fields = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => codeIn(line.split('|')[1]!));

/** Every name and every choice of a schema. */
function namesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, enum: choices = [] } = schema as {
    properties?: object;
    enum?: unknown[];
  };
  return [
    ...Object.keys(properties),
    ...choices.map(String),
    ...Object.values(properties).flatMap(namesOf),
    ...Object.entries(schema).flatMap(([name, part]) =>
      name === 'properties' ? [] : namesOf(part),
    ),
  ];
}

test('docs/configuration.md names every field of the configuration and every choice, and no other field', () => {
  const known = namesOf(z.toJSONSchema(configuration, { io: 'input' }));
  assert.ok(known.length > 100);
  // The names of events have dots in them themselves.
  const named = [...codeIn(page), ...[...page.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)];
  for (const name of new Set(known)) assert.ok(named.includes(name), `${name} is not on the page`);
  for (const name of new Set(fields))
    assert.ok(known.includes(name), `${name} is no field of the configuration`);
});
