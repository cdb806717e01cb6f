import { z } from 'zod';
import { Misunderstanding } from './refusal.ts';

/**
 * The kinds of values that forms carry. Whatever a shape does not name is refused, as Stripe
 * refuses it.
 */
export const text = z.string().min(1);
export const whole = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number);
export const email = z.email().max(512);
export const address = z.url().max(5_000);
export const flag = z.enum(['true', 'false']).transform((word) => word === 'true');
export const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine((fields) => Object.keys(fields).length <= 50)
  .transform((fields) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
  );
const expand = { expand: z.array(text).default([]) };
export const pages = {
  limit: whole.optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
};
export const shape = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.strictObject({ ...fields, ...expand });

/** @throws what Stripe says of parameters that it does not understand. */
export function understood<Shape extends z.ZodType>(
  expected: Shape,
  params: unknown,
): z.output<Shape> {
  const { data, error } = expected.safeParse(params, { reportInput: true });
  if (!error) return data;
  const issue = error.issues[0]!;
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const param = bracketed([...path, ...issue.keys.slice(0, 1)]);
    throw new Misunderstanding('parameter_unknown', param, `Received unknown parameter: ${param}`);
  }
  const param = bracketed(path);
  if (issue.input === undefined)
    throw new Misunderstanding('parameter_missing', param, `Missing required param: ${param}.`);
  if (issue.input === '')
    throw new Misunderstanding(
      'parameter_invalid_empty',
      param,
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a field; however '${param}' cannot be unset.`,
    );
  if (issue.code === 'invalid_format' && issue.format === 'email')
    throw new Misunderstanding('email_invalid', param, `Invalid email address: ${issue.input}`);
  if (issue.code === 'invalid_format' && issue.format === 'url')
    throw new Misunderstanding('url_invalid', param, 'Not a valid URL');
  if (issue.code === 'invalid_format')
    throw new Misunderstanding(
      'parameter_invalid_integer',
      param,
      `Invalid integer: ${issue.input}`,
    );
  throw new Misunderstanding(undefined, param, `Invalid ${param}: ${issue.message}`);
}

const bracketed = ([first = '', ...rest]: readonly string[]): string =>
  first + rest.map((name) => `[${name}]`).join('');
