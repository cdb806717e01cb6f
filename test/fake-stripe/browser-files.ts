import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import ts from 'typescript';

/** A file of the folder for browsers, without its types. */
export function script(name: string): string {
  const source = readFileSync(new URL(`browser/${name}.ts`, import.meta.url), 'utf8');
  return ts
    .transpileModule(source, {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
        removeComments: false,
      },
    })
    .outputText.replace(/^export \{\};\n/m, '');
}

/** The fields that stand in the frame of the payment element. */
export const elementsPage = html`<form class="element" novalidate>
<fieldset id="methods"><legend hidden>Payment method</legend></fieldset>
<fieldset data-for="card"><label>Card number <input name="number" inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234"></label>
<label>Expiration date <input name="expiry" inputmode="numeric" autocomplete="cc-exp" placeholder="MM / YY" size="7"></label>
<label>Security code <input name="cvc" inputmode="numeric" autocomplete="cc-csc" placeholder="CVC" size="4"></label></fieldset>
<fieldset data-for="us_bank_account" hidden><label>Account number <input name="account" inputmode="numeric"></label></fieldset>
<fieldset data-for="sepa_debit" hidden><label>IBAN <input name="iban"></label></fieldset>
<p role="alert" hidden></p></form>`;
