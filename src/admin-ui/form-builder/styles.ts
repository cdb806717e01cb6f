import { css } from 'lit';

/** Styles of the form builder, in page order: starting point, fields, preview, and export. */
export const styles = css`
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .editor,
  .source,
  form {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
    align-content: start;
  }
  .editor {
    gap: 1.5rem;
  }
  .source > [role]:empty {
    margin-top: -0.75rem;
  }
  .source > button {
    justify-self: start;
  }
  .start-actions {
    margin-block: 0.25rem 1.25rem;
  }
  .section,
  .source > details {
    background: var(--sheet);
  }
  .section > .fields,
  .section > fieldset:first-of-type {
    margin-top: 0.25rem;
  }
  .section > .hint + .fields {
    margin-top: 1.25rem;
  }
  .section .frequencies {
    margin-top: 1.25rem;
  }
  .section .frequencies legend {
    font-size: 1rem;
  }
  .problem-count {
    margin-inline-start: auto;
    padding: 0.125rem 0.625rem;
    border: 1px solid currentcolor;
    border-radius: 1rem;
    color: var(--danger);
    font-size: 0.8125rem;
    font-weight: 600;
    letter-spacing: 0;
  }
  button.quiet {
    min-height: 2.75rem;
    padding: 0.375rem 0.875rem;
  }
  .quiet[aria-disabled='true'] {
    border-color: transparent;
    opacity: 0.5;
    cursor: default;
  }

  legend {
    width: 100%;
  }
  .group,
  .entry,
  .project {
    border: 1px solid var(--edge);
    border-radius: 1rem;
    background: var(--sheet);
  }
  .group {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.25rem;
    margin-block: 1rem;
    padding: 1.25rem;
  }
  .group > .fields {
    margin: 0;
  }
  .entries,
  .override {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
  }
  .entries > legend {
    margin-bottom: 0.5rem;
    font-size: 1rem;
    font-weight: 650;
  }
  div.entries {
    margin-block: 1rem 0.75rem;
  }
  .entry {
    padding: 1rem;
    background: var(--paper);
  }
  .entry .fields {
    margin: 0;
  }
  .entry-foot,
  .entry-actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  .entry-actions {
    align-items: center;
  }
  .entry-foot {
    align-items: center;
    justify-content: space-between;
    margin-top: 0.75rem;
  }
  .add,
  .override > button {
    justify-self: start;
  }
  .project {
    padding-inline: 1.25rem;
  }
  .project summary {
    font-weight: 550;
  }
  .project .fields {
    margin-top: 0.5rem;
  }
  .project .entry-actions {
    margin-top: 1.25rem;
  }
  @media (min-width: 30rem) {
    .thirds {
      grid-template-columns: repeat(3, minmax(0, 1fr));
    }
    .gift {
      grid-template-columns: minmax(0, 1fr) minmax(0, 2fr);
    }
  }

  .checkboxes {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr));
    gap: 0 1rem;
  }
  .checkbox {
    display: flex;
    align-items: center;
    gap: 0.75rem;
    min-height: 2.75rem;
    cursor: pointer;
  }
  .checkbox input {
    flex: none;
    width: 1.25rem;
    height: 1.25rem;
    margin: 0;
    accent-color: var(--accent);
  }

  .problem span::first-letter {
    text-transform: uppercase;
  }
  .color-field {
    display: flex;
    gap: 0.5rem;
    align-items: end;
  }
  .color-field input[type='color'] {
    flex: none;
    width: 2.875rem;
    height: 2.875rem;
    padding: 0.25rem;
    border: 1px solid var(--line);
    border-radius: 0.625rem;
    background: var(--field);
    cursor: pointer;
  }
  .color-field .unset {
    opacity: 0.35;
  }
  .more {
    margin-top: 1.25rem;
  }
  .contrast-warnings {
    display: grid;
    gap: 0.375rem;
    margin-top: 1.25rem;
    font-size: 0.9375rem;
  }

  .results {
    align-content: start;
  }
  .preview {
    padding: 1.25rem;
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem 1rem;
    align-items: end;
  }
  .tools .field {
    flex: 1 1 9rem;
  }
  .tools h2 {
    flex: 1 0 100%;
  }
  .tools .field label {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  .tools select {
    margin: 0;
  }
  .segments {
    display: flex;
  }
  .segments label {
    position: relative;
    display: grid;
    place-items: center;
    min-height: 2.875rem;
    padding: 0 1rem;
    border: 1px solid var(--line);
    background: var(--field);
    cursor: pointer;
  }
  .segments label + label {
    margin-inline-start: -1px;
  }
  .segments label:first-of-type {
    border-start-start-radius: 0.625rem;
    border-end-start-radius: 0.625rem;
  }
  .segments label:last-of-type {
    border-start-end-radius: 0.625rem;
    border-end-end-radius: 0.625rem;
  }
  .segments input {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .segments label:has(:checked) {
    z-index: 1;
    border-color: var(--accent);
    background: color-mix(in srgb, var(--accent) 9%, var(--field));
    box-shadow: inset 0 0 0 1px var(--accent);
    font-weight: 600;
  }
  .segments label:has(:focus-visible) {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
    z-index: 2;
  }
  @media (min-width: 30rem) {
    .phone {
      max-width: 22.5rem;
      margin-inline: auto;
    }
  }
  [hidden] {
    display: none;
  }
  @media (min-width: 62rem) {
    .columns {
      grid-template-columns: minmax(0, 26rem) minmax(0, 1fr);
      gap: 2rem;
    }
    .results {
      position: sticky;
      top: 1rem;
      align-self: start;
    }
    .tools h2 {
      flex: 1 0 auto;
      align-self: center;
    }
    .tools .field {
      flex: 0 1 11rem;
    }
    .preview iframe {
      height: max(24rem, calc(100vh - 9rem));
    }
  }

  .export {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.25rem;
    margin-top: 4rem;
    padding-top: 3rem;
    border-top: 1px solid var(--edge);
  }
  .export .columns {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr));
    gap: 1.5rem;
    align-items: start;
  }
  #problems {
    display: grid;
    gap: 0.5rem;
  }
  #problems:empty {
    display: none;
  }
  #problems ul {
    display: grid;
    gap: 0.375rem;
    padding-inline-start: 1.5rem;
    list-style: disc;
    font-size: 0.9375rem;
    overflow-wrap: anywhere;
  }
  #problems a {
    color: inherit;
  }
  .page-nav {
    position: sticky;
    inset-block-end: 0;
    z-index: 3;
    display: flex;
    flex-wrap: wrap;
    gap: 0 1.25rem;
    justify-content: center;
    margin: 2rem calc(-1 * var(--gutter)) 0;
    padding-inline: var(--gutter);
    border-top: 1px solid var(--edge);
    background: var(--sheet);
  }
  .page-nav a {
    display: inline-flex;
    align-items: center;
    min-height: 2.75rem;
    color: var(--accent);
    font-size: 0.9375rem;
  }
  @media (max-width: 62rem) {
    input,
    select,
    textarea,
    button,
    summary {
      scroll-margin-block-end: 6rem;
    }
  }
  @media (min-width: 62rem) {
    .page-nav {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .segments label:has(:checked) {
      border: 3px solid Highlight;
    }
  }
`;
