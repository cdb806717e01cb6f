import { html, type TemplateResult } from 'lit';
import { calculateAddedFee } from '@donation-form/core/form-state';
import { fillPlaceholders } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';

export function renderFeeCover(view: View): TemplateResult {
  const { texts, context, state, totals, formatMoney } = view;
  return html`
    <div class="check fee-cover" part="fee-cover">
      <label for="cover-costs"><input
        type="checkbox"
        id="cover-costs"
        name="coverCosts"
        aria-describedby="cover-costs-hint"
        .checked=${state.coverCosts}
      >${texts.coverFees}</label>
      <p class="hint" id="cover-costs-hint" .textContent=${
        totals
          ? fillPlaceholders(texts.coverFeesHint, {
              fee: formatMoney(calculateAddedFee(state, context)!),
              amount: formatMoney(totals.amount),
              organization: context.definition.organization.name,
            })
          : ''
      }></p>
    </div>`;
}
