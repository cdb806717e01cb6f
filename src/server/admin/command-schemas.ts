import { z } from 'zod';
import { cleanLine, cleanText } from '@donation-form/core/donor';
import { GIFT_ID } from '../platform/gift-id.ts';
import { DECISIONS, MAX_RESOLVED_EVENTS } from './command-values.ts';

const MAX_NAME_LENGTH = 80;
const MAX_NOTE_LENGTH = 1_000;

/** Name of the person who runs the command. */
export const nameSchema = z
  .string()
  .max(MAX_NAME_LENGTH, `expected at most ${MAX_NAME_LENGTH} characters`)
  .transform(cleanLine)
  .pipe(z.string().min(1, 'expected a name'));
const noteSchema = z
  .string()
  .max(MAX_NOTE_LENGTH, `expected at most ${MAX_NOTE_LENGTH} characters`)
  .transform(cleanText)
  .default('');

export const pauseSchema = z.strictObject({ by: nameSchema, note: noteSchema });

const GIFT_ID_ERROR =
  "expected the gift's ID on the platform: at most 255 characters, without spaces";

export const resolveSchema = z.strictObject({
  decision: z.enum(DECISIONS, {
    error: ({ input }) => `found ${JSON.stringify(input)}; expected one of ${DECISIONS.join(', ')}`,
  }),
  event: z.string().min(1).max(300).optional(),
  platformId: z
    .union(
      [z.int().positive().transform(String), z.string().trim().regex(GIFT_ID, GIFT_ID_ERROR)],
      { error: GIFT_ID_ERROR },
    )
    .optional(),
  by: nameSchema,
  note: noteSchema,
});

const decisionSchema = resolveSchema.shape.decision;
const timeSchema = z.iso
  .datetime({ offset: true, error: 'expected a time such as 2026-11-30T23:59:00Z' })
  .transform((text) => Date.parse(text));

/** Filter for events that one decision can resolve. */
export const matchSchema = z.strictObject({
  decision: decisionSchema,
  organization: z.string().optional(),
  reason: z.string().max(300).optional(),
  from: timeSchema.optional(),
  to: timeSchema.optional(),
});

/** One decision for several events. */
export const resolveAllSchema = z.strictObject({
  decision: decisionSchema,
  events: z.array(z.string().min(1).max(300)).max(MAX_RESOLVED_EVENTS),
  by: nameSchema,
  note: noteSchema,
});

/** Formats validation issues on one line. */
export function formatIssuesOnOneLine({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => `${path.join('.') || 'the request body'}: ${message}`)
    .join(' · ');
}
