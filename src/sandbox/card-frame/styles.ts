/**
 * The look of the fields of a card and of a bank account, in the frame and on the processor's
 * pages.
 */
export const fieldStyles = `
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 1em }
[hidden] { display: none }
.wide { grid-column: 1 / -1 }
fieldset { display: grid; grid-template-columns: auto auto; gap: .5em; min-width: 0; padding: 0; border: 0 }
legend { padding: 0; margin-bottom: .25em; font-weight: 500 }
label { display: block; margin-bottom: .25em; font-weight: 500 }
.way { position: relative; display: grid }
.way label { display: grid; grid-template-columns: auto 1fr; align-items: center; gap: .625em; min-height: 2.875em; margin: 0; padding: .5em .75em; border: 1px solid var(--line); border-radius: var(--radius); background: var(--field); cursor: pointer }
.way label::before { content: ''; width: 1.125em; height: 1.125em; border: 1px solid var(--line); border-radius: 50% }
.way input { position: absolute; inset: 0; width: 100%; min-height: 0; opacity: 0; cursor: pointer }
.way :checked + label { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent) }
.way :checked + label::before { border: .3125em solid var(--accent) }
.way :focus-visible + label { outline: 3px solid var(--accent); outline-offset: 2px }
label span { font-weight: 400; opacity: .75 }
input { width: 100%; min-height: 2.875em; padding: .5em .75em; font: inherit; font-size: max(1em, 16px); color: inherit; background: var(--field); border: 1px solid var(--line); border-radius: var(--radius); font-variant-numeric: tabular-nums; direction: ltr }
[dir=rtl] input { text-align: right }
input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
input[aria-invalid=true] { border-color: var(--danger); box-shadow: inset 0 0 0 1px var(--danger) }
.error { margin-top: .25em; color: var(--danger); font-size: .9375em }
@media (max-width: 19em) { .fields, fieldset { grid-template-columns: 1fr } }
@media (forced-colors: active) {
  input, .way label { border-color: CanvasText }
  .way :checked + label { border-color: Highlight; outline: 1px solid Highlight }
  .way :checked + label::before { border-color: Highlight }
}
`;

/**
 * The look of the card frame. The page that embeds it sends its colours and type, so that the
 * fields look like its own.
 */
export const frameStyles = `
:root { color-scheme: light; --text: #1c2321; --field: #fff; --line: #8b9592; --accent: #0b6e4f; --danger: #b3261e; --radius: 10px; --font: system-ui, sans-serif; --size: 16px }
* { box-sizing: border-box; margin: 0 }
html { background: transparent; font: 1em/1.5 var(--font); font-size: var(--size); color: var(--text) }
form { display: grid; gap: 1em; padding: 5px }
${fieldStyles}`;
