/** Style sheet of the pages for buyers. */
export const pageStyles = `
  :root {
    color-scheme: light dark;
    --text: light-dark(#14213d, #e9edf3);
    --quiet: light-dark(#52607a, #a8b3c3);
    --page: light-dark(#f3f5f9, #10151d);
    --sheet: light-dark(#ffffff, #1a212c);
    --edge: light-dark(#8290a8, #74829a);
    --accent: light-dark(#1a4fb4, #9dbdff);
    --on-accent: light-dark(#ffffff, #0c1d40);
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
    background: var(--page);
    color: var(--text);
    overflow-wrap: anywhere;
  }
  header {
    padding: 0.5rem 1rem;
    background: light-dark(#fdeed3, #3d2d12);
    color: light-dark(#6b3b00, #ffcf8a);
    font-size: 0.875rem;
    text-align: center;
  }
  main {
    display: grid;
    gap: 1.25rem;
    width: min(100% - 2rem, 28rem);
    margin: clamp(1.5rem, 8vh, 5rem) auto 3rem;
    padding: clamp(1.25rem, 6vw, 2.5rem);
    border-radius: 1.25rem;
    background: var(--sheet);
  }
  h1 {
    font-size: 1.5rem;
    line-height: 1.25;
    text-wrap: balance;
  }
  p {
    color: var(--quiet);
  }
  form,
  fieldset {
    display: grid;
    gap: 0.75rem;
    min-width: 0;
    padding: 0;
    border: 0;
  }
  form {
    gap: 1.25rem;
  }
  legend {
    margin-block-end: 0.5rem;
    font-weight: 600;
  }
  label {
    display: grid;
    grid-template-columns: auto 1fr;
    align-items: center;
    gap: 0.75rem;
    min-height: 3rem;
    padding: 0.5rem 0.875rem;
    border: 1px solid var(--edge);
    border-radius: 0.625rem;
    cursor: pointer;
  }
  label:has(:checked) {
    border-color: var(--accent);
    box-shadow: inset 0 0 0 1px var(--accent);
  }
  input {
    width: 1.25rem;
    height: 1.25rem;
    margin: 0;
    accent-color: var(--accent);
  }
  small {
    display: block;
    color: var(--quiet);
    font-size: 0.875rem;
  }
  .actions {
    display: grid;
    gap: 0.75rem;
  }
  button,
  .button {
    display: block;
    width: 100%;
    min-height: 3rem;
    padding: 0.625rem 1rem;
    border: 1px solid var(--edge);
    border-radius: 1.5rem;
    background: transparent;
    color: inherit;
    font: inherit;
    font-weight: 600;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
  }
  .main {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--on-accent);
  }
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
`;
