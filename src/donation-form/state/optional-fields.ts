import type { FormDefinition } from '@donation-form/core/schemas';
import {
  CustomFieldDataType,
  COMMENT_LENGTH,
  ORGANIZATION_LENGTH,
  cleanLine,
  cleanText,
  isEmail,
} from '@donation-form/core/donor';
import { TRIBUTE_KINDS, TRIBUTE_NAME_LENGTH } from '@donation-form/core/donation';
import { type Candidate, mergeHidden } from '@donation-form/core/settings';
import { firstOf, isTicked } from './form-values.ts';
import { isShown, readShownField, type CustomProblem } from './custom-fields.ts';
import type { MoreOfGift } from './to-donation-request.ts';
import { splitOf, type Split } from './split.ts';
import {
  amountProblem,
  sumsOf,
  type Entries,
  type FormState,
  type FormContext,
} from './form-state.ts';

/** What is wrong with a control of the form's rarer parts. */
export interface MoreProblem {
  readonly control: string;
  readonly code: NonNullable<Split['problem']> | CustomProblem | 'not-an-email';
  /** The label of a custom field. */
  readonly field?: string;
}

/**
 * What the controls of the form's rarer parts start from: custom fields as the page presets them.
 */
export function startOf(
  definition: FormDefinition,
  candidates: readonly Candidate[],
  decimalMark: string,
): Entries {
  const presets = mergeHidden(definition, candidates).settings.customFields;
  return Object.fromEntries(
    definition.customFields.filter(isShown).flatMap(({ id, type }) => {
      const preset = presets.find((field) => field.id === id)?.value;
      return preset === undefined ? [] : [[`custom.${id}`, asShown(preset, type, decimalMark)]];
    }),
  );
}

/** The values of a control that shows a preset. A box that is not ticked has none. */
function asShown(
  preset: string,
  type: CustomFieldDataType,
  decimalMark: string,
): readonly string[] {
  if (type === CustomFieldDataType.Multiselect) return preset.split(',');
  return [type === CustomFieldDataType.Decimal ? preset.replace('.', decimalMark) : preset];
}

/** Agreeing to some words is no agreement to others: the box holds the words. */
const isGiven = (more: Entries, { id, words }: FormDefinition['consents'][number]): boolean =>
  more[`consent.${id}`]?.includes(words) ?? false;

/** Whom a gift is given in honour or in memory of. */
export function tributeKind(
  { more }: FormState,
  { allowTribute }: FormDefinition,
): (typeof TRIBUTE_KINDS)[number] | undefined {
  return allowTribute
    ? TRIBUTE_KINDS.find((kind) => kind === firstOf(more, 'tribute.kind'))
    : undefined;
}

/**
 * Everything in the form's rarer parts that keeps the gift from being sent, in the order of the
 * form.
 */
export function moreProblemsOf(state: FormState, context: FormContext): MoreProblem[] {
  const { more } = state;
  const { definition, decimalMark } = context;
  const problems: MoreProblem[] = [];
  const sums = sumsOf(state, context);
  const split = sums && splitOf(state, context, sums.amount);
  if (split?.problem && !amountProblem(state, context))
    problems.push({ control: 'split.chosen', code: split.problem });
  if (tributeKind(state, definition)) {
    const notify = cleanLine(firstOf(more, 'tribute.notify'));
    if (cleanLine(firstOf(more, 'tribute.name')) === '')
      problems.push({ control: 'tribute.name', code: 'missing' });
    if (notify !== '' && !isEmail(notify))
      problems.push({ control: 'tribute.notify', code: 'not-an-email' });
  }
  if (
    definition.allowOrganizations &&
    isTicked(more, 'organization.is') &&
    cleanLine(firstOf(more, 'organization.name')) === ''
  )
    problems.push({ control: 'organization.name', code: 'missing' });
  for (const field of definition.customFields.filter(isShown)) {
    const read = readShownField(field, more[`custom.${field.id}`] ?? [], decimalMark);
    if ('problem' in read)
      problems.push({ control: `custom.${field.id}`, code: read.problem, field: field.label });
  }
  for (const consent of definition.consents) {
    if (consent.required && !isGiven(more, consent))
      problems.push({ control: `consent.${consent.id}`, code: 'missing' });
  }
  return problems;
}

/**
 * What the form's rarer parts add to a gift in which nothing is wrong.
 * @param amount minor units.
 */
export function moreOfGift(state: FormState, context: FormContext, amount: number): MoreOfGift {
  const { more } = state;
  const { definition, decimalMark } = context;
  const parts = splitOf(state, context, amount)?.parts.map((part) => ({
    id: part.id,
    amount: part.amount ?? 0,
  }));
  const kind = tributeKind(state, definition);
  const message = cleanText(firstOf(more, 'tribute.message')).slice(0, COMMENT_LENGTH).trim();
  const notifyEmail = cleanLine(firstOf(more, 'tribute.notify'));
  const organization =
    definition.allowOrganizations && isTicked(more, 'organization.is')
      ? cleanLine(firstOf(more, 'organization.name')).slice(0, ORGANIZATION_LENGTH).trim()
      : '';
  return {
    gift: {
      ...(parts && { projects: parts }),
      ...(kind && {
        tribute: {
          kind,
          name: cleanLine(firstOf(more, 'tribute.name')).slice(0, TRIBUTE_NAME_LENGTH).trim(),
          ...(message && { message }),
          ...(notifyEmail && { notifyEmail }),
        },
      }),
      ...(definition.allowAnonymous && isTicked(more, 'gift.anonymous') && { anonymous: true }),
    },
    donor: organization ? { organization } : {},
    customFields: definition.customFields.filter(isShown).flatMap((field) => {
      const read = readShownField(field, more[`custom.${field.id}`] ?? [], decimalMark);
      return 'value' in read && read.value !== '' ? [{ id: field.id, value: read.value }] : [];
    }),
    consents: definition.consents.map((consent) => ({
      id: consent.id,
      words: consent.words,
      given: isGiven(more, consent),
    })),
  };
}
