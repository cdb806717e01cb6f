import type { FormDefinition, ProjectOffer } from '@donation-form/core/schemas';
import { DONOR_FIELDS, type DonorField } from '@donation-form/core/donor';
import { coveredCosts, majorUnits, parseTypedAmount } from '@donation-form/core/money';
import type { GiftFrequency } from '@donation-form/core/donation';
import { suggestedFor, type Settings } from '@donation-form/core/settings';

/** What a form offers and starts from. */
export interface FormContext {
  readonly definition: FormDefinition;
  readonly settings: Settings;
  /** What stands before the decimals of an amount in the form's language. */
  readonly decimalMark: string;
  /** What the controls of the form's rarer parts start from. */
  readonly more: Entries;
}

/**
 * The values of a form's controls, by name; an empty list is a control without one, such as a box
 * that is not ticked.
 */
export type Entries = Readonly<Record<string, readonly string[]>>;

/**
 * What the donor entered. What is absent is as the settings have it: no setting overwrites what was
 * entered.
 */
export interface Edits {
  readonly frequency?: GiftFrequency;
  readonly currency?: string;
  /** The chosen option by its place, amount and currency, or the amount that the donor writes. */
  readonly choice?:
    { readonly place: number; readonly value: number; readonly currency: string } | 'custom';
  readonly customAmount?: string;
  readonly projectId?: string;
  readonly coverCosts?: boolean;
  readonly donor?: Readonly<Partial<Record<DonorField, string>>>;
  readonly comment?: string;
  /** Controls of the form's rarer parts, whose names have a dot in them. */
  readonly more?: Entries;
}

/** What the form shows: the settings, and over them what the donor entered. */
export interface FormState {
  readonly frequency: GiftFrequency;
  /** The place of the chosen option in the gift array, or the amount that the donor writes. */
  readonly choice: number | 'custom' | undefined;
  /** As written. */
  readonly customAmount: string;
  readonly projectId: string;
  readonly coverCosts: boolean;
  readonly donor: Readonly<Partial<Record<DonorField, string>>>;
  readonly comment: string;
  readonly more: Entries;
}

/** The sums of a gift, minor units. */
export interface Sums {
  readonly amount: number;
  readonly costs: number;
  readonly total: number;
}

/**
 * What a form shows under these edits. An edit that is no longer offered gives way to the settings;
 * an amount stays in any case.
 */
export function stateOf(context: FormContext, edits: Edits): FormState {
  const { definition, settings, decimalMark } = context;
  const { choice } = edits;
  const frequency =
    definition.frequencies.find((one) => one === edits.frequency) ?? settings.frequency;
  const { giftArray, amount, place: marked } = suggestedFor(settings, frequency);
  const chosen =
    typeof choice === 'object' &&
    choice.currency === settings.currency.code &&
    (definition.allowCustomAmount || giftArray.some(({ value }) => value === choice.value))
      ? choice
      : undefined;
  const suggested = chosen?.value ?? amount;
  const known = chosen?.place ?? marked;
  const place =
    known !== undefined && giftArray[known]?.value === suggested
      ? known
      : giftArray.findIndex(({ value }) => value === suggested);
  const chosenPlace = place < 0 ? undefined : place;
  const isCustom = edits.choice === 'custom' || (suggested !== undefined && place < 0);
  const isListed = giftArray.some(({ value }) => value === amount);
  const written = (minor: number): string =>
    majorUnits(minor, settings.currency.decimals).replace(/\.0+$/, '').replace('.', decimalMark);
  return {
    frequency,
    choice: isCustom ? 'custom' : chosenPlace,
    customAmount:
      chosen && place < 0
        ? written(chosen.value)
        : (edits.customAmount ?? (amount === undefined || isListed ? '' : written(amount))),
    projectId: settings.isProjectFixed
      ? settings.project.id
      : (definition.projects.find(({ id }) => id === edits.projectId)?.id ?? settings.project.id),
    coverCosts: settings.currency.costs !== undefined && (edits.coverCosts ?? settings.coverCosts),
    donor: { ...settings.donor, ...edits.donor },
    comment: definition.allowComment ? (edits.comment ?? settings.comment) : '',
    more: { ...context.more, ...edits.more },
  };
}

/**
 * The edits after the donor used the form: every control that differs from what was shown is one.
 * @param entries the form's controls as they are: autofill may have filled them without an event.
 */
export function withEntries(context: FormContext, edits: Edits, entries: Entries): Edits {
  const shown = stateOf(context, edits);
  const { settings } = context;
  const changed = (name: string, before: string): string | undefined => {
    const value = entries[name]?.[0];
    return value !== before ? value : undefined;
  };
  const frequency = changed('frequency', shown.frequency) as GiftFrequency | undefined;
  const currency = changed('currency', settings.currency.code);
  const choice = changed('amount', String(shown.choice));
  const option =
    choice === undefined
      ? undefined
      : suggestedFor(settings, shown.frequency).giftArray[Number(choice)];
  const customAmount = changed('customAmount', shown.customAmount);
  const projectId = changed('project', shown.projectId);
  const comment = changed('comment', shown.comment);
  const donor = DONOR_FIELDS.flatMap((name) => {
    const value = changed(name, shown.donor[name] ?? '');
    return value === undefined ? [] : [[name, value]];
  });
  const more = Object.entries(entries).filter(
    ([name, values]) =>
      name.includes('.') && values.join('\0') !== (shown.more[name] ?? []).join('\0'),
  );
  const coverCosts = entries.coverCosts && entries.coverCosts.length > 0;
  return {
    ...edits,
    ...(frequency !== undefined && { frequency }),
    ...(currency !== undefined && { currency }),
    ...(option && {
      choice: { place: Number(choice), value: option.value, currency: settings.currency.code },
    }),
    ...((choice === 'custom' ||
      (customAmount !== undefined && (customAmount !== '' || shown.choice === 'custom'))) && {
      choice: 'custom' as const,
    }),
    ...(customAmount !== undefined && { customAmount }),
    ...(projectId !== undefined && { projectId }),
    ...(coverCosts !== undefined && coverCosts !== shown.coverCosts && { coverCosts }),
    ...(donor.length > 0 && {
      donor: { ...edits.donor, ...(Object.fromEntries(donor) as Edits['donor']) },
    }),
    ...(comment !== undefined && { comment }),
    ...(more.length > 0 && { more: { ...edits.more, ...(Object.fromEntries(more) as Entries) } }),
  };
}

/**
 * The gift before costs, minor units; `undefined` where none is chosen or what is written is no
 * amount.
 */
function amountOf(
  { choice, customAmount, frequency }: FormState,
  { settings, decimalMark }: FormContext,
): number | undefined {
  if (choice === undefined) return undefined;
  return choice === 'custom'
    ? parseTypedAmount(customAmount, settings.currency, decimalMark)
    : suggestedFor(settings, frequency).giftArray[choice]?.value;
}

/**
 * The costs that the donor may add to the gift that is chosen now; `undefined` where that is not
 * offered or nothing is chosen.
 */
export function costsOf(state: FormState, context: FormContext): number | undefined {
  const amount = amountOf(state, context);
  const rate = context.settings.currency.costs;
  return amount === undefined || rate === undefined ? undefined : coveredCosts(amount, rate);
}

/** What would be charged; `undefined` while the amount is not one that the form takes. */
export function sumsOf(state: FormState, context: FormContext): Sums | undefined {
  const amount = amountOf(state, context);
  if (amount === undefined || amountProblem(state, context)) return undefined;
  const costs = state.coverCosts ? (costsOf(state, context) ?? 0) : 0;
  return { amount, costs, total: amount + costs };
}

export function projectOf(
  { projectId }: FormState,
  { definition, settings }: FormContext,
): ProjectOffer {
  return definition.projects.find(({ id }) => id === projectId) ?? settings.project;
}

/** What is wrong with the amount. */
export type AmountProblem = 'missing' | 'not-an-amount' | 'too-small' | 'too-large';

export function amountProblem(state: FormState, context: FormContext): AmountProblem | undefined {
  const { currency } = context.settings;
  const amount = amountOf(state, context);
  if (amount === undefined)
    return state.choice === 'custom' && state.customAmount.trim() !== ''
      ? 'not-an-amount'
      : 'missing';
  if (amount < currency.minimum) return 'too-small';
  return amount > currency.maximum ? 'too-large' : undefined;
}

/**
 * Whether a field that the form requires is needed now: an organisation gives without a person's
 * name.
 */
export function isNeeded(
  name: DonorField,
  { more }: FormState,
  { allowOrganizations }: FormDefinition,
): boolean {
  return (
    !['firstName', 'lastName'].includes(name) ||
    !allowOrganizations ||
    !more['organization.is']?.length
  );
}
