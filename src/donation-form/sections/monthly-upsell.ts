import { html, nothing, type TemplateResult } from 'lit';
import { suggestMonthlyAmount } from '@donation-form/core/donation';
import { fillPlaceholders } from '@donation-form/core/i18n';
import type { GiftOption } from '@donation-form/core/schemas';
import { getSuggestedAmounts } from '@donation-form/core/settings';
import type { View } from '../form/view-model.ts';
import { focusAfterRender } from './focus-after-render.ts';
import { getOptionalTexts } from './optional-texts.ts';

const ACCEPTED_CONTROL = 'upsell.accepted';

/** State that limits screen reader announcements to the first suggestion. */
export interface UpsellAnnouncement {
  /** Minor units. */
  first?: number | undefined;
  isOver?: boolean;
}

export function renderMonthlyUpsell(
  view: View,
  announcement: UpsellAnnouncement,
): TemplateResult | typeof nothing {
  const { context, state, totals, formatMoney, applyEdits } = view;
  const { currency } = context.settings;
  if (!context.definition.monthlyUpsell) return nothing;
  const texts = getOptionalTexts(view);
  const acceptedValue = state.optionalFields[ACCEPTED_CONTROL]?.[0];
  const isAccepted =
    acceptedValue !== undefined &&
    state.frequency === 'monthly' &&
    totals?.amount === Number(acceptedValue);
  const suggested =
    totals && state.frequency === 'once' ? getMonthlySuggestion(totals.amount, view) : undefined;
  const suggestedValue = suggested?.value;
  announcement.first ??= suggestedValue;
  announcement.isOver ||= suggestedValue !== announcement.first;
  const accept = ({ currentTarget }: Event): void => {
    applyEdits({
      frequency: 'monthly',
      amountChoice: { index: -1, value: suggestedValue!, currency: currency.code },
      optionalFields: { [ACCEPTED_CONTROL]: [String(suggestedValue)] },
    });
    void focusAfterRender(currentTarget as Element, '.upsell p');
  };
  const suggestion =
    suggestedValue === undefined
      ? nothing
      : html`
        <p .textContent=${fillPlaceholders(
          suggested?.description ? texts.monthlyUpsellImpact : texts.monthlyUpsell,
          { amount: formatMoney(suggestedValue), impact: suggested?.description },
        )}></p>
        <button class="secondary" type="button" @click=${accept}><span .textContent=${fillPlaceholders(
          texts.monthlyUpsellAccept,
          { amount: formatMoney(suggestedValue) },
        )}></span></button>`;
  return html`
    <div class="upsell" role="status" aria-live=${announcement.isOver ? 'off' : 'polite'}>
      ${
        isAccepted
          ? html`<p tabindex="-1" .textContent=${fillPlaceholders(texts.monthlyUpsellAccepted, {
              amount: formatMoney(totals.amount),
            })}></p>`
          : suggestion
      }
    </div>`;
}

/**
 * Returns the suggested amount, if any: a monthly amount of the form if it has a description, or if
 * no other amount is allowed.
 */
function getMonthlySuggestion(
  amount: number,
  { context: { definition, settings } }: View,
): Pick<GiftOption, 'value' | 'description'> | undefined {
  const { currency } = settings;
  const target = Math.max(currency.minimum, suggestMonthlyAmount(amount, currency.decimals));
  const [option] = getSuggestedAmounts(settings, 'monthly')
    .giftArray.filter(({ value }) => value <= target)
    .sort((a, b) => b.value - a.value);
  const suggestion =
    definition.allowCustomAmount && !option?.description ? { value: target } : option;
  return suggestion && suggestion.value < amount ? suggestion : undefined;
}
