import type { FormDefinition, ProjectOffer } from '../contract/form-definition.ts';
import { COMMENT_LENGTH, DONOR_FIELDS, DONOR_FIELD_LENGTHS, cleanLine, cleanText, isEmail, type DonorField } from '../model/donor.ts';
import { coveredCosts } from '../model/costs.ts';
import { majorUnits, parseTypedAmount } from '../model/money.ts';
import type { GiftFrequency } from '../model/frequency.ts';
import type { Settings } from '../settings/settings.ts';

/** What a form offers and starts from. */
export interface Offer {
  readonly definition: FormDefinition;
  readonly settings: Settings;
}

/** What the donor entered. What is absent is as the settings have it: no setting overwrites what was entered. */
export interface Edits {
  readonly frequency?: GiftFrequency;
  /** The chosen option by its place, amount and currency, or the amount that the donor writes. */
  readonly choice?: { readonly place: number; readonly value: number; readonly currency: string } | 'custom';
  readonly customAmount?: string;
  readonly projectId?: string;
  readonly coverCosts?: boolean;
  readonly donor?: Readonly<Partial<Record<DonorField, string>>>;
  readonly comment?: string;
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
}

/** What is wrong with a control, by its name in the form. */
export interface FormProblem {
  readonly control: 'amount' | DonorField;
  readonly code: 'missing' | 'not-an-amount' | 'too-small' | 'too-large' | 'not-an-email';
}

/** The sums of a gift, minor units. */
export interface Sums {
  readonly amount: number;
  readonly costs: number;
  readonly total: number;
}

/** What a form shows under these edits. An edit that is no longer offered gives way to the settings; an amount stays in any case. */
export function stateOf({ definition, settings }: Offer, edits: Edits): FormState {
  const { giftArray } = settings;
  const { choice } = edits;
  const chosen = typeof choice === 'object' && choice.currency === settings.currency.code && (definition.acceptsCustomAmount || giftArray.some(({ value }) => value === choice.value)) ? choice : undefined;
  const suggested = chosen?.value ?? settings.amount;
  const known = chosen?.place ?? settings.place;
  const place = known !== undefined && giftArray[known]?.value === suggested ? known : giftArray.findIndex(({ value }) => value === suggested);
  const isCustom = edits.choice === 'custom' || (suggested !== undefined && place < 0);
  const isListed = giftArray.some(({ value }) => value === settings.amount);
  const written = (amount: number): string => majorUnits(amount, settings.currency.decimals).replace(/\.0+$/, '');
  return {
    frequency: definition.frequencies.find((frequency) => frequency === edits.frequency) ?? settings.frequency,
    choice: isCustom ? 'custom' : place < 0 ? undefined : place,
    customAmount: chosen && place < 0 ? written(chosen.value) : edits.customAmount ?? (settings.amount === undefined || isListed ? '' : written(settings.amount)),
    projectId: settings.isProjectFixed ? settings.project.id : definition.projects.find(({ id }) => id === edits.projectId)?.id ?? settings.project.id,
    coverCosts: edits.coverCosts ?? settings.coverCosts,
    donor: { ...settings.donor, ...edits.donor },
    comment: edits.comment ?? settings.comment,
  };
}

/**
 * The edits after the donor used the form: every control that differs from what was shown is one.
 * @param entries the form's data: autofill may have filled controls without an event.
 */
export function withEntries(offer: Offer, edits: Edits, entries: FormData): Edits {
  const shown = stateOf(offer, edits);
  const changed = (name: string, before: string): string | undefined => {
    const value = entries.get(name);
    return typeof value === 'string' && value !== before ? value : undefined;
  };
  const frequency = changed('frequency', shown.frequency) as GiftFrequency | undefined;
  const choice = changed('amount', String(shown.choice));
  const customAmount = changed('customAmount', shown.customAmount);
  const projectId = changed('project', shown.projectId);
  const comment = changed('comment', shown.comment);
  const donor = DONOR_FIELDS.flatMap((name) => {
    const value = changed(name, shown.donor[name] ?? '');
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...edits,
    ...(frequency !== undefined && { frequency }),
    ...(choice !== undefined && { choice: choice === 'custom' ? choice : { place: Number(choice), value: offer.settings.giftArray[Number(choice)]!.value, currency: offer.settings.currency.code } }),
    ...(customAmount !== undefined && { customAmount, ...(customAmount !== '' && { choice: 'custom' as const }) }),
    ...(projectId !== undefined && { projectId }),
    ...(entries.has('coverCosts') !== shown.coverCosts && { coverCosts: entries.has('coverCosts') }),
    ...(donor.length > 0 && { donor: { ...edits.donor, ...Object.fromEntries(donor) as Edits['donor'] } }),
    ...(comment !== undefined && { comment }),
  };
}

/** The gift before costs, minor units; `undefined` where none is chosen or what is written is no amount. */
function amountOf({ choice, customAmount }: FormState, { settings: { giftArray, currency } }: Offer): number | undefined {
  return choice === 'custom' ? parseTypedAmount(customAmount, currency) : choice === undefined ? undefined : giftArray[choice]?.value;
}

/** The costs that the donor may add to the gift that is chosen now; `undefined` where that is not offered or nothing is chosen. */
export function costsOf(state: FormState, offer: Offer): number | undefined {
  const amount = amountOf(state, offer), rate = offer.settings.currency.costs;
  return amount === undefined || rate === undefined ? undefined : coveredCosts(amount, rate);
}

/** What would be charged; `undefined` while the amount is not one that the form takes. */
export function sumsOf(state: FormState, offer: Offer): Sums | undefined {
  const amount = amountOf(state, offer);
  if (amount === undefined || amountProblem(state, offer)) return undefined;
  const costs = state.coverCosts ? costsOf(state, offer) ?? 0 : 0;
  return { amount, costs, total: amount + costs };
}

export function projectOf({ projectId }: FormState, { definition, settings }: Offer): ProjectOffer {
  return definition.projects.find(({ id }) => id === projectId) ?? settings.project;
}

/** Everything that keeps the gift from being sent, in the order of the form. */
export function problemsOf(state: FormState, offer: Offer): FormProblem[] {
  const amount = amountProblem(state, offer);
  const donor = offer.definition.donorFields.flatMap(({ name, required }): FormProblem[] => {
    const text = cleanLine(state.donor[name] ?? '');
    if (text === '') return required ? [{ control: name, code: 'missing' }] : [];
    return name === 'email' && !isEmail(text) ? [{ control: name, code: 'not-an-email' }] : [];
  });
  return [...(amount ? [{ control: 'amount', code: amount } as const] : []), ...donor];
}

function amountProblem(state: FormState, offer: Offer): Exclude<FormProblem['code'], 'not-an-email'> | undefined {
  const { currency } = offer.settings;
  const amount = amountOf(state, offer);
  if (amount === undefined) return state.choice === 'custom' && state.customAmount.trim() !== '' ? 'not-an-amount' : 'missing';
  return amount < currency.minimum ? 'too-small' : amount > currency.maximum ? 'too-large' : undefined;
}

/** The donor's fields as they are sent: cleaned, cut to their lengths, the empty ones left out. */
export function donorOf({ donor }: FormState): Partial<Record<DonorField, string>> {
  return Object.fromEntries(Object.entries(donor).flatMap(([name, text]) => {
    const clean = cleanLine(text).slice(0, DONOR_FIELD_LENGTHS[name as DonorField]).trim();
    return clean === '' ? [] : [[name, clean]];
  }));
}

export function commentOf({ comment }: FormState): string | undefined {
  return cleanText(comment).slice(0, COMMENT_LENGTH).trim() || undefined;
}
