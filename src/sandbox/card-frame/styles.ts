/** Styles of the card and bank account fields, in the card frame and on the processor's pages. */
export const fieldStyles = `
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 1em }
[hidden] { display: none }
.wide { grid-column: 1 / -1 }
fieldset { display: grid; grid-template-columns: auto auto; gap: .5em; min-width: 0; padding: 0; border: 0 }
legend { padding: 0; margin-bottom: .25em; font-weight: 500 }
label { display: block; margin-bottom: .25em; font-weight: 500 }
.method { position: relative; display: grid }
.method label { display: grid; grid-template-columns: auto 1fr; align-items: center; gap: .625em; min-height: 2.875em; margin: 0; padding: .5em .75em; border: 1px solid var(--border); border-radius: var(--radius); background: var(--field-background); cursor: pointer }
.method label::before { content: ''; width: 1.125em; height: 1.125em; border: 1px solid var(--border); border-radius: 50% }
.method input { position: absolute; inset: 0; width: 100%; min-height: 0; opacity: 0; cursor: pointer }
.method :checked + label { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent) }
.method :checked + label::before { border: .3125em solid var(--accent) }
.method :focus-visible + label { outline: 3px solid var(--accent); outline-offset: 2px }
label span { font-weight: 400; opacity: .75 }
input { width: 100%; min-height: 2.875em; padding: .5em .75em; font: inherit; font-size: max(1em, 16px); color: inherit; background: var(--field-background); border: 1px solid var(--border); border-radius: var(--radius); font-variant-numeric: tabular-nums; direction: ltr }
[dir=rtl] input { text-align: right }
input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
input[aria-invalid=true] { border-color: var(--danger); box-shadow: inset 0 0 0 1px var(--danger) }
.error { margin-top: .25em; color: var(--danger); font-size: .9375em }
@media (max-width: 19em) { .fields, fieldset { grid-template-columns: 1fr } }
@media (forced-colors: active) {
  input, .method label { border-color: CanvasText }
  .method :checked + label { border-color: Highlight; outline: 1px solid Highlight }
  .method :checked + label::before { border-color: Highlight }
}
`;

/**
 * Style sheet of the card frame. The embedding page sends its colors and font, so that the fields
 * match it.
 */
export const frameStyles = `
:root { color-scheme: light; --text: #1c2321; --field-background: #fff; --border: #8b9592; --accent: #0b6e4f; --danger: #b3261e; --radius: 10px; --font: system-ui, sans-serif; --size: 16px }
* { box-sizing: border-box; margin: 0 }
html { background: transparent; font: 1em/1.5 var(--font); font-size: var(--size); color: var(--text) }
form { display: grid; gap: 1em; padding: 5px }
${fieldStyles}`;
