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

/** What the donor did so far. It is replaced, never edited. */
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

export function initialState({ settings }: Offer): FormState {
  const { amount, giftArray, currency } = settings;
  const option = giftArray.findIndex(({ value }) => value === amount);
  const isCustom = amount !== undefined && option < 0;
  return {
    frequency: settings.frequency,
    choice: isCustom ? 'custom' : option < 0 ? undefined : option,
    customAmount: isCustom ? majorUnits(amount, currency.decimals).replace(/\.0+$/, '') : '',
    projectId: settings.project.id,
    coverCosts: settings.coverCosts,
    donor: settings.donor,
    comment: settings.comment,
  };
}

/** The same gift under another offer: what the donor chose stays where it is still offered. */
export function carriedOver(state: FormState, before: Offer, now: Offer): FormState {
  const amount = amountOf(state, before);
  const fresh = initialState(amount === undefined ? now : { ...now, settings: { ...now.settings, amount } });
  return {
    ...state,
    choice: state.choice === 'custom' ? 'custom' : fresh.choice,
    customAmount: state.choice === 'custom' ? state.customAmount : fresh.customAmount,
    frequency: now.definition.frequencies.includes(state.frequency) ? state.frequency : fresh.frequency,
    projectId: now.definition.projects.some(({ id }) => id === state.projectId) ? state.projectId : fresh.projectId,
  };
}

/**
 * The state that the form's controls show.
 * @param entries the form's data: autofill may have filled controls without an event.
 */
export function withEntries(state: FormState, entries: FormData): FormState {
  const text = (name: string, before = ''): string => { const value = entries.get(name); return typeof value === 'string' ? value : before; };
  const choice = text('amount');
  return {
    frequency: text('frequency', state.frequency) as GiftFrequency,
    choice: choice === 'custom' ? 'custom' : choice === '' ? state.choice : Number(choice),
    customAmount: text('customAmount', state.customAmount),
    projectId: text('project', state.projectId),
    coverCosts: entries.has('coverCosts'),
    donor: Object.fromEntries(DONOR_FIELDS.flatMap((name) => (entries.has(name) ? [[name, text(name)]] : []))),
    comment: text('comment', state.comment),
  };
}

/** The gift before costs, minor units; `undefined` where none is chosen or what is written is no amount. */
function amountOf({ choice, customAmount }: FormState, { settings: { giftArray, currency } }: Offer): number | undefined {
  return choice === 'custom' ? parseTypedAmount(customAmount, currency.decimals) : choice === undefined ? undefined : giftArray[choice]?.value;
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
