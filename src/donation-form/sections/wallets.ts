import { css, html, nothing, type TemplateResult } from 'lit';
import type { Totals } from '@donation-form/core/form-state';
import { type EntryTexts, fillPlaceholders } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';

export type WalletStatus = 'loading' | 'available' | 'unavailable';

/** `styles.ts` reserves the section's height before the buttons load. */
export const walletStyles = css`
  .wallets {
    display: flow-root;
  }
  .wallets legend {
    margin-bottom: 0.125em;
  }
  .wallet-buttons {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 0.5em;
    min-height: 48px;
    margin-top: 0.75em;
  }
  .wallet-buttons .bone {
    grid-area: 1 / 1;
    height: 48px;
    border-radius: var(--radius);
  }
  .bone + .bone {
    grid-area: 1 / 2 !important;
  }
  .wallet-buttons slot {
    display: block;
    grid-area: 1 / 1 / 2 / 3;
  }
  .wallets.unavailable {
    visibility: hidden;
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
      <legend class="label">${texts.walletTitle}</legend>
      <p class="hint" .textContent=${
        totals && totals.coveredFees > 0
          ? fillPlaceholders(texts.walletFee, { fee: view.formatMoney(totals.coveredFees) })
          : texts.walletHint
      }></p>
      <div class="wallet-buttons">${
        status === 'loading' ? html`<div class="bone"></div><div class="bone"></div>` : nothing
      }<slot name="wallets"></slot></div>
    </fieldset>`;
}
