import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import { resolvePackageFile } from '../lib/package-file.ts';

/** Reads the script that the build created from the given file in the `browser` folder. */
export function readBrowserScript(
  name: 'stripe' | 'elements' | 'authenticated' | 'wallet-buttons' | 'wallet-sheet',
): string {
  return readFileSync(resolvePackageFile(`assets/stripe-${name}.js`), 'utf8');
}

/** Content of the wallet buttons' frame. */
export const WALLET_BUTTONS_PAGE = html`<main class="wallet-buttons"></main>`;

/** Content of a wallet's sheet, including the donor details that the wallet has stored. */
export const WALLET_SHEET_PAGE = html`<main class="sheet"><p>Test wallet: no money moves</p><h1></h1>
<dl></dl><p id="interval"></p>
<form novalidate>
<label>Name <input name="name" value="Ana Souza"></label>
<label>Email <input name="email" type="email" value="ana@example.org"></label>
<label>Phone <input name="phone" type="tel" value="+1 888 555 0100"></label>
<label>Address <select name="address"><option value="US">12 Example Street, Springfield</option><option value="DE">Musterstraße 1, Berlin</option></select></label>
<label>Card <select name="card"><option value="good">Visa 4242</option><option value="declined">Visa 0002 (declined)</option></select></label>
<button type="submit">Pay</button> <button type="button" id="cancel">Cancel</button></form></main>`;
