import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import { monthlyInstead } from '@donation-form/core/donation';
import { suggestedFor } from '@donation-form/core/settings';
import { fill, type MoreTexts } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';

/** Remembers, among what the donor entered, that the suggestion was taken. */
const TAKEN = 'nudge.taken';

/**
 * Asks who gives once whether a smaller gift every month would suit: one line under the amounts,
 * never in the way.
 */
export function nudge(view: View, texts: MoreTexts): TemplateResult | typeof nothing {
  const {
    context: { definition, settings },
    state,
    sums,
    formatMoney,
    edit,
  } = view;
  const { currency } = settings;
  if (!definition.monthlyUpsell) return nothing;
  const taken = state.more[TAKEN]?.[0];
  const isTaken =
    taken !== undefined && state.frequency === 'monthly' && sums?.amount === Number(taken);
  const value = sums && state.frequency === 'once' ? monthlyGift(sums.amount, view) : undefined;
  const take = async ({ currentTarget }: Event): Promise<void> => {
    const line = (currentTarget as Element).parentElement!;
    const { host } = line.getRootNode() as ShadowRoot;
    edit({
      frequency: 'monthly',
      choice: { place: -1, value: value!, currency: currency.code },
      more: { [TAKEN]: [String(value)] },
    });
    await (host as Partial<Pick<LitElement, 'updateComplete'>>).updateComplete;
    line.querySelector('p')?.focus();
  };
  const suggestion =
    value === undefined
      ? nothing
      : html`
        <p>${fill(texts.nudge, { amount: formatMoney(value) })}</p>
        <button class="quiet" type="button" @click=${take}>${fill(texts.nudgeAccept, { amount: formatMoney(value) })}</button>`;
  return html`
    <div class="nudge" role="status">
      ${
        isTaken
          ? html`<p tabindex="-1">${fill(texts.nudgeDone, { amount: formatMoney(sums.amount) })}</p>`
          : suggestion
      }
    </div>`;
}

/**
 * The monthly gift to suggest, minor units; one of the suggested ones where donors cannot write
 * their own.
 */
function monthlyGift(
  amount: number,
  { context: { definition, settings } }: View,
): number | undefined {
  const { currency } = settings;
  const about = Math.max(currency.minimum, monthlyInstead(amount, currency.decimals));
  const value = definition.allowCustomAmount
    ? about
    : suggestedFor(settings, 'monthly')
        .giftArray.map((option) => option.value)
        .filter((option) => option <= about)
        .sort((a, b) => b - a)[0];
  return value !== undefined && value < amount ? value : undefined;
}
