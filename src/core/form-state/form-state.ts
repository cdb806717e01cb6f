import type { FormDefinition, ProjectOffer } from '../schemas/index.ts';
import { DONOR_FIELDS, type DonorField } from '../donor/index.ts';
import {
  calculateFeeCover,
  type FeeRate,
  getFeeRate,
  toMajorUnits,
  parseTypedAmount,
} from '../money/index.ts';
import type { DonationFrequency, PaymentMethodType } from '../donation/index.ts';
import { getSuggestedAmounts, type Settings } from '../settings/index.ts';
import type { FormValues } from './form-values.ts';
import { getSelectedMethod } from './selected-offer.ts';

/** A form definition with the settings that apply. */
export interface FormContext {
  readonly definition: FormDefinition;
  readonly settings: Settings;
  /** Decimal separator of the form's language. */
  readonly decimalSeparator: string;
  readonly initialOptionalValues: FormValues;
}

/** The donor's input, which overrides the settings. Settings apply to absent properties. */
export interface Edits {
  readonly frequency?: DonationFrequency;
  readonly currency?: string;
  /** The selected suggestion, or `custom` for an entered amount. `value` is in minor units. */
  readonly amountChoice?:
    { readonly index: number; readonly value: number; readonly currency: string } | 'custom';
  readonly customAmount?: string;
  readonly projectId?: string;
  readonly coverCosts?: boolean;
  /** Methods selected in the payment fields, keyed by provider. */
  readonly paymentMethods?: Readonly<Record<string, PaymentMethodType>>;
  readonly donor?: Readonly<Partial<Record<DonorField, string>>>;
  readonly comment?: string;
  /** Values of controls in the optional sections. The names of these controls contain a dot. */
  readonly optionalFields?: FormValues;
}

/** The values that the form shows: the donor's input, and settings for everything else. */
export interface FormState {
  readonly frequency: DonationFrequency;
  /** Index of the selected suggestion, `custom` for an entered amount, or undefined if neither. */
  readonly amountChoice: number | 'custom' | undefined;
  /** Amount as text, as entered or preset. */
  readonly customAmount: string;
  readonly projectId: string;
  readonly coverCosts: boolean;
  /**
   * Fee that the donor may cover. Undefined if the currency or payment method has no fee to cover.
   */
  readonly feeRate: FeeRate | undefined;
  readonly donor: Readonly<Partial<Record<DonorField, string>>>;
  readonly comment: string;
  readonly optionalFields: FormValues;
}

/** Amounts of a donation, in minor units. */
export interface Totals {
  readonly amount: number;
  readonly coveredFees: number;
  readonly total: number;
}

/**
 * Combines settings and edits. Ignores edits that the form no longer offers. If the form allows
 * custom amounts, an amount that is no longer suggested becomes one.
 */
export function createFormState(context: FormContext, edits: Edits): FormState {
  const { definition, settings, decimalSeparator } = context;
  const { amountChoice } = edits;
  const frequency =
    definition.frequencies.find((offered) => offered === edits.frequency) ?? settings.frequency;
  const { giftArray, amount, selectedIndex } = getSuggestedAmounts(settings, frequency);
  const choice =
    typeof amountChoice === 'object' &&
    amountChoice.currency === settings.currency.code &&
    (definition.allowCustomAmount ||
      giftArray.some((option) => option.value === amountChoice.value))
      ? amountChoice
      : undefined;
  const value = choice?.value ?? amount;
  const preferredIndex = choice?.index ?? selectedIndex;
  const index =
    preferredIndex !== undefined && giftArray[preferredIndex]?.value === value
      ? preferredIndex
      : giftArray.findIndex((option) => option.value === value);
  const selectedIndexOrNone = index < 0 ? undefined : index;
  const isCustom = edits.amountChoice === 'custom' || (value !== undefined && index < 0);
  const isSuggested = giftArray.some((option) => option.value === amount);
  const formatInput = (minor: number): string =>
    toMajorUnits(minor, settings.currency.decimals)
      .replace(/\.0+$/, '')
      .replace('.', decimalSeparator);
  const optionalFields = { ...context.initialOptionalValues, ...edits.optionalFields };
  const feeRate = getFeeRate(
    settings.currency.feeCover,
    getSelectedMethod(optionalFields, definition, edits.paymentMethods),
  );
  return {
    frequency,
    amountChoice: isCustom ? 'custom' : selectedIndexOrNone,
    customAmount:
      choice && index < 0
        ? formatInput(choice.value)
        : (edits.customAmount ?? (amount === undefined || isSuggested ? '' : formatInput(amount))),
    projectId: settings.isProjectFixed
      ? settings.project.id
      : (definition.projects.find(({ id }) => id === edits.projectId)?.id ?? settings.project.id),
    coverCosts: feeRate !== undefined && (edits.coverCosts ?? settings.coverCosts),
    feeRate,
    donor: { ...settings.donor, ...edits.donor },
    comment: definition.allowComment ? (edits.comment ?? settings.comment) : '',
    optionalFields,
  };
}

/**
 * Adds every control whose value differs from the form state to the edits.
 * @param values values of all controls. Autofill may change a control without an event.
 */
export function mergeFormValues(context: FormContext, edits: Edits, values: FormValues): Edits {
  const state = createFormState(context, edits);
  const { settings } = context;
  const findChange = (name: string, currentValue: string): string | undefined => {
    const value = values[name]?.[0];
    return value !== currentValue ? value : undefined;
  };
  const frequency = findChange('frequency', state.frequency) as DonationFrequency | undefined;
  const currency = findChange('currency', settings.currency.code);
  const choice = findChange('amount', String(state.amountChoice));
  const option =
    choice === undefined
      ? undefined
      : getSuggestedAmounts(settings, state.frequency).giftArray[Number(choice)];
  const customAmount = findChange('customAmount', state.customAmount);
  const projectId = findChange('project', state.projectId);
  const comment = findChange('comment', state.comment);
  const donor = DONOR_FIELDS.flatMap((name) => {
    const value = findChange(name, state.donor[name] ?? '');
    return value === undefined ? [] : [[name, value]];
  });
  const optionalFields = Object.entries(values).filter(
    ([name, controlValues]) =>
      name.includes('.') &&
      controlValues.join('\0') !== (state.optionalFields[name] ?? []).join('\0'),
  );
  const coverCosts = values.coverCosts && values.coverCosts.length > 0;
  return {
    ...edits,
    ...(frequency !== undefined && { frequency }),
    ...(currency !== undefined && { currency }),
    ...(option && {
      amountChoice: {
        index: Number(choice),
        value: option.value,
        currency: settings.currency.code,
      },
    }),
    ...((choice === 'custom' ||
      (customAmount !== undefined && (customAmount !== '' || state.amountChoice === 'custom'))) && {
      amountChoice: 'custom' as const,
    }),
    ...(customAmount !== undefined && { customAmount }),
    ...(projectId !== undefined && { projectId }),
    ...(coverCosts !== undefined && coverCosts !== state.coverCosts && { coverCosts }),
    ...(donor.length > 0 && {
      donor: { ...edits.donor, ...(Object.fromEntries(donor) as Edits['donor']) },
    }),
    ...(comment !== undefined && { comment }),
    ...(optionalFields.length > 0 && {
      optionalFields: {
        ...edits.optionalFields,
        ...(Object.fromEntries(optionalFields) as FormValues),
      },
    }),
  };
}

/**
 * Returns the amount in minor units, without covered fees. Returns `undefined` if the amount is
 * invalid.
 */
function getDonationAmount(
  { amountChoice, customAmount, frequency }: FormState,
  { settings, decimalSeparator }: FormContext,
): number | undefined {
  if (amountChoice === undefined) return undefined;
  return amountChoice === 'custom'
    ? parseTypedAmount(customAmount, settings.currency, decimalSeparator)
    : getSuggestedAmounts(settings, frequency).giftArray[amountChoice]?.value;
}

/**
 * Returns the fee that the donor may cover, in minor units. Returns `undefined` if there is no fee
 * to cover or no valid amount.
 */
export function calculateAddedFee(state: FormState, context: FormContext): number | undefined {
  const amount = getDonationAmount(state, context);
  const { feeRate } = state;
  return amount === undefined || !feeRate ? undefined : calculateFeeCover(amount, feeRate);
}

/** Returns the amounts to charge, or `undefined` if the amount is invalid. */
export function calculateTotals(state: FormState, context: FormContext): Totals | undefined {
  const amount = getDonationAmount(state, context);
  if (amount === undefined || validateAmount(state, context)) return undefined;
  const coveredFees = state.coverCosts ? (calculateAddedFee(state, context) ?? 0) : 0;
  return { amount, coveredFees, total: amount + coveredFees };
}

export function getSelectedProject(
  { projectId }: FormState,
  { definition, settings }: FormContext,
): ProjectOffer {
  return definition.projects.find(({ id }) => id === projectId) ?? settings.project;
}

export type AmountErrorCode = 'missing' | 'not-an-amount' | 'too-small' | 'too-large';

export function validateAmount(
  state: FormState,
  context: FormContext,
): AmountErrorCode | undefined {
  const { currency } = context.settings;
  const amount = getDonationAmount(state, context);
  if (amount === undefined)
    return state.amountChoice === 'custom' && state.customAmount.trim() !== ''
      ? 'not-an-amount'
      : 'missing';
  if (amount < currency.minimum) return 'too-small';
  return amount > currency.maximum ? 'too-large' : undefined;
}

/** Returns true unless the field is a person's name and an organization donates. */
export function isDonorFieldRequired(
  name: DonorField,
  { optionalFields }: FormState,
  { allowOrganizations }: FormDefinition,
): boolean {
  return (
    !['firstName', 'lastName'].includes(name) ||
    !allowOrganizations ||
    !optionalFields['organization.enabled']?.length
  );
}
