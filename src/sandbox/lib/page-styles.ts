/** Styles shared by the pages of the emulated payment providers. */
export const basePageStyles = `
  :root {
    color-scheme: light dark;
    --text: light-dark(#1a2230, #e9edf3);
    --quiet: light-dark(#566072, #a8b3c3);
    --paper: light-dark(#f3f4f7, #10151d);
    --sheet: light-dark(#ffffff, #1a212c);
    --edge: light-dark(#e1e5eb, #2c3644);
    --border: light-dark(#7c8798, #7f8b9c);
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
  h1 {
    font-size: 1.75rem;
    font-weight: 700;
    line-height: 1.25;
    letter-spacing: -0.01em;
    text-wrap: balance;
    font-variant-numeric: tabular-nums;
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
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      transition: none !important;
    }
  }
`;
