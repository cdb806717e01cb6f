import { css } from 'lit';

/** Styles for the first paint, with the form's sections in their displayed order. */
export const styles = css`
  :host {
    box-sizing: border-box;
    display: block;
    width: 100%;
    max-width: 34em;
    font-size: max(1em, 15px);
    break-inside: avoid;
    writing-mode: horizontal-tb;
    color: var(--donation-text, inherit);
    background: var(--donation-surface, none);
  }
  :host([hidden]) {
    display: none;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  .root {
    position: relative;
    contain-intrinsic-inline-size: min(30em, 70vw);
    container-type: inline-size;
    font-size: max(1em, 15px);
    line-height: 1.5;
    text-align: start;
    text-indent: 0;
    text-transform: none;
    text-wrap: pretty;
    letter-spacing: normal;
    word-spacing: normal;
    white-space: normal;
    overflow-wrap: anywhere;
    -webkit-text-size-adjust: 100%;
  }
  form,
  .sections {
    display: grid;
    gap: var(--gap);
    margin: 0;
  }
  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend,
  .title {
    display: block;
    padding: 0;
    margin-bottom: 0.5em;
    font-family: var(--donation-heading-font, inherit);
    font-size: 1.0625em;
    font-weight: 650;
    line-height: 1.3;
  }
  p,
  h2 {
    margin: 0;
  }
  .hint {
    color: var(--_donation-muted);
    font-size: 0.9375em;
    font-weight: 400;
    line-height: 1.35;
  }
  .label {
    font-size: 1em;
    font-weight: 500;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  /* A native radio button below a styled face. */
  .choice {
    position: relative;
    display: block;
  }
  .native {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    margin: 0;
    opacity: 0;
  }
  .face {
    display: flex;
    align-items: center;
    justify-content: center;
    height: 100%;
    padding: 0.25em;
    border-radius: calc(var(--radius) * 1.2);
    background: var(--fill);
    line-height: 1.25;
    text-align: center;
  }
  .native:checked + .face {
    background: var(--accent-tint);
    box-shadow: inset 0 0 0 2px var(--highlight);
  }
  .segments,
  .segments > div,
  .tiles {
    display: flex;
    flex-wrap: wrap;
  }
  .segments {
    padding: 4px;
    border-radius: calc(var(--radius) * 1.4);
    background: var(--fill);
  }
  /* Rows that do not fit side by side wrap, and so do choices whose longest word does not fit. */
  .segments > div {
    flex: auto;
  }
  .segments > :has(> .choice + .choice) {
    flex-grow: 2;
  }
  .segments .choice {
    flex: 1;
  }
  @container (min-width: 16em) {
    .segments .choice {
      min-width: fit-content;
    }
  }
  .segments .face {
    gap: 0.375em;
    min-height: 2.9375em;
    border-radius: var(--radius);
    background: none;
    font-size: 0.9375em;
    font-weight: 500;
  }
  .segments .native:checked + .face {
    background: var(--raised);
    box-shadow:
      inset 0 0 0 2px var(--highlight),
      0 1px 3px #0002;
  }
  /* Space for a heart that loads later. */
  [value='monthly'] + .face::before {
    content: '';
    padding: 0 7px;
  }
  /* Three columns, or two if the longest amount needs more space. */
  .tiles {
    --missing: var(--characters) * 0.58em + 0.5em - (100% - 1em) / 3;
    --column: max((100% - 1.04em) / 3, min((var(--missing)) * 999, (100% - 0.52em) / 2));
    gap: 0.5em;
  }
  .tiles .choice {
    flex: 1 0 var(--column);
    min-height: 3.5em;
  }
  .money {
    font-size: clamp(1em, (33cqi - 1em) / (var(--characters) * 0.6), 1.375em);
    font-weight: 650;
    font-variant-numeric: tabular-nums;
    letter-spacing: -0.015em;
  }
  .tiles .custom-amount {
    flex-grow: 99;
  }
  .custom-amount .face {
    background: var(--field-background);
    box-shadow: inset 0 0 0 1px var(--_donation-border);
  }
  .custom-amount .money {
    display: flex;
    align-items: baseline;
    width: 100%;
    padding-inline: 0.25em;
  }
  .custom-amount .money input {
    position: relative;
    flex: 1;
    min-width: 0;
    min-height: 2em;
    padding: 0;
    padding-inline-start: 0.2em;
    border: 0;
    background: none;
    box-shadow: none;
    font-weight: inherit;
  }
  .custom-amount ::placeholder {
    color: var(--_donation-muted);
    font-size: 0.8125em;
    font-weight: 500;
  }
  /* The first column is for a drawing that loads later. */
  .impact {
    display: grid;
    grid-template-columns: 1.75em 1fr;
    gap: 0.5em;
    align-items: center;
    margin-top: 0.5em;
  }
  .impact > * {
    grid-area: 1 / 2;
  }
  .impact > bdi:not(.selected) {
    visibility: hidden;
  }
  @container (max-width: 19em) {
    [value='monthly'] + .face::before {
      display: none;
    }
  }
  .fixed-project {
    padding: 0.75em 1em;
    background: var(--fill);
    border-radius: calc(var(--radius) * 1.2);
  }
  .wallets {
    min-height: calc(3.53em + 48px);
  }
  .fields {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75em;
  }
  .field {
    display: grid;
    gap: 0.375em;
    align-content: start;
  }
  @container (min-width: 18em) {
    .fields {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .fields > :not(.half) {
      grid-column: 1 / -1;
    }
  }
  input:not([type='radio'], [type='checkbox']),
  select,
  textarea {
    width: 100%;
    min-height: 3em;
    margin: 0;
    padding: 0.5em 0.75em;
    border: solid var(--_donation-border);
    border-width: var(--donation-field-border-width, 1px);
    border-radius: var(--radius);
    background: var(--field-background);
    color: inherit;
    font: inherit;
    font-size: max(1em, 16px);
    appearance: none;
  }
  .money input:not([type='radio']) {
    font-size: 1em;
  }
  .select {
    position: relative;
    display: block;
  }
  .check label {
    display: flex;
    gap: 0.75em;
    align-items: center;
    min-height: 2.75em;
    padding: 0.375em 0;
  }
  .check input {
    flex: none;
    width: 1.5em;
    height: 1.5em;
    margin: 0;
    border: 1px solid var(--_donation-border);
    border-radius: 0.375em;
    background: var(--field-background);
    font: inherit;
    appearance: none;
  }
  .check label:has(+ .hint) {
    padding: 1em 0 0.125em;
  }
  /* The height of one or two lines of hint. */
  .fee-cover {
    min-height: 4.0625em;
  }
  @container (max-width: 27em) {
    .fee-cover {
      min-height: 5.375em;
    }
  }
  .check .hint {
    margin: 0;
    padding-inline-start: 2.4em;
  }

  .payment-field {
    display: grid;
  }
  .payment-field > * {
    grid-area: 1 / 1;
  }
  .payment-field > slot {
    display: block;
  }
  /* The height of a card form. */
  .payment-field > .bone {
    height: 6.9375em;
  }
  .submit {
    display: grid;
    gap: 0.75em;
    margin-top: -1em;
  }
  .submit > [role='alert']:empty {
    position: absolute;
  }
  .summary {
    min-height: 1.5em;
  }
  button {
    font: inherit;
  }
  .primary {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 0.625em;
    width: 100%;
    min-height: 3.1112em;
    padding: 0.5em 1em;
    border: 0;
    border-radius: calc(var(--radius) * 1.2);
    background: var(--_donation-accent);
    color: var(--_donation-on-accent);
    font-size: 1.125em;
    font-weight: 650;
    line-height: 1.3;
    font-variant-numeric: tabular-nums;
  }
  .secondary {
    min-height: 2.75em;
    padding: 0.5em 1.25em;
    border: 1px solid var(--_donation-border);
    border-radius: var(--radius);
    background: var(--field-background);
    color: inherit;
  }
  .disclaimer {
    text-align: center;
    text-wrap: balance;
  }
  .screen {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    gap: 1em;
    padding: 2em 0;
    text-align: center;
  }
`;
