import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { z } from 'zod';
import { configuration } from '../../src/core/schemas/configuration.ts';
import { extractCodeBlocks } from '../code-blocks.ts';

const PAGE = 'docs/reference/configuration.md';
const text = readFileSync(PAGE, 'utf8');
const page = text.replace(/^```[^]*?^```$/gm, '');
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

type Example = Readonly<Record<string, unknown>>;

const base = JSON.parse(readFileSync('examples/donation-form.config.json', 'utf8')) as Example & {
  organizations: [Example & { forms: [Example & { currencies: [Example] }] }];
};
const [organization] = base.organizations;
const [form] = organization.forms;
const [currency] = form.currencies;
const withOrganization = (fields: object): object => ({
  ...base,
  organizations: [{ ...organization, ...fields }],
});
const withForm = (fields: object): object => withOrganization({ forms: [{ ...form, ...fields }] });
const withCurrency = (fields: object): object =>
  withForm({ currencies: [{ ...currency, ...fields }] });

/** Puts the example of each section into a configuration. */
const SECTIONS: Readonly<Record<string, (example: never) => object>> = {
  'The file': (example: Example) => ({ ...base, ...example }),
  Organization: withOrganization,
  Platform: (platform: Example) => withOrganization({ platform }),
  'Payment providers': (payments: Example[]) => withOrganization({ payments }),
  Form: withForm,
  Currency: withCurrency,
  'Fee cover': (feeCover: Example) => withCurrency({ feeCover }),
  Project: (project: Example) => withForm({ projects: [project] }),
  Consent: (consent: Example) => withForm({ consents: [consent] }),
  'Custom field': (customField: Example) => withForm({ customFields: [customField] }),
  Goal: (goal: Example) => withOrganization({ goals: [goal] }),
  'Inbound webhook': (webhook: Example) => withOrganization({ inboundWebhooks: [webhook] }),
  'Outbound webhook': (webhook: Example) => withOrganization({ webhooks: [webhook] }),
  Mail: (mail: Example) => withOrganization({ mail }),
  Receipts: (receipts: Example) => withOrganization({ receipts, receiptSender: 'us' }),
  Alerts: (alerts: Example) => ({ ...base, alerts }),
};

test('docs/reference/configuration.md has a valid example in every section', () => {
  assert.ok(configuration.safeParse(base).success);
  const lines = text.split('\n');
  const headings = lines
    .filter((line) => line.startsWith('##'))
    .map((line) => line.replace(/^#+ /, ''));
  assert.deepEqual(headings, ['Common values', ...Object.keys(SECTIONS)]);
  const examples = extractCodeBlocks(PAGE).map(({ line, code }) => ({
    code,
    heading: lines
      .slice(0, line)
      .findLast((candidate) => candidate.startsWith('##'))
      ?.replace(/^#+ /, ''),
  }));
  assert.deepEqual(
    examples.map(({ heading }) => heading),
    Object.keys(SECTIONS),
  );
  for (const { heading, code } of examples) {
    const { error } = configuration.safeParse(SECTIONS[heading!]!(JSON.parse(code) as never));
    assert.equal(error && z.prettifyError(error), undefined, heading);
  }
});
