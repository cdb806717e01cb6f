import { css } from 'lit';

export const optionalStyles = css`
  .group,
  .projects {
    display: grid;
    gap: 1em;
    min-width: 0;
  }
  /* Without a custom amount, no amount is alone in the last row. */
  .tiles:not(:has(.custom-amount)) > :first-child:nth-last-child(odd) {
    flex-basis: max(var(--column), min((var(--missing)) * 999, 100%));
  }
  .tiles:not(:has(.custom-amount)):has(> :nth-child(3n + 1):last-child) > :nth-last-child(-n + 4) {
    flex-basis: max(var(--column), (100% - 0.52em) / 2);
  }
  .segments > :first-child:nth-last-child(n + 3) ~ div,
  .segments > :first-child:nth-last-child(n + 3) {
    flex-basis: 100%;
  }
  .segments button {
    padding: 0.25em;
    border: 0;
    border-radius: var(--radius);
    background: none;
    color: var(--_donation-muted);
    font-size: 0.9375em;
    font-weight: 500;
  }
  .segments button::after {
    content: '';
    display: inline-block;
    width: 0.4em;
    height: 0.4em;
    margin-inline-start: 0.5em;
    border: solid;
    border-width: 0 2px 2px 0;
    transform: translateY(-0.2em) rotate(45deg);
  }
  .currency {
    display: flex;
    align-items: center;
    gap: 0.75em;
    margin-bottom: 0.75em;
  }
  .upsell {
    display: grid;
    gap: 0.75em;
    justify-items: start;
  }
  .gift-aid .check:first-child label {
    padding-block-start: 0.375em;
  }
  .gift-aid .check .hint {
    color: inherit;
  }
  .gift-aid fieldset,
  .gift-aid .field.hint {
    margin-block-start: 0.25em;
  }
  .upsell,
  .declaration {
    padding: 0.875em 1em;
    border-radius: var(--radius);
    background: var(--accent-tint);
  }
  .upsell:not(:has(p)) {
    display: none;
  }
  .upsell p::before {
    content: '';
    display: inline-block;
    width: 14px;
    height: 14px;
    margin-inline-end: 0.5em;
    background: var(--highlight);
    clip-path: var(--heart);
  }
  .tribute {
    display: grid;
    grid-template-columns: 2.75em minmax(0, 1fr);
    gap: 0.75em;
    align-items: end;
  }
  .tribute:has(.error) {
    align-items: center;
  }
  .tribute-drawing {
    height: 3em;
  }
  .projects {
    gap: 0;
    grid-auto-rows: max-content;
    padding: 0.125em;
    border: 1px solid var(--_donation-border);
    border-radius: var(--radius);
  }
  .project,
  .project label {
    display: flex;
    gap: 0.75em;
    align-items: center;
    min-height: 2.75em;
    cursor: pointer;
  }
  .project {
    gap: 0 0.75em;
    padding-inline: 0.75em;
    flex-wrap: wrap;
  }
  .projects.scrolling {
    max-height: 18em;
    overflow-y: auto;
    scroll-padding-block: 3em;
  }
  /* The selected project stays visible while the others scroll. */
  .scrolling .project:has(:checked) {
    position: sticky;
    z-index: 1;
    inset-block: 0;
    background: var(--donation-surface, Canvas);
  }
  .projects:not(:has(> :not([hidden]))) {
    display: none;
  }
  .more {
    justify-self: start;
  }
  .project[hidden] {
    display: none;
  }
  .project label {
    flex: 1 1 12em;
  }
  .project:not([hidden]) ~ .project {
    border-block-start: 1px solid color-mix(in srgb, var(--_donation-border) 35%, transparent);
  }
  .project input[type='radio'],
  .project input[type='checkbox'] {
    flex: none;
    width: 1.5em;
    height: 1.5em;
    margin: 0;
    font: inherit;
    accent-color: var(--highlight);
  }
  .part {
    display: flex;
    flex-flow: row-reverse wrap;
    gap: 0.25em 0.75em;
    align-items: center;
    margin-inline-start: auto;
    padding-block: 0.375em;
  }
  .part input {
    width: 7em;
  }
  .goal {
    display: grid;
    gap: 0.25em;
  }
  progress {
    width: 100%;
    height: 0.625em;
    border: 1px solid var(--_donation-border);
    border-radius: 1em;
    background: var(--field-background);
    overflow: hidden;
    appearance: none;
  }
  progress::-webkit-progress-bar {
    background: var(--field-background);
  }
  progress::-webkit-progress-value {
    background: var(--highlight);
  }
  progress::-moz-progress-bar {
    background: var(--highlight);
  }
  .providers {
    border-radius: calc(var(--radius) * 1.2);
    background: var(--fill);
    /* The form itself keeps the chosen row in place. */
    overflow-anchor: none;
  }
  .provider:not(.selected) + .provider:not(.selected) {
    border-block-start: 1px solid color-mix(in srgb, var(--_donation-border) 35%, transparent);
  }
  .provider.selected {
    border-radius: calc(var(--radius) * 1.2);
    background: var(--raised);
    box-shadow: inset 0 0 0 2px var(--highlight);
  }
  .provider label {
    min-height: 3.25em;
    padding: 0 1em;
    font-weight: 500;
  }
  .provider bdi {
    flex: 1;
  }
  .details {
    padding: 0 1em 1em;
  }
  .line-icon {
    flex: none;
    width: 1.5em;
    height: 1.5em;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
    opacity: 0.7;
  }
  .amount-input {
    display: flex;
    align-items: center;
    gap: 0.5em;
  }
  .amount-input > span:empty {
    display: none;
  }
  legend.label {
    margin-bottom: 0.375em;
  }
  .field > .segments,
  .field > .check {
    margin-top: 0.125em;
  }
  /* In WebKit, a legend does not wrap in a grid fieldset. */
  fieldset.field {
    display: block;
  }
  fieldset.field > .hint + * {
    margin-top: 0.5em;
  }
  fieldset.field > .error {
    margin-top: 0.375em;
  }
  @container (min-width: 26em) {
    .row-start {
      grid-column-start: 1;
    }
    .gift-aid .field:nth-last-child(-n + 2) {
      grid-column: auto;
    }
  }
  /* Each line has its own text direction, but all are aligned to the same side. */
  .instructions {
    white-space: pre-line;
    unicode-bidi: plaintext;
    text-align: left;
  }
  .instructions:dir(rtl) {
    text-align: right;
  }
  [part='consents'] {
    display: grid;
    gap: 0.5em;
  }
  @media (forced-colors: active) {
    progress {
      forced-color-adjust: auto;
      appearance: auto;
    }
    .upsell,
    .declaration {
      border: 1px solid;
    }
  }
`;
