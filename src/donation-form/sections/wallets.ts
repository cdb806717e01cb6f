import { css, html, type TemplateResult } from 'lit';
import type { Totals } from '@donation-form/core/form-state';
import { type EntryTexts, fillPlaceholders } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { getGiveLabel } from './submit.ts';

export type WalletStatus = 'loading' | 'available' | 'unavailable';

/** `styles.ts` reserves the section's height before the buttons load. */
export const walletStyles = css`
  .wallets {
    display: flow-root;
  }
  .wallets legend {
    margin-bottom: 0.125em;
    font-variant-numeric: tabular-nums;
  }
  .wallet-buttons {
    height: auto;
    min-height: 48px;
    margin-top: 0.75em;
  }
  .wallets.unavailable {
    visibility: hidden;
  }
  .divider {
    display: flex;
    align-items: center;
    gap: 1em;
    margin-top: 1.25em;
  }
  .divider::before,
  .divider::after {
    content: '';
    flex: 1;
    border-top: 1px solid var(--_donation-border);
    opacity: 0.5;
  }
`;

/** @param status if `unavailable`, the section is invisible but still takes up space. */
export function renderWallets(
  view: View,
  texts: EntryTexts,
  totals: Totals | undefined,
  status: WalletStatus,
): TemplateResult {
  return html`
    <fieldset class="wallets ${status}" part="wallets">
      <legend translate="no" .textContent=${getGiveLabel(view, totals)}></legend>
      <p class="hint" .textContent=${
        totals && totals.coveredFees > 0
          ? fillPlaceholders(texts.walletFee, { fee: view.formatMoney(totals.coveredFees) })
          : texts.walletHint
      }></p>
      <div class="wallet-buttons ${status === 'loading' ? 'bone' : ''}"><slot name="wallets"></slot></div>
      <p class="divider hint">${texts.walletDivider}</p>
    </fieldset>`;
}
