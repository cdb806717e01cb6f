import { z } from 'zod';
import { cleanText, MAX_TEXT_LENGTH } from '../donor/donor.ts';
import { LANGUAGES } from '../i18n/languages.ts';
import { isServiceUrl } from '../url/service-url.ts';
import { describeExpectedAmount } from './configuration-hints.ts';
import { textSchema } from './text.ts';

export const nonEmptyArray = <Item extends z.ZodType>(item: Item) => z.tuple([item], item);

/** Makes a list schema reject entries that have the same key. */
export const requireUnique = <Entries extends z.ZodType<readonly unknown[]>>(
  list: Entries,
  keyName: string,
  getKey: (entry: z.output<Entries>[number]) => string,
) =>
  list.refine((entries) => new Set(entries.map(getKey)).size === entries.length, {
    error: ({ input }) => {
      const keys = (input as z.output<Entries>).map(getKey);
      const duplicate = keys.findIndex((key, index) => keys.indexOf(key) < index);
      return (
        `expected each ${keyName} only once, but entries ${keys.indexOf(keys[duplicate]!)} and ` +
        `${duplicate} have the same ${keyName}`
      );
    },
  });

export const recordWithKeys = <Name extends string, Value extends z.ZodType>(
  names: readonly Name[],
  value: Value,
) =>
  z.partialRecord(z.enum(names), value, {
    error: (issue: z.core.$ZodRawIssue) =>
      issue.code === 'unrecognized_keys'
        ? `found ${issue.keys.join(', ')}; expected one of ${names.join(', ')}`
        : undefined,
  });

/** One string for all languages, or one string per language. */
export const createLocalizedText = (schema: z.ZodString) =>
  z.union(
    [
      schema,
      recordWithKeys(LANGUAGES, schema).refine(
        (texts) => Object.keys(texts).length > 0,
        'expected text in at least one language',
      ),
    ],
    'expected a non-empty string, or one string per language, such as { "en": "Wells", "de": "Brunnen" }',
  );

const MAX_PARAGRAPH_LENGTH = 10_000;

/** Like a donor's line, but with the no-break spaces of French. */
export const createLine = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine(
      (input) => cleanText(input) === input && !input.includes('\n'),
      'expected a single line without control characters, direction marks, or surrounding spaces',
    );

/** A name or another text that could otherwise change the headers of a mail. */
export const line = createLine(MAX_TEXT_LENGTH);
export const localizedLine = createLocalizedText(line);
/** Can have several lines. */
export const localizedText = createLocalizedText(textSchema(MAX_PARAGRAPH_LENGTH).min(1));
export type LocalizedText = z.infer<typeof localizedText>;

export const id = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,39}$/,
    'expected 1 to 40 lowercase letters, digits, or hyphens, starting with a letter or digit',
  );

export const currencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, 'expected an uppercase ISO 4217 code, such as USD');

/** A name of one label, such as `mail`, can be that of a machine in the same network. */
export const host = z
  .string()
  .refine(
    isHost,
    'expected a hostname or IP address without a protocol and port, such as smtp.example.org',
  );

function isHost(text: string): boolean {
  if (text.includes(':')) return URL.canParse(`http://[${text}]`);
  return URL.canParse(`http://${text}`) && new URL(`http://${text}`).host === text.toLowerCase();
}

/** Returns a function that adds an issue if a condition is false. */
export const createExpectation =
  (context: z.RefinementCtx) =>
  (isRight: boolean, path: PropertyKey[], message: string): void => {
    if (!isRight) context.addIssue({ code: 'custom', path, message });
  };

/** Creates Zod options with an error message that depends on the input. */
export const createErrorOptions = (describe: (text: string) => string) => ({
  error: ({ input }: z.core.$ZodRawIssue) => describe(String(input)),
});

export const amount = z.string().regex(/^\d+(\.\d+)?$/, createErrorOptions(describeExpectedAmount));
export const secret = z
  .union(
    [
      z.strictObject({
        env: z
          .string()
          .regex(
            /^[A-Z][A-Z0-9_]*$/,
            'expected an environment variable name: uppercase letters, digits, or underscores, starting with a letter',
          ),
      }),
      z.strictObject({
        file: line.regex(
          /^(\/|[A-Za-z]:[\\/])/,
          'expected an absolute path, such as /run/secrets/name',
        ),
      }),
    ],
    'expected { "env": "NAME" } or { "file": "/run/secrets/name" }',
  )
  .describe(
    'environment variable or file that contains the secret; never put the secret itself here',
  );
export type SecretName = z.infer<typeof secret>;

export const serviceUrl = line.refine(
  isServiceUrl,
  'expected an https:// URL (http:// only for localhost) without a username, query, or fragment',
);

export const giftUrl = line
  .refine(
    (text) => text.includes('{id}') && /^https?:/.test(text) && URL.canParse(text),
    'expected a URL that contains {id}, such as https://crm.example.org/gifts/{id}',
  )
  .optional()
  .describe(
    "URL of a gift's page on the platform, with {id} in place of the gift ID; the admin pages link to this page",
  );
