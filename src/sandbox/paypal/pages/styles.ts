import { basePageStyles } from '../../lib/page-styles.ts';

/** Style sheet of the pages that buyers visit. */
export const pageStyles = `${basePageStyles}
  :root {
    --accent: light-dark(#1a4fb4, #9dbdff);
    --on-accent: light-dark(#ffffff, #0c1d40);
  }
  p {
    color: var(--quiet);
  }
  fieldset {
    display: grid;
    gap: 0.75rem;
    min-width: 0;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 0;
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
    border: 1px solid var(--border);
    border-radius: var(--radius);
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
`;
