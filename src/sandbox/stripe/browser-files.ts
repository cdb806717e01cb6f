import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import { resolvePackageFile } from '../lib/package-file.ts';

/** Reads a script that the build made of a file in the `browser` folder. */
export function readBrowserScript(name: 'stripe' | 'elements' | 'authenticated'): string {
  return readFileSync(resolvePackageFile(`assets/sandbox-stripe-${name}.js`), 'utf8');
}

/** Content of the payment element's frame. */
export const ELEMENTS_PAGE = html`<form class="element" novalidate>
<fieldset id="methods"><legend hidden>Payment method</legend></fieldset>
<fieldset data-for="card"><label>Card number <input name="number" inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234"></label>
<label>Expiration date <input name="expiry" inputmode="numeric" autocomplete="cc-exp" placeholder="MM / YY" size="7"></label>
<label>Security code <input name="cvc" inputmode="numeric" autocomplete="cc-csc" placeholder="CVC" size="4"></label></fieldset>
<fieldset data-for="us_bank_account" hidden><label>Account number <input name="account" inputmode="numeric"></label></fieldset>
<fieldset data-for="sepa_debit" hidden><label>IBAN <input name="iban"></label></fieldset>
<p role="alert" hidden></p></form>`;
