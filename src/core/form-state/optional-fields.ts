import { MAX_TRIBUTE_NAME_LENGTH } from '../donation/index.ts';
import {
  cleanEmail,
  cleanLine,
  cleanText,
  CustomFieldDataType,
  isEmail,
  MAX_COMMENT_LENGTH,
  MAX_ORGANIZATION_LENGTH,
  truncate,
} from '../donor/index.ts';
import type { FormDefinition } from '../schemas/index.ts';
import type { OptionalSettings } from '../settings/index.ts';
import {
  type CustomFieldErrorCode,
  isVisibleCustomField,
  parseCustomField,
} from './custom-fields.ts';
import {
  calculateTotals,
  type FormContext,
  type FormState,
  isOrganizationGift,
} from './form-state.ts';
import { type FormValues, getFirstControlValue, isControlChecked } from './form-values.ts';
import { findGiftAidErrors, toGiftAid } from './gift-aid.ts';
import { calculateSplit, type Split } from './split.ts';
import type { OptionalRequestFields } from './to-donation-request.ts';
import { getTributeKind } from './tribute.ts';

export interface OptionalFieldError {
  readonly control: string;
  readonly code: NonNullable<Split['error']> | CustomFieldErrorCode | 'not-an-email';
  readonly field?: string;
}

export function getInitialOptionalValues(
  definition: FormDefinition,
  { customFields: presets, tribute }: OptionalSettings,
  decimalSeparator: string,
): FormValues {
  return Object.fromEntries([
    ...(tribute?.kind ? [['tribute.kind', [tribute.kind]]] : []),
    ...(tribute?.name ? [['tribute.name', [tribute.name]]] : []),
    ...definition.customFields.filter(isVisibleCustomField).flatMap(({ id, type }) => {
      const preset = presets.find((field) => field.id === id)?.value;
      return preset === undefined
        ? []
        : [[`custom.${id}`, toControlValues(preset, type, decimalSeparator)]];
    }),
  ]) as FormValues;
}

function toControlValues(
  preset: string,
  type: CustomFieldDataType,
  decimalSeparator: string,
): readonly string[] {
  if (type === CustomFieldDataType.Multiselect) return preset.split(',');
  return [type === CustomFieldDataType.Decimal ? preset.replace('.', decimalSeparator) : preset];
}

/** Consent to earlier wording does not count. */
const hasConsent = (
  values: FormValues,
  { id, text }: FormDefinition['consents'][number],
): boolean => values[`consent.${id}`]?.includes(text) ?? false;

function parseVisibleFields(
  { optionalFields }: FormState,
  { definition, decimalSeparator }: FormContext,
) {
  return definition.customFields.filter(isVisibleCustomField).map((field) => {
    const values = optionalFields[`custom.${field.id}`] ?? [];
    return { field, parsed: parseCustomField(field, values, decimalSeparator) };
  });
}

export function validateOptionalFields(
  state: FormState,
  context: FormContext,
): OptionalFieldError[] {
  const { optionalFields } = state;
  const { definition } = context;
  const errors: OptionalFieldError[] = [];
  const isBlank = (control: string): boolean =>
    cleanLine(getFirstControlValue(optionalFields, control)) === '';
  const totals = calculateTotals(state, context);
  const split = totals && calculateSplit(state, context, totals.amount);
  if (split?.error) errors.push({ control: 'split.projects', code: split.error });
  if (getTributeKind(state, definition)) {
    const notifyEmail = cleanEmail(getFirstControlValue(optionalFields, 'tribute.notify'));
    if (isBlank('tribute.name')) errors.push({ control: 'tribute.name', code: 'missing' });
    if (notifyEmail !== '' && !isEmail(notifyEmail))
      errors.push({ control: 'tribute.notify', code: 'not-an-email' });
  }
  if (isOrganizationGift(state, definition) && isBlank('organization.name'))
    errors.push({ control: 'organization.name', code: 'missing' });
  errors.push(...findGiftAidErrors(state, context));
  for (const { field, parsed } of parseVisibleFields(state, context))
    if ('error' in parsed)
      errors.push({ control: `custom.${field.id}`, code: parsed.error, field: field.label });
  for (const consent of definition.consents)
    if (consent.required && !hasConsent(optionalFields, consent))
      errors.push({ control: `consent.${consent.id}`, code: 'missing' });
  return errors;
}

/** The controls must have valid values. */
export function toOptionalRequestFields(
  state: FormState,
  context: FormContext,
  amount: number,
): OptionalRequestFields {
  const { optionalFields } = state;
  const { definition } = context;
  const getLine = (control: string, maxLength: number): string =>
    truncate(cleanLine(getFirstControlValue(optionalFields, control)), maxLength);
  const parts = calculateSplit(state, context, amount)?.parts.map((part) => ({
    id: part.id,
    amount: part.amount ?? 0,
  }));
  const kind = getTributeKind(state, definition);
  const message = cleanText(getFirstControlValue(optionalFields, 'tribute.message'));
  const notifyEmail = cleanEmail(getFirstControlValue(optionalFields, 'tribute.notify'));
  const organization = getLine('organization.name', MAX_ORGANIZATION_LENGTH);
  const consents = definition.consents.map((consent) => ({
    id: consent.id,
    text: consent.text,
    given: hasConsent(optionalFields, consent),
  }));
  const giftAid = toGiftAid(state, context);
  return {
    gift: {
      ...(parts && { projects: parts }),
      ...(kind && {
        tribute: {
          kind,
          name: getLine('tribute.name', MAX_TRIBUTE_NAME_LENGTH),
          ...(message && { message: truncate(message, MAX_COMMENT_LENGTH) }),
          ...(notifyEmail && { notifyEmail }),
        },
      }),
      ...(definition.allowAnonymous &&
        isControlChecked(optionalFields, 'gift.anonymous') && { anonymous: true }),
    },
    donor: organization && isOrganizationGift(state, definition) ? { organization } : {},
    customFields: parseVisibleFields(state, context).flatMap(({ field, parsed }) =>
      'value' in parsed && parsed.value !== '' ? [{ id: field.id, value: parsed.value }] : [],
    ),
    declarations: {
      ...(consents.length > 0 && { consents }),
      ...(giftAid && { giftAid }),
    },
  };
}
