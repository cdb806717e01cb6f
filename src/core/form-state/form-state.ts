import type { DonationFrequency, PaymentMethodType } from '../donation/index.ts';
import { DONOR_FIELDS, type DonorField } from '../donor/index.ts';
import {
  type AmountNotation,
  calculateFeeCover,
  type FeeRate,
  getFeeRate,
  parseTypedAmount,
  toMajorUnits,
} from '../money/index.ts';
import type { FormDefinition, ProjectOffer } from '../schemas/index.ts';
import { type FormSettings, getSuggestedAmounts } from '../settings/index.ts';
import type { FormValues } from './form-values.ts';
import { getSelectedMethod } from './selected-offer.ts';

export interface FormContext extends AmountNotation {
  readonly definition: FormDefinition;
  readonly settings: FormSettings;
  readonly decimalSeparator: string;
  readonly initialOptionalValues: FormValues;
}

/** The donor's input, which overrides the settings. */
export interface Edits {
  readonly frequency?: DonationFrequency;
  readonly currency?: string;
  /** The selected suggestion with its value in minor units, or `custom`. */
  readonly amountChoice?:
    { readonly index: number; readonly value: number; readonly currency: string } | 'custom';
  readonly customAmount?: string;
  readonly projectId?: string;
  readonly coverCosts?: boolean;
  /** Keyed by provider. */
  readonly paymentMethods?: Readonly<Record<string, PaymentMethodType>>;
  readonly donor?: Readonly<Partial<Record<DonorField, string>>>;
  readonly comment?: string;
  /** Values of the controls in the optional sections. These controls have a dot in their names. */
  readonly optionalFields?: FormValues;
}

export interface FormState {
  readonly frequency: DonationFrequency;
  /** Index of the selected suggestion. Undefined if the form has no amount. */
  readonly amountChoice: number | 'custom' | undefined;
  /** Text of the custom amount, as the donor entered it or as a setting preset it. */
  readonly customAmount: string;
  readonly projectId: string;
  readonly coverCosts: boolean;
  /** Undefined if the currency or payment method has no fee to cover. */
  readonly feeRate: FeeRate | undefined;
  readonly donor: Readonly<Partial<Record<DonorField, string>>>;
  readonly comment: string;
  readonly optionalFields: FormValues;
}

/** Minor units. */
export interface Totals {
  readonly amount: number;
  readonly coveredFees: number;
  readonly total: number;
}

/**
 * Ignores edits that the form no longer offers. If possible, an amount that is no longer suggested
 * becomes a custom amount.
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
 * Adds changed values to the edits. Autofill can change a control without an event.
 * @param state what the edits result in.
 */
export function mergeFormValues(
  context: FormContext,
  edits: Edits,
  values: FormValues,
  state = createFormState(context, edits),
): Edits {
  const { settings } = context;
  const findChange = (name: string, currentValue: string): string | undefined => {
    const value = values[name]?.[0];
    return value !== currentValue ? value : undefined;
  };
  const merged: { -readonly [Name in keyof Edits]: Edits[Name] } = { ...edits };
  const frequency = findChange('frequency', state.frequency) as DonationFrequency | undefined;
  if (frequency !== undefined) merged.frequency = frequency;
  const currency = findChange('currency', settings.currency.code);
  if (currency !== undefined) merged.currency = currency;
  const choice = findChange('amount', String(state.amountChoice));
  const option =
    choice === undefined
      ? undefined
      : getSuggestedAmounts(settings, state.frequency).giftArray[Number(choice)];
  if (option)
    merged.amountChoice = {
      index: Number(choice),
      value: option.value,
      currency: settings.currency.code,
    };
  const customAmount = findChange('customAmount', state.customAmount);
  if (customAmount !== undefined) merged.customAmount = customAmount;
  if (
    choice === 'custom' ||
    customAmount ||
    (customAmount === '' && state.amountChoice === 'custom')
  )
    merged.amountChoice = 'custom';
  const projectId = findChange('project', state.projectId);
  if (projectId !== undefined) merged.projectId = projectId;
  const coverCosts = values.coverCosts && values.coverCosts.length > 0;
  if (coverCosts !== undefined && coverCosts !== state.coverCosts) merged.coverCosts = coverCosts;
  const comment = findChange('comment', state.comment);
  if (comment !== undefined) merged.comment = comment;
  for (const [name, controlValues] of Object.entries(values)) {
    const [value] = controlValues;
    if (
      value !== undefined &&
      DONOR_FIELDS.includes(name as DonorField) &&
      value !== (state.donor[name as DonorField] ?? '')
    )
      merged.donor = { ...merged.donor, [name]: value };
    if (
      name.includes('.') &&
      controlValues.join('\0') !== (state.optionalFields[name] ?? []).join('\0')
    )
      merged.optionalFields = { ...merged.optionalFields, [name]: controlValues };
  }
  return merged;
}

function getDonationAmount(
  { amountChoice, customAmount, frequency }: FormState,
  context: FormContext,
): number | undefined {
  if (amountChoice === undefined) return undefined;
  return amountChoice === 'custom'
    ? parseTypedAmount(customAmount, context.settings.currency, context)
    : getSuggestedAmounts(context.settings, frequency).giftArray[amountChoice]?.value;
}

/** Returns the fee that the donor can cover, if the donation has one and a valid amount. */
export function calculateAddedFee(state: FormState, context: FormContext): number | undefined {
  const amount = getDonationAmount(state, context);
  const { feeRate } = state;
  return amount === undefined || !feeRate ? undefined : calculateFeeCover(amount, feeRate);
}

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

export function isOrganizationGift(
  { optionalFields }: FormState,
  { allowOrganizations }: FormDefinition,
): boolean {
  return allowOrganizations && (optionalFields['organization.enabled'] ?? []).length > 0;
}

/** Returns false for the first and last name if an organization donates. */
export function isDonorFieldRequired(
  name: DonorField,
  state: FormState,
  definition: FormDefinition,
): boolean {
  return !['firstName', 'lastName'].includes(name) || !isOrganizationGift(state, definition);
}
