import { z } from 'zod';
import { CODE_LENGTH, cleanLine } from '../donor/donor.ts';
import { MISTAKES } from '../settings/ignore-reason.ts';
import { namesSomebody } from '../donor/contains-personal-data.ts';

/**
 * The body of `POST /ignored-settings`: what a form ignored of its address and its page's settings.
 * Never a value, but the segment, which gifts carry too.
 */
export const ignoredSettings = z.strictObject({
  form: z.string().min(1).max(100),
  segment: z
    .string()
    .min(1)
    .max(CODE_LENGTH)
    .refine(
      (text) => cleanLine(text) === text && !namesSomebody(text),
      'expected one line without control characters, spaces at its ends, or an e-mail address',
    )
    .optional(),
  ignored: z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^[\w.-]{1,60}$/, 'expected a name such as fund-code or giftInfo.amount'),
        reason: z.enum(MISTAKES),
      }),
    )
    .min(1)
    .max(50),
});
export type IgnoredSettings = z.infer<typeof ignoredSettings>;
