import { css } from 'lit';

/**
 * Styles that the form builder and the campaign links page share. Each page's document defines the
 * colors.
 */
export const pageStyles = css`
  :host {
    display: block;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  p,
  h2,
  h3,
  ul {
    margin: 0;
  }
  h2 {
    font-size: 1.25rem;
    font-weight: 650;
    line-height: 1.3;
    letter-spacing: -0.01em;
  }
  h3 {
    font-size: 1rem;
    font-weight: 650;
  }
  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  ul {
    padding: 0;
    list-style: none;
  }
  code {
    padding: 0.0625em 0.3em;
    border-radius: 0.25rem;
    background: color-mix(in srgb, var(--line) 18%, transparent);
    font:
      0.9375em ui-monospace,
      'Noto Sans Mono',
      monospace;
    overflow-wrap: anywhere;
  }
  .hint {
    color: var(--quiet);
    font-size: 0.875rem;
    line-height: 1.45;
    text-wrap: pretty;
  }

  .columns {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 3rem;
  }
  form {
    display: grid;
    gap: 2.5rem;
    align-content: start;
  }
  .results {
    display: grid;
    gap: 1.5rem;
    align-content: start;
  }
  .card {
    display: grid;
    gap: 1rem;
    padding: 1.25rem;
    border: 1px solid var(--edge);
    border-radius: 1rem;
    background: var(--sheet);
    box-shadow:
      0 1px 2px rgb(0 0 0 / 0.03),
      0 8px 24px rgb(0 0 0 / 0.04);
  }
  @media (min-width: 30rem) {
    .card {
      padding: 1.75rem;
    }
  }
  @media (min-width: 62rem) {
    .columns {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1.1fr);
      gap: 4rem;
    }
  }

  legend,
  summary {
    padding: 0;
    font-size: 1.25rem;
    font-weight: 650;
    line-height: 1.3;
    letter-spacing: -0.01em;
  }
  legend {
    margin-bottom: 0.25rem;
  }
  .fields {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.25rem;
    margin-top: 1.25rem;
  }
  legend + .fields,
  legend + .field {
    margin-top: 1rem;
  }
  .field {
    display: grid;
    gap: 0.25rem;
    align-content: start;
    min-width: 0;
  }
  .field label {
    font-weight: 550;
  }
  @media (min-width: 30rem) {
    .fields {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .field {
      grid-column: 1 / -1;
    }
    .half {
      grid-column: auto;
    }
  }
  input:not([type='radio'], [type='checkbox'], [type='color']),
  select,
  textarea {
    width: 100%;
    min-height: 2.875rem;
    margin: 0.25rem 0 0;
    padding: 0.5rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: 0.625rem;
    background: var(--field);
    color: inherit;
    font: inherit;
    appearance: none;
  }
  .select {
    position: relative;
    display: block;
  }
  select {
    padding-inline-end: 2.5rem;
    cursor: pointer;
    text-overflow: ellipsis;
  }
  .select::after {
    content: '';
    position: absolute;
    inset-inline-end: 1.1rem;
    top: 50%;
    width: 0.5rem;
    height: 0.5rem;
    border: solid var(--quiet);
    border-width: 0 2px 2px 0;
    transform: translateY(-50%) rotate(45deg);
    pointer-events: none;
  }
  .radios label {
    display: flex;
    align-items: center;
    gap: 0.75rem;
    min-height: 2.75rem;
    font-weight: 400;
    cursor: pointer;
  }
  .radios input {
    flex: none;
    width: 1.25rem;
    height: 1.25rem;
    margin: 0;
    accent-color: var(--accent);
  }
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  [aria-invalid='true'] {
    border-color: var(--danger) !important;
    box-shadow: inset 0 0 0 1px var(--danger);
  }
  details {
    padding: 0 1.25rem;
    border: 1px solid var(--edge);
    border-radius: 1rem;
  }
  details[open] {
    padding-bottom: 1.5rem;
  }
  summary {
    display: flex;
    align-items: center;
    min-height: 3.5rem;
    margin: 0 -1.25rem;
    padding: 0 1.25rem;
    border-radius: 1rem;
    font-size: 1.0625rem;
    cursor: pointer;
  }
  summary::before {
    content: '';
    flex: none;
    width: 0.5rem;
    height: 0.5rem;
    margin-inline-end: 0.875rem;
    border: solid var(--quiet);
    border-width: 0 2px 2px 0;
    transform: rotate(-45deg);
    transition: transform 0.14s ease-out;
  }
  [open] > summary::before {
    transform: rotate(45deg);
  }

  .problem,
  .good,
  .error {
    display: flex;
    gap: 0.5rem;
    align-items: baseline;
  }
  .problem {
    color: var(--danger);
    font-size: 0.9375rem;
    line-height: 1.45;
  }
  .good {
    color: var(--accent);
    font-size: 0.9375rem;
  }
  .warning {
    color: var(--warning);
  }
  .icon {
    flex: none;
    width: 1rem;
    height: 1rem;
    fill: currentColor;
    transform: translateY(0.15rem);
  }

  textarea {
    display: block;
    line-height: 1.5;
    resize: vertical;
  }
  .code {
    font-family: ui-monospace, 'Noto Sans Mono', monospace;
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }
  textarea.code[readonly] {
    margin: 0;
    padding: 0.875rem 1rem;
    background: var(--paper);
  }
  .empty {
    padding: 1.75rem 1rem;
    border: 1px dashed var(--line);
    border-radius: 0.625rem;
    color: var(--quiet);
    text-align: center;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1rem;
    align-items: center;
  }
  button,
  a.quiet {
    min-height: 2.75rem;
    padding: 0.5rem 1.25rem;
    border-radius: 0.625rem;
    font: inherit;
    cursor: pointer;
  }
  .primary {
    min-height: 3.25rem;
    padding-inline: 2.25rem;
    border: 1px solid transparent;
    background: var(--accent);
    color: var(--on-accent);
    font-size: 1.0625rem;
    font-weight: 650;
    transition: filter 0.14s ease-out;
  }
  .primary:hover {
    filter: brightness(1.08);
  }
  .quiet {
    border: 1px solid var(--line);
    background: var(--field);
    color: inherit;
  }
  .quiet:hover {
    border-color: var(--accent);
  }
  a.quiet {
    display: inline-flex;
    align-items: center;
    text-decoration: none;
  }
  .status-message {
    color: var(--accent);
    font-weight: 600;
  }
  iframe {
    display: block;
    width: 100%;
    height: 46rem;
    border: 1px solid var(--edge);
    border-radius: 0.625rem;
    background: var(--sheet);
  }
  @media (max-width: 30rem) {
    iframe {
      width: calc(100% + 2.5rem);
      margin-inline: -1.25rem;
      border-inline: 0;
      border-radius: 0;
    }
  }
  input[type='file'] {
    padding: 0.5rem;
    border-style: dashed;
    cursor: pointer;
  }
  input[type='file']::file-selector-button {
    min-height: 2rem;
    margin-inline-end: 0.875rem;
    padding: 0.25rem 0.875rem;
    border: 1px solid var(--line);
    border-radius: 0.375rem;
    background: var(--paper);
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      transition: none !important;
    }
  }
  @media (forced-colors: active) {
    .primary {
      border-color: ButtonText;
    }
  }
`;
