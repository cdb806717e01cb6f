import { basePageStyles } from '../../lib/page-styles.ts';

/** Styles of payment fields, both in the Payment Element's frame and on the pages for donors. */
const fieldStyles = `
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 1em }
[hidden] { display: none }
.wide { grid-column: 1 / -1 }
fieldset { min-width: 0; padding: 0; border: 0 }
legend { padding: 0; margin-bottom: .25em; font-weight: 500 }
label { display: block; margin-bottom: .25em; font-weight: 500 }
::placeholder { color: inherit; opacity: .65 }
.method { position: relative; display: grid }
.method label {
  display: grid; grid-template-columns: auto 1fr; align-items: center; gap: .625em;
  min-height: 2.875em; margin: 0; padding: .5em .75em; border: 1px solid var(--border);
  border-radius: var(--radius); background: var(--field-background); cursor: pointer
}
.method label::before {
  content: ''; width: 1.125em; height: 1.125em; border: 1px solid var(--border); border-radius: 50%
}
.method input { position: absolute; inset: 0; width: 100%; min-height: 0; opacity: 0; cursor: pointer }
.method :checked + label { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent) }
.method :checked + label::before { border: .3125em solid var(--accent) }
.method :focus-visible + label { outline: 3px solid var(--accent); outline-offset: 2px }
input {
  width: 100%; min-height: 2.875em; padding: .5em .75em; font: inherit; font-size: max(1em, 16px);
  color: inherit; background: var(--field-background); border: 1px solid var(--border);
  border-radius: var(--radius); font-variant-numeric: tabular-nums; direction: ltr
}
[dir=rtl] input { text-align: right }
input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
input[aria-invalid=true] { border-color: var(--danger); box-shadow: inset 0 0 0 1px var(--danger) }
.error { margin-top: .25em; color: var(--danger); font-size: .9375em }
@media (max-width: 16em) { .fields { grid-template-columns: 1fr } }
@media (forced-colors: active) {
  input, .method label { border-color: CanvasText }
  .method :checked + label { border-color: Highlight; outline: 1px solid Highlight }
  .method :checked + label::before { border-color: Highlight }
}
`;

/**
 * Style sheet of the Payment Element's frame. The embedding page sends its colors and font to the
 * frame so that the fields match the page.
 */
export const elementStyles = `
:root {
  color-scheme: light; --text: #1c2321; --field-background: #fff; --border: #8b9592;
  --accent: #0a5c43; --danger: #b3261e; --radius: 10px; --font: system-ui, sans-serif; --size: 16px
}
* { box-sizing: border-box; margin: 0 }
html { background: transparent; font: 1em/1.5 var(--font); font-size: var(--size); color: var(--text) }
form { display: grid; gap: 1em; padding: 5px }
#methods > div { display: grid; gap: .5em }
#methods.tabs > div { grid-template-columns: repeat(auto-fit, minmax(5em, 1fr)) }
${fieldStyles}
legend { position: absolute; clip-path: inset(50%) }
.tabs label {
  display: flex; justify-content: center; padding: .25em; font-size: .875em; line-height: 1.2;
  text-align: center
}
.tabs label::before { content: none }
.fields:not(:has(> :not([hidden]))) { display: none }
.condensed .fields { grid-template-columns: 1fr 1fr !important; gap: 0 }
.condensed [data-field] { position: relative }
.condensed [data-field] input { min-height: 3.5em; padding: 1.375em .75em .375em }
.condensed [data-field] label {
  position: absolute; inset-block-start: .5em; inset-inline: .9375em; z-index: 1; margin: 0;
  font-size: .8125em; line-height: 1.25; font-weight: 400; opacity: .76; white-space: nowrap;
  overflow: hidden; text-overflow: ellipsis; pointer-events: none
}
.condensed [data-field]:has(:placeholder-shown:not(:focus)) label {
  inset-block-start: 1.125em; inset-inline: .75em; font-size: 1em
}
.condensed :placeholder-shown:not(:focus)::placeholder { color: transparent }
.condensed input:is(:focus-visible, [aria-invalid=true]) { position: relative }
.condensed .fields .wide input { border-end-start-radius: 0; border-end-end-radius: 0 }
.condensed .fields :not(.wide) > input { margin-block-start: -1px; border-radius: 0 0 var(--radius) var(--radius) }
.condensed .fields .wide + div > input { border-end-end-radius: 0 }
.condensed .fields .wide + div + div > input {
  width: calc(100% + 1px); margin-inline-start: -1px; border-end-start-radius: 0
}`;

/** Style sheet of the pages that donors visit. */
export const pageStyles = `${basePageStyles}
  :root {
    --field-background: light-dark(#ffffff, #11171f);
    --accent: light-dark(#3b4cb8, #aab6ff);
    --on-accent: light-dark(#ffffff, #141c4a);
    --danger: light-dark(#b3261e, #ffb4ab);
    --danger-soft: light-dark(#fdecea, #3c1c1a);
  }
  .ribbon strong {
    margin-inline-end: 0.5rem;
    text-transform: uppercase;
    letter-spacing: 0.08em;
  }
  .eyebrow {
    margin-block-end: -1.25rem;
    color: var(--quiet);
    font-weight: 500;
  }
  .quiet {
    color: var(--quiet);
  }
  .problem {
    padding: 0.75rem 1rem;
    border-radius: var(--radius);
    background: var(--danger-soft);
    color: var(--danger);
  }
  .terms {
    border-block: 1px solid var(--edge);
  }
  .terms div {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.25rem 1.5rem;
    padding: 0.75rem 0;
  }
  .terms div + div {
    border-top: 1px solid var(--edge);
  }
  dt {
    color: var(--quiet);
  }
  dd {
    margin: 0;
    font-weight: 550;
    font-variant-numeric: tabular-nums;
  }
  .sum dd {
    font-size: 1.125rem;
    font-weight: 700;
  }
  a {
    color: var(--accent);
    text-underline-offset: 0.2em;
  }
  .gifts {
    display: grid;
    gap: 1.25rem;
    padding: 0;
    list-style: none;
  }
  .gifts li {
    display: grid;
    gap: 1rem;
    padding: 1rem 1.25rem 1.25rem;
    border: 1px solid var(--edge);
    border-radius: var(--radius);
  }
  .gifts .terms {
    border: 0;
  }
  .gifts .terms div {
    padding: 0.5rem 0;
    border: 0;
  }
  .side {
    display: grid;
    grid-template-columns: 3fr 2fr;
    gap: 0.75rem;
  }
  .side .button {
    padding-inline: 0.5rem;
  }
  @media (max-width: 24rem) {
    .side {
      grid-template-columns: 1fr;
    }
  }
  ${fieldStyles}
fieldset > div {
    display: grid;
    gap: 0.5em;
  }
`;

/** Style sheet of the wallet buttons' frame and the wallet sheets. */
export const walletStyles = `
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: #1a1a2e; background: none }
form { display: grid; gap: .75rem; max-width: 26rem }
label { display: grid; gap: .25rem }
input { font: inherit; padding: .5rem; border: 1px solid #6b7280; border-radius: 4px }
button { font: inherit; padding: .625rem 1rem; border: 0; border-radius: 4px; background: #533afd; color: #fff }
[hidden] { display: none !important }
.wallet-buttons { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: .5rem }
.wallet-buttons button {
  padding: 0; border-radius: var(--radius); background: #000; color: #fff; font-weight: 600;
  cursor: pointer
}
.wallet-buttons button:focus-visible { outline: 3px solid #4b8bff; outline-offset: -3px }
.wallet-buttons .link { background: #00d66f; color: #011e0f }
.wallet-buttons .paypal { background: #ffc439; color: #003087 }
.dark .wallet-buttons :is(.apple_pay, .google_pay) { background: #fff; color: #000 }
body:has(.sheet) {
  display: grid; align-items: end; justify-items: center; min-height: 100vh;
  background: rgb(0 0 0 / .5)
}
.sheet {
  box-sizing: border-box; width: min(100%, 28rem); max-height: 100vh; overflow: auto;
  padding: 1.5rem; border-radius: 16px 16px 0 0; background: #fff
}
.sheet h1 { margin: 0; font-size: 1.25rem }
.sheet dl { display: grid; grid-template-columns: 1fr auto; gap: .25rem 1rem }
.sheet dd { margin: 0; font-variant-numeric: tabular-nums }
.sheet :is(dt, dd):nth-last-of-type(1) { font-weight: 700 }
.sheet select { font: inherit; padding: .5rem }
.sheet #cancel { background: #e5e7eb; color: #1a1a2e }
`;
