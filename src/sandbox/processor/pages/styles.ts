import { fieldStyles } from '../../card-frame/styles.ts';

/** Style sheet of the processor's pages for donors. */
export const pageStyles = `
  :root {
    color-scheme: light dark;
    --text: light-dark(#1a2230, #e9edf3);
    --quiet: light-dark(#566072, #a8b3c3);
    --paper: light-dark(#f3f4f7, #10151d);
    --sheet: light-dark(#ffffff, #1a212c);
    --field-background: light-dark(#ffffff, #11171f);
    --edge: light-dark(#e1e5eb, #2c3644);
    --border: light-dark(#7c8798, #7f8b9c);
    --accent: light-dark(#3b4cb8, #aab6ff);
    --on-accent: light-dark(#ffffff, #141c4a);
    --danger: light-dark(#b3261e, #ffb4ab);
    --danger-soft: light-dark(#fdecea, #3c1c1a);
    --radius: 10px;
  }
  * {
    box-sizing: border-box;
    margin: 0;
  }
  html {
    font:
      1rem/1.5 system-ui,
      'Noto Sans',
      sans-serif;
  }
  body {
    min-height: 100vh;
    background: var(--paper);
    color: var(--text);
    overflow-wrap: anywhere;
  }
  main {
    display: grid;
    gap: 1.5rem;
    width: min(100% - 2rem, 29rem);
    margin: clamp(1.5rem, 8vh, 5rem) auto 3rem;
    padding: clamp(1.5rem, 6vw, 2.5rem);
    border: 1px solid var(--edge);
    border-radius: 1.25rem;
    background: var(--sheet);
  }
  .ribbon {
    padding: 0.5rem 1rem;
    background: light-dark(#fdeed3, #3d2d12);
    color: light-dark(#6b3b00, #ffcf8a);
    font-size: 0.875rem;
    text-align: center;
  }
  .ribbon strong {
    margin-inline-end: 0.5rem;
    text-transform: uppercase;
    letter-spacing: 0.08em;
  }
  h1 {
    font-size: 1.75rem;
    font-weight: 700;
    line-height: 1.25;
    letter-spacing: -0.01em;
    text-wrap: balance;
    font-variant-numeric: tabular-nums;
  }
  h2 {
    font-size: 1.0625rem;
    font-weight: 650;
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
  form {
    display: grid;
    gap: 1.25rem;
  }
  .buttons {
    display: grid;
    gap: 0.75rem;
  }
  button,
  .button {
    display: block;
    width: 100%;
    min-height: 3rem;
    padding: 0.625rem 1.25rem;
    border: 1px solid var(--border);
    border-radius: var(--radius);
    background: transparent;
    color: inherit;
    font: inherit;
    font-weight: 600;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
    transition:
      background-color 0.14s ease-out,
      border-color 0.14s ease-out;
  }
  button:hover,
  .button:hover {
    border-color: var(--accent);
    background: color-mix(in srgb, var(--accent) 8%, transparent);
  }
  .main {
    min-height: 3.5rem;
    border-color: var(--accent);
    background: var(--accent);
    color: var(--on-accent);
  }
  .main:hover {
    background: color-mix(in srgb, var(--accent) 88%, var(--text));
  }
  a {
    color: var(--accent);
    text-underline-offset: 0.2em;
  }
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
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
  @media (prefers-reduced-motion: reduce) {
    * {
      transition: none !important;
    }
  }
  ${fieldStyles}
  form:has(#method-bank:checked) #card, form:has(#method-card:checked) #bank {
    display: none;
  }
`;
