import { css } from 'lit';

/** Custom properties and the values derived from them, then the sections in the form's order. */
export const styles = css`
  :host {
    --accent: var(--donation-accent, #0b6e4f);
    --on-accent: var(--donation-on-accent, #fff);
    --danger: var(--donation-danger, #b3261e);
    --success: var(--donation-success, var(--highlight));
    --muted: var(--donation-muted, currentcolor);
    --border: var(--donation-border, currentcolor);
    --field-background: var(--donation-field-background, transparent);
    --radius: var(--donation-radius, 0.625em);
    --gap: var(--donation-gap, 2em);
    --highlight: var(--accent);
    --accent-tint: transparent;
    --danger-tint: transparent;
    box-sizing: border-box;
    display: block;
    width: 100%;
    max-width: 34em;
    font-size: max(1em, 14px);
    color: var(--donation-text, inherit);
    background: var(--donation-surface, none);
  }
  @supports (color: light-dark(red, red)) and (color: color-mix(in srgb, red, red)) {
    :host {
      --accent: var(--donation-accent, light-dark(#0b6e4f, #5fd3a6));
      --on-accent: var(--donation-on-accent, light-dark(#fff, #06251a));
      --danger: var(--donation-danger, light-dark(#b3261e, #ffb4ab));
      --muted: var(--donation-muted, color-mix(in srgb, currentcolor 76%, transparent));
      --border: var(--donation-border, color-mix(in srgb, currentcolor 54%, transparent));
      --accent-tint: color-mix(in srgb, var(--accent) 9%, transparent);
      --danger-tint: color-mix(in srgb, var(--danger) 8%, transparent);
    }
  }
  /* Black or white text, whichever contrasts more; and a --highlight that stays visible for a very light or dark accent. */
  @supports (color: light-dark(lab(from red l a b), red)) {
    :host {
      --on-accent: var(
        --donation-on-accent,
        lab(from var(--accent) clamp(0, (49.9 - l) * 999, 100) 0 0)
      );
      --highlight: light-dark(
        lab(from var(--accent) min(l, 60) a b),
        lab(from var(--accent) max(l, 50) a b)
      );
    }
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
    contain-intrinsic-inline-size: min(30em, 70vw);
    container-type: inline-size;
    line-height: 1.5;
    text-align: start;
    text-indent: 0;
    text-transform: none;
    letter-spacing: normal;
    word-spacing: normal;
    white-space: normal;
    overflow-wrap: anywhere;
    -webkit-text-size-adjust: 100%;
  }
  option {
    background: Field;
    color: FieldText;
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
    margin-bottom: 0.625em;
    font-size: 1.125em;
    font-weight: 650;
    line-height: 1.3;
  }
  p,
  h2 {
    margin: 0;
  }
  .hint {
    color: var(--muted);
    font-size: 0.875em;
    font-weight: 400;
    line-height: 1.4;
  }
  .label {
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
  .test-badge {
    justify-self: start;
    padding: 0.25em 0.75em;
    border-radius: 2em;
    background: #ffe9b8;
    color: #4a3300;
    font-size: 0.8125em;
    font-weight: 600;
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
    display: block;
    height: 100%;
    border: 1px solid var(--border);
    background: var(--field-background);
  }
  .native:checked + .face {
    border-color: var(--highlight);
    background: var(--accent-tint);
    box-shadow: inset 0 0 0 1px var(--highlight);
  }
  .native:focus-visible + .face {
    outline: 3px solid var(--highlight);
    outline-offset: 2px;
  }
  .segments {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 0.5em;
  }
  .segments .face {
    display: grid;
    place-items: center;
    min-height: 2.875em;
    padding: 0.375em 0.5em;
    border-radius: var(--radius);
    font-weight: 500;
    text-align: center;
  }
  .tiles {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    grid-auto-rows: 1fr;
    gap: 0.75em;
  }
  .tiles .face {
    min-height: 5.25em;
    padding: 0.75em;
    border-radius: var(--radius);
  }
  .money {
    display: flex;
    align-items: baseline;
    gap: 0.1em;
    font-size: clamp(1.125em, 7cqi, 1.375em);
    font-weight: 650;
    line-height: 1.3;
    font-variant-numeric: tabular-nums;
  }
  .tiles .hint {
    display: block;
    margin-top: 0.25em;
  }
  .custom-amount:focus-within .face {
    outline: 3px solid var(--highlight);
    outline-offset: 2px;
  }
  .custom-amount .money {
    direction: ltr;
  }
  .custom-amount .money:dir(rtl) {
    justify-content: flex-end;
  }
  .custom-amount .money input,
  .custom-amount .money input:focus-visible {
    position: relative;
    flex: 1;
    outline: 0;
    width: 100%;
    min-width: 0;
    min-height: 0;
    padding: 0 0.125em;
    border: 0;
    border-bottom: 1px solid var(--border);
    border-radius: 0;
    background: none;
    font-weight: inherit;
  }
  .custom-amount .hint {
    position: relative;
  }
  @container (min-width: 26em) {
    .tiles {
      grid-template-columns: repeat(3, minmax(0, 1fr));
    }
  }
  .tiles.dense {
    grid-template-columns: repeat(auto-fill, minmax(7em, 1fr));
    grid-auto-rows: auto;
    gap: 0.5em;
  }
  .dense .face {
    min-height: 0;
    padding: 0.625em;
  }
  .dense .money {
    font-size: 1em;
  }
  .dense .custom-amount {
    grid-column: 1 / -1;
  }
  @container (max-width: 14em) {
    .tiles,
    .segments {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @container (min-width: 24em) {
    .many {
      grid-template-columns: repeat(3, minmax(0, 1fr));
    }
    .segments:not(.many) {
      grid-template-columns: none;
      grid-auto-flow: column;
      grid-auto-columns: minmax(0, 1fr);
      gap: 0;
    }
    .segments:not(.many) .face {
      margin-inline-end: -1px;
      border-radius: 0;
    }
    .segments:not(.many) .choice:first-child .face {
      border-start-start-radius: var(--radius);
      border-end-start-radius: var(--radius);
    }
    .segments:not(.many) .choice:last-child .face {
      margin: 0;
      border-start-end-radius: var(--radius);
      border-end-end-radius: var(--radius);
    }
    .segments .native:checked + .face,
    .segments .native:focus-visible + .face {
      position: relative;
      pointer-events: none;
    }
  }

  .currency {
    display: flex;
    align-items: center;
    gap: 0.75em;
    margin-bottom: 0.75em;
  }
  .fixed-project {
    padding: 0.75em 1em;
    border-inline-start: 3px solid var(--highlight);
    background: var(--accent-tint);
    border-radius: 0 var(--radius) var(--radius) 0;
  }
  .fixed-project:dir(rtl) {
    border-radius: var(--radius) 0 0 var(--radius);
  }
  .wallets {
    min-height: calc(5.9em + 48px);
  }
  .fields {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1em;
  }
  .field {
    display: grid;
    gap: 0.375em;
    align-content: start;
    min-width: 0;
  }
  @container (min-width: 26em) {
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
    min-height: 2.875em;
    margin: 0;
    padding: 0.5em 0.75em;
    border: 1px solid var(--border);
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
  textarea {
    resize: vertical;
  }
  .select {
    position: relative;
    display: block;
  }
  .select select {
    padding-inline-end: 2.5em;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .select::after {
    content: '';
    position: absolute;
    inset-inline-end: 1.1em;
    top: 50%;
    width: 0.5em;
    height: 0.5em;
    border: solid var(--muted);
    border-width: 0 2px 2px 0;
    transform: translateY(-70%) rotate(45deg);
    pointer-events: none;
  }
  input:focus-visible,
  select:focus-visible,
  textarea:focus-visible,
  button:focus-visible,
  [tabindex]:focus-visible {
    outline: 3px solid var(--highlight);
    outline-offset: 2px;
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
    font: inherit;
    accent-color: var(--highlight);
  }
  .check .hint {
    margin-inline-start: 2.57em;
  }

  .submit {
    display: grid;
    gap: 0.875em;
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
    min-height: 3.5em;
    padding: 0.625em 1em;
    border: 0;
    border-radius: var(--radius);
    background: var(--accent);
    color: var(--on-accent);
    font-size: 1.125em;
    font-weight: 650;
    line-height: 1.3;
    font-variant-numeric: tabular-nums;
  }
  .secondary {
    min-height: 2.75em;
    padding: 0.5em 1.25em;
    border: 1px solid var(--border);
    border-radius: var(--radius);
    background: var(--field-background);
    color: inherit;
  }
  .disclaimer {
    text-align: center;
  }
  .screen {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    gap: 1em;
    padding: 2em 0;
    text-align: center;
    overflow-wrap: anywhere;
  }

  .skeleton {
    display: grid;
    gap: 3.25em;
    min-height: 98em;
    align-content: space-between;
  }
  @container (min-width: 26em) {
    .skeleton {
      min-height: 80em;
    }
  }
  .bones {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(8em, 1fr));
    gap: 0.75em;
  }
  .bone {
    border-radius: var(--radius);
    background: color-mix(in oklab, var(--border) 18%, transparent);
  }
  .row {
    height: 2.875em;
  }
  .tile {
    height: 5.25em;
  }

  @media (forced-colors: active) {
    .bone {
      border: 1px solid GrayText;
    }
  }
`;
