import { z } from 'zod';
import { InvalidParameterError } from './stripe-error.ts';

/** Schemas of form-encoded values. Like Stripe, the schemas reject unknown parameters. */
export const nonEmptyString = z.string().min(1);
export const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number);
export const emailAddress = z.email().max(512);
export const url = z.url().max(5_000);
export const booleanString = z.enum(['true', 'false']).transform((value) => value === 'true');
export const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine((fields) => Object.keys(fields).length <= 50)
  .transform((fields) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
  );
const expandParam = { expand: z.array(nonEmptyString).default([]) };
export const paginationParams = {
  limit: integer.optional(),
  starting_after: nonEmptyString.optional(),
  ending_before: nonEmptyString.optional(),
};
export const defineParams = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.strictObject({ ...fields, ...expandParam });

/**
 * Parses parameters by a schema.
 * @throws InvalidParameterError, with Stripe's message, if a parameter is invalid.
 */
export function parseParams<Schema extends z.ZodType>(
  schema: Schema,
  params: unknown,
): z.output<Schema> {
  const { data, error } = schema.safeParse(params, { reportInput: true });
  if (!error) return data;
  const issue = error.issues[0]!;
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const param = formatParamName([...path, ...issue.keys.slice(0, 1)]);
    throw new InvalidParameterError(
      'parameter_unknown',
      param,
      `Received unknown parameter: ${param}`,
    );
  }
  const param = formatParamName(path);
  if (issue.input === undefined)
    throw new InvalidParameterError(
      'parameter_missing',
      param,
      `Missing required param: ${param}.`,
    );
  if (issue.input === '')
    throw new InvalidParameterError(
      'parameter_invalid_empty',
      param,
      `You passed an empty string for '${param}'. We assume empty values are an attempt to ` +
        `unset a field; however '${param}' cannot be unset.`,
    );
  if (issue.code === 'invalid_format' && issue.format === 'email')
    throw new InvalidParameterError(
      'email_invalid',
      param,
      `Invalid email address: ${issue.input}`,
    );
  if (issue.code === 'invalid_format' && issue.format === 'url')
    throw new InvalidParameterError('url_invalid', param, 'Not a valid URL');
  if (issue.code === 'invalid_format')
    throw new InvalidParameterError(
      'parameter_invalid_integer',
      param,
      `Invalid integer: ${issue.input}`,
    );
  throw new InvalidParameterError(undefined, param, `Invalid ${param}: ${issue.message}`);
}

const formatParamName = ([first = '', ...rest]: readonly string[]): string =>
  first + rest.map((name) => `[${name}]`).join('');
