import type { FormDefinition } from '../schemas/index.ts';
import {
  CustomFieldDataType,
  MAX_COMMENT_LENGTH,
  MAX_ORGANIZATION_LENGTH,
  cleanEmail,
  cleanLine,
  cleanText,
  isEmail,
} from '../donor/index.ts';
import { TRIBUTE_KINDS, MAX_TRIBUTE_NAME_LENGTH } from '../donation/index.ts';
import type { OptionalSettings } from '../settings/index.ts';
import { getFirstControlValue, isControlChecked, type FormValues } from './form-values.ts';
import {
  isVisibleCustomField,
  parseCustomField,
  type CustomFieldErrorCode,
} from './custom-fields.ts';
import type { OptionalRequestFields } from './to-donation-request.ts';
import { calculateSplit, type Split } from './split.ts';
import { validateAmount, calculateTotals, type FormState, type FormContext } from './form-state.ts';

export interface OptionalFieldError {
  readonly control: string;
  readonly code: NonNullable<Split['error']> | CustomFieldErrorCode | 'not-an-email';
  /** Label of the custom field. Absent for other controls. */
  readonly field?: string;
}

/** Returns the presets for the tribute and the custom fields. */
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

export function getTributeKind(
  { optionalFields }: FormState,
  { allowTribute }: FormDefinition,
): (typeof TRIBUTE_KINDS)[number] | undefined {
  return allowTribute
    ? TRIBUTE_KINDS.find((kind) => kind === getFirstControlValue(optionalFields, 'tribute.kind'))
    : undefined;
}

/** Returns the errors in the optional controls, in display order. */
export function validateOptionalFields(
  state: FormState,
  context: FormContext,
): OptionalFieldError[] {
  const { optionalFields } = state;
  const { definition, decimalSeparator } = context;
  const errors: OptionalFieldError[] = [];
  const totals = calculateTotals(state, context);
  const split = totals && calculateSplit(state, context, totals.amount);
  if (split?.error && !validateAmount(state, context))
    errors.push({ control: 'split.projects', code: split.error });
  if (getTributeKind(state, definition)) {
    const notifyEmail = cleanEmail(getFirstControlValue(optionalFields, 'tribute.notify'));
    if (cleanLine(getFirstControlValue(optionalFields, 'tribute.name')) === '')
      errors.push({ control: 'tribute.name', code: 'missing' });
    if (notifyEmail !== '' && !isEmail(notifyEmail))
      errors.push({ control: 'tribute.notify', code: 'not-an-email' });
  }
  if (
    definition.allowOrganizations &&
    isControlChecked(optionalFields, 'organization.enabled') &&
    cleanLine(getFirstControlValue(optionalFields, 'organization.name')) === ''
  )
    errors.push({ control: 'organization.name', code: 'missing' });
  for (const field of definition.customFields.filter(isVisibleCustomField)) {
    const parsed = parseCustomField(
      field,
      optionalFields[`custom.${field.id}`] ?? [],
      decimalSeparator,
    );
    if ('error' in parsed)
      errors.push({ control: `custom.${field.id}`, code: parsed.error, field: field.label });
  }
  for (const consent of definition.consents) {
    if (consent.required && !hasConsent(optionalFields, consent))
      errors.push({ control: `consent.${consent.id}`, code: 'missing' });
  }
  return errors;
}

/** Returns the request fields for the optional controls, which must have valid values. */
export function toOptionalRequestFields(
  state: FormState,
  context: FormContext,
  amount: number,
): OptionalRequestFields {
  const { optionalFields } = state;
  const { definition, decimalSeparator } = context;
  const parts = calculateSplit(state, context, amount)?.parts.map((part) => ({
    id: part.id,
    amount: part.amount ?? 0,
  }));
  const kind = getTributeKind(state, definition);
  const message = cleanText(getFirstControlValue(optionalFields, 'tribute.message'))
    .slice(0, MAX_COMMENT_LENGTH)
    .trim();
  const notifyEmail = cleanEmail(getFirstControlValue(optionalFields, 'tribute.notify'));
  const organization =
    definition.allowOrganizations && isControlChecked(optionalFields, 'organization.enabled')
      ? cleanLine(getFirstControlValue(optionalFields, 'organization.name'))
          .slice(0, MAX_ORGANIZATION_LENGTH)
          .trim()
      : '';
  return {
    gift: {
      ...(parts && { projects: parts }),
      ...(kind && {
        tribute: {
          kind,
          name: cleanLine(getFirstControlValue(optionalFields, 'tribute.name'))
            .slice(0, MAX_TRIBUTE_NAME_LENGTH)
            .trim(),
          ...(message && { message }),
          ...(notifyEmail && { notifyEmail }),
        },
      }),
      ...(definition.allowAnonymous &&
        isControlChecked(optionalFields, 'gift.anonymous') && { anonymous: true }),
    },
    donor: organization ? { organization } : {},
    customFields: definition.customFields.filter(isVisibleCustomField).flatMap((field) => {
      const parsed = parseCustomField(
        field,
        optionalFields[`custom.${field.id}`] ?? [],
        decimalSeparator,
      );
      return 'value' in parsed && parsed.value !== ''
        ? [{ id: field.id, value: parsed.value }]
        : [];
    }),
    consents: definition.consents.map((consent) => ({
      id: consent.id,
      text: consent.text,
      given: hasConsent(optionalFields, consent),
    })),
  };
}
