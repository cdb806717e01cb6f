import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { z } from 'zod';
import { configuration } from '../../src/core/schemas/configuration.ts';

const page = readFileSync('docs/reference/configuration.md', 'utf8');
const extractNames = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name!.split('.'));
/** Paths of fields in the first column of the tables. */
const fields = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => extractNames(line.split('|')[1]!));

/** Lists all property names and enum values of a schema. */
function listNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, enum: choices = [] } = schema as {
    properties?: object;
    enum?: unknown[];
  };
  return [
    ...Object.keys(properties),
    ...choices.map(String),
    ...Object.values(properties).flatMap(listNames),
    ...Object.entries(schema).flatMap(([name, part]) =>
      name === 'properties' ? [] : listNames(part),
    ),
  ];
}

test('docs/reference/configuration.md names every field and enum value of the configuration, and no other field', () => {
  const known = listNames(z.toJSONSchema(configuration, { io: 'input' }));
  assert.ok(known.length > 100);
  // Event names contain dots themselves.
  const named = [
    ...extractNames(page),
    ...[...page.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  ];
  for (const name of new Set(known)) assert.ok(named.includes(name), `${name} is not on the page`);
  for (const name of new Set(fields))
    assert.ok(known.includes(name), `${name} is no field of the configuration`);
});
