import { z } from 'zod';
import { containsPersonalData } from '../donor/contains-personal-data.ts';
import { cleanLine, MAX_CODE_LENGTH } from '../donor/donor.ts';
import { MISTAKE_REASONS } from '../settings/ignore-reason.ts';

/** What a form ignored, without values except the segment, which donations also include. */
export const settingsReport = z.strictObject({
  form: z.string().min(1).max(100),
  segment: z
    .string()
    .min(1)
    .max(MAX_CODE_LENGTH)
    .refine(
      (text) => cleanLine(text) === text && !containsPersonalData(text),
      'expected a single line without control characters, surrounding spaces, or personal data',
    )
    .optional(),
  ignored: z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^[\w.-]{1,60}$/, 'expected a name such as fund-code or giftInfo.amount'),
        reason: z.enum(MISTAKE_REASONS),
      }),
    )
    .min(1)
    .max(50),
});
export type SettingsReport = z.infer<typeof settingsReport>;
