import { z } from 'zod';
import { cleanLine, cleanText, isEmail } from '@donation-form/core/donor';
import { LANGUAGES } from '@donation-form/core/i18n';
import type { MailKind } from '../../database/schema.ts';
import { isDeliverable } from '../../lib/smtp-client.ts';
import { checkDonorWords } from '../../mail/donor-words.ts';
import { MAIL_SAMPLES } from '../../mail/mail-samples.ts';
import { GIFT_ID } from '../../platform/gift-id.ts';
import { PERMISSIONS, ROLES } from '../../staff/roles.ts';
import {
  DECISIONS,
  DEFAULT_TIMEOUT_SECONDS,
  LIST_STATUSES,
  MAX_RESOLVED_EVENTS,
} from './input-values.ts';

const MAX_NAME_LENGTH = 80;
const MAX_NOTE_LENGTH = 1_000;

export const nameSchema = z
  .string()
  .max(MAX_NAME_LENGTH, `expected at most ${MAX_NAME_LENGTH} characters`)
  .transform(cleanLine)
  .pipe(z.string().min(1, 'expected a name'));
/** Names of people stand in messages to others, which must not carry a stranger's link. */
export const personNameSchema = nameSchema
  .transform((name) => {
    const checked = checkDonorWords(name);
    return 'text' in checked ? checked.text : undefined;
  })
  .pipe(z.string('expected a name without contact details').min(1, 'expected a name'));
export const personEmailSchema = z
  .string()
  .refine(
    (email) => isEmail(email) && isDeliverable(email),
    'expected an email that all mail servers accept, such as name@example.org',
  );
const noteSchema = z
  .string()
  .max(MAX_NOTE_LENGTH, `expected at most ${MAX_NOTE_LENGTH} characters`)
  .transform(cleanText)
  .default('');

const createDaysSchema = (max: number) =>
  z
    .string()
    .default('30')
    .refine((text) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= max, {
      error: ({ input }) => `found '${String(input)}'; expected an integer from 1 to ${max}`,
    })
    .transform(Number);

export const noInputSchema = z.object({});
export const idSchema = z.object({ id: z.string() });
export const donationListSchema = z.object({
  status: z
    .enum(LIST_STATUSES, {
      error: ({ input }) => `found '${String(input)}'; expected one of ${LIST_STATUSES.join(', ')}`,
    })
    .optional(),
  organization: z.string().optional(),
  days: createDaysSchema(3_660),
});
export const referenceSchema = z.object({ reference: z.string() });
export const settingsReportSchema = z.object({ days: createDaysSchema(90) });
export const pauseSchema = z.strictObject({ id: z.string(), by: nameSchema, note: noteSchema });
export const redirectSchema = z.strictObject({ from: z.string().min(1), to: z.string().min(1) });
// The listener closes idle connections after a minute, so the run must be shorter.
export const runJobsSchema = z.strictObject({
  timeoutSeconds: z
    .int()
    .positive()
    .transform((seconds) => Math.min(seconds, DEFAULT_TIMEOUT_SECONDS)),
});
export const backupSchema = z.strictObject({ file: z.string().min(1).max(1_000) });

const shortTextSchema = z.string().min(1).max(200);
const organizationFields = { organization: shortTextSchema.optional() };
export const donationExportSchema = z.strictObject({
  ...organizationFields,
  from: shortTextSchema,
  to: shortTextSchema,
});
export const giftAidCancellationSchema = z.strictObject({
  reference: z.string(),
  from: shortTextSchema.optional(),
  by: nameSchema,
});
export const reconciliationSchema = donationExportSchema.extend({
  apply: z.boolean().default(false),
  includeRows: z.boolean().default(false),
});
export const donorExportSchema = z.strictObject({
  ...organizationFields,
  email: z.string().refine(isEmail, 'expected an email address'),
});
export const mailTestSchema = z.strictObject({
  ...organizationFields,
  kind: z.enum(Object.keys(MAIL_SAMPLES) as MailKind[]).default('thank_you'),
  language: z.enum(LANGUAGES).default('en'),
  to: donorExportSchema.shape.email,
});
export const donorDeletionSchema = donorExportSchema.extend({ by: nameSchema });
export const organizationSchema = z.strictObject(organizationFields);
export const mailPauseSchema = organizationSchema.extend({ by: nameSchema });

const yearSchema = z
  .union(
    [
      z.int(),
      z
        .string()
        .regex(/^\d{4}$/)
        .transform(Number),
    ],
    {
      error: 'expected a year such as 2026',
    },
  )
  .pipe(z.int().min(2000, 'expected a year such as 2026').max(2999));
const MONTH_ERROR = 'expected a month from 1 to 12';
export const statementYearSchema = z.object({
  year: yearSchema,
  startMonth: z.coerce
    .number(MONTH_ERROR)
    .int(MONTH_ERROR)
    .min(1, MONTH_ERROR)
    .max(12, MONTH_ERROR)
    .default(1),
});
export const receiptListSchema = z.object({
  organization: z.string().optional(),
  year: yearSchema.optional(),
  search: z.string().max(40).optional(),
});
export const receiptExportSchema = z.strictObject({ ...organizationFields, year: yearSchema });
const receiptLineSchema = z
  .string()
  .max(200, 'expected at most 200 characters')
  .transform(cleanLine)
  .pipe(z.string().min(1, 'expected text'));
export const receiptCorrectionSchema = z.strictObject({
  reference: z.string(),
  name: receiptLineSchema,
  addressLines: z.array(receiptLineSchema).max(6, 'expected at most 6 lines'),
  by: nameSchema,
  note: noteSchema,
});
export const receiptVoidSchema = z.strictObject({
  reference: z.string(),
  reason: noteSchema.pipe(z.string().min(1, 'expected a reason')),
  by: nameSchema,
});
export const statementSchema = donorExportSchema.extend(statementYearSchema.shape);

const GIFT_ID_ERROR =
  "expected the gift's ID on the platform: at most 255 characters, without spaces";

export const resolveSchema = z.strictObject({
  reference: z.string(),
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

export const matchSchema = z.strictObject({
  decision: decisionSchema,
  organization: z.string().optional(),
  reason: z.string().max(300).optional(),
  from: timeSchema.optional(),
  to: timeSchema.optional(),
});

export const resolveAllSchema = z.strictObject({
  decision: decisionSchema,
  events: z.array(z.string().min(1).max(300)).max(MAX_RESOLVED_EVENTS),
  by: nameSchema,
  note: noteSchema,
});

const rolesShape = {
  /** ID of an organization, or `*` for all. */
  organization: z.string().min(1).max(200),
  roles: z
    .array(z.enum(ROLES, `expected roles among ${ROLES.join(', ')}`))
    .transform((roles) => [...new Set(roles)]),
};
export const rolesSchema = z.strictObject({ id: z.string(), ...rolesShape });
export const invitationSchema = z.strictObject({
  email: personEmailSchema,
  name: personNameSchema,
  ...rolesShape,
  roles: rolesShape.roles.refine((roles) => roles.length > 0, 'expected at least one role'),
});
export const tokenSchema = z.strictObject({
  name: nameSchema,
  organization: rolesShape.organization,
  permissions: z
    .array(z.enum(PERMISSIONS, `expected permissions among ${PERMISSIONS.join(', ')}`))
    .min(1, 'expected at least one permission'),
});
export const auditQuerySchema = z.object({
  actor: z.string().max(100).optional(),
  from: shortTextSchema.optional(),
  to: shortTextSchema.optional(),
  before: z.string().max(100).optional(),
});
