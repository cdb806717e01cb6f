import { z } from 'zod';
import { CustomFieldDataType } from '../model/custom-field.ts';
import { CODE_LENGTH, DONOR_FIELDS } from '../model/donor.ts';
import { GIFT_FREQUENCIES } from '../model/frequency.ts';
import { isServiceUrl } from '../model/service-url.ts';
import { listOf } from './form-definition.ts';

/** A list with at least one entry, each told apart by something that no other has. */
const distinct = <Item extends z.ZodType>(item: Item, by: string, nameOf: (entry: z.output<Item>) => string) =>
  listOf(item).refine((entries) => new Set(entries.map((entry) => nameOf(entry as z.output<Item>))).size === entries.length, `expected each ${by} once`);
const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'expected small letters, digits and hyphens, 40 at most');
const amount = z.string().regex(/^\d+(\.\d+)?$/, 'expected an amount in major units as a string, such as "25" or "0.30"');
const secret = z.strictObject({ env: z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'expected the name of an environment variable') })
  .describe('the environment variable that holds the secret; the secret itself never stands in this file');

const serviceUrl = z.string().refine(isServiceUrl, 'expected an https:// address (http:// only for this machine), without a user name, query or fragment');

const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text), 'expected an origin such as "https://example.org", without a path');

const currency = z.strictObject({
  code: z.string().regex(/^[A-Z]{3}$/, 'expected an ISO 4217 code in capitals'),
  minimum: amount,
  maximum: amount,
  giftArray: z.array(z.strictObject({ value: amount, description: z.string().optional(), displayValue: z.string().optional(), isDefault: z.boolean().optional() })).max(12),
  costs: z.strictObject({ percent: z.string().regex(/^\d{1,2}(\.\d{1,2})?$/, 'expected a percentage such as "2.9"').refine((percent) => Number(percent) <= 50, 'expected 50 at most'), fixed: amount }).optional(),
});

const dataTypes = Object.keys(CustomFieldDataType) as (keyof typeof CustomFieldDataType)[];

const form = z.strictObject({
  id,
  currencies: distinct(currency, 'currency', ({ code }) => code),
  frequencies: distinct(z.enum(GIFT_FREQUENCIES), 'frequency', (frequency) => frequency),
  projects: distinct(z.strictObject({ id: z.string().min(1), code: z.string().min(1).optional(), name: z.string().min(1) }), 'id', (project) => project.id),
  donorFields: z.partialRecord(z.enum(DONOR_FIELDS), z.enum(['required', 'optional'])),
  acceptsComment: z.boolean().default(false),
  acceptsCustomAmount: z.boolean().default(true),
  customFields: z.array(z.strictObject({ id: z.string().min(1).max(CODE_LENGTH), type: z.enum(dataTypes), options: z.array(z.string().min(1)).optional() })
    .refine(({ type, options }) => (type === 'List' || type === 'Multiselect') === (options !== undefined), 'expected options with a List or a Multiselect, and with nothing else'))
    .refine((fields) => new Set(fields.map((field) => field.id)).size === fields.length, 'expected each id once').default([]),
  acceptsHiddenCustomFields: z.boolean().default(false),
});

const path = z.string().regex(/^\/[^/\s#][^\s#]*$/, 'expected a path below the base address, such as /api/gift');
const idAt = z.string().regex(/^[\w-]+(\.[\w-]+)*$/, 'expected the names that lead to the id, such as items.0.id');

/** Recording by a call that the operator knows. In path and body `{reference}`, `{total}`, `{donor.email}` and the like are filled in. */
const httpRecorder = z.strictObject({
  kind: z.literal('http'), baseUrl: serviceUrl, apiKey: secret,
  record: z.strictObject({ path, body: z.record(z.string(), z.json()), idAt: idAt.describe("where the gift's id stands in the answer, a whole number") }),
  find: z.strictObject({ path: path.refine((text) => text.includes('{reference}'), 'expected {reference} in it'), idAt }).optional()
    .describe('a look-up by our reference, which answers 200 whether it finds the gift or not; without one, a gift whose recording may have happened is held for a person'),
});
export type HttpRecorderConfiguration = z.infer<typeof httpRecorder>;

const organization = z.strictObject({
  id,
  name: z.string().min(1),
  contact: z.email(),
  origins: listOf(origin).describe('the pages that may show the forms'),
  payment: z.strictObject({ provider: z.literal('sandbox'), baseUrl: serviceUrl, publicKey: z.string().min(1), secretKey: secret }),
  recorder: z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('sandbox'), baseUrl: serviceUrl, apiKey: secret }), httpRecorder]),
  forms: listOf(form),
});

/** `donation-form.config.json`: everything that an operator decides. In each list the first entry is the default. */
export const configuration = z.strictObject({
  $schema: z.string().optional(),
  listen: z.strictObject({ host: z.string().min(1), port: z.int().min(0).max(65_535) }),
  operator: z.strictObject({ host: z.string().min(1).default('127.0.0.1'), port: z.int().min(1).max(65_535) }).optional()
    .describe("the operator's own listener: what forms ignored of their settings. Without a host only this machine reaches it"),
  store: z.string().min(1).describe('the SQLite file; relative to the configuration file'),
  organizations: distinct(organization, 'id', (entry) => entry.id),
});
export type Configuration = z.infer<typeof configuration>;
export type OrganizationConfiguration = Configuration['organizations'][number];
export type FormConfiguration = OrganizationConfiguration['forms'][number];
