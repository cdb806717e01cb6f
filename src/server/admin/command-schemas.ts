import { z } from 'zod';
import { cleanLine, cleanText } from '@donation-form/core/donor';
import type { Decision } from '../database/schema.ts';

const NAME_LENGTH = 80;
const NOTE_LENGTH = 1_000;

const DECISIONS = [
  'charged',
  'entered',
  'declined',
  'recorded',
  'not-recorded',
  'send',
] as const satisfies readonly Decision[];

/** Who gives an order. */
export const name = z
  .string()
  .max(NAME_LENGTH, `expected ${NAME_LENGTH} characters at most`)
  .transform(cleanLine)
  .pipe(z.string().min(1, 'expected a name'));
const note = z
  .string()
  .max(NOTE_LENGTH, `expected ${NOTE_LENGTH} characters at most`)
  .transform(cleanText)
  .default('');

/** What is kept of any order beside its subject. */
export const signed = z.strictObject({ by: name, note });

export const resolve = z.strictObject({
  as: z.enum(DECISIONS, {
    error: ({ input }) => `found ${JSON.stringify(input)}, expected one of ${DECISIONS.join(', ')}`,
  }),
  about: z.string().min(1).max(300).optional(),
  platformId: z.int().positive().optional(),
  by: name,
  note,
});

/** A whole number above zero as people type it. @returns `undefined` where it is none. */
export function readPlatformId(written: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(written.trim()) ? Number(written) : undefined;
}

/** What is wrong with an order, in one line. */
export function faultOf({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`)
    .join(' · ');
}
