/** Style sheet for the console. */
export const consoleStyles = `
  :root {
    color-scheme: light dark;
    --ink: light-dark(#14282c, #e6efee);
    --quiet: light-dark(#52666b, #a3b6b8);
    --paper: light-dark(#f7f5ef, #0f1a1d);
    --sheet: light-dark(#ffffff, #162428);
    --edge: light-dark(#e2ddd0, #2a3f44);
    --line: light-dark(#7d8e91, #7f9396);
    --brand: light-dark(#0c5c6b, #6fd0dc);
    --on-brand: light-dark(#ffffff, #06252b);
    --lamp: #f0a63a;
    --good: light-dark(#0d5c3f, #8be0b8);
    --good-soft: light-dark(#dff2e8, #17382c);
    --warn: light-dark(#7a4300, #ffcf8a);
    --warn-soft: light-dark(#fdeed3, #3d2d12);
    --radius: 0.625rem;
    font:
      1rem/1.5 system-ui,
      'Noto Sans',
      sans-serif;
  }
  * {
    box-sizing: border-box;
    margin: 0;
  }
  body {
    background: var(--paper);
    color: var(--ink);
    padding: 0 clamp(1rem, 4vw, 2.5rem);
    overflow-wrap: anywhere;
  }
  header,
  main,
  footer,
  .problem {
    max-width: 76rem;
    margin-inline: auto;
  }
  header {
    display: grid;
    grid-template-columns: 1fr auto;
    align-items: end;
    gap: 0.5rem 2rem;
    padding: 2.5rem 0 2rem;
  }
  .lede {
    grid-column: 1;
    max-width: 40rem;
    color: var(--quiet);
  }
  header .button {
    grid-column: 2;
    grid-row: 1 / span 2;
  }
  .eyebrow {
    color: var(--brand);
    font-size: 0.9375rem;
    font-weight: 650;
  }
  h1 {
    font:
      700 clamp(2rem, 1.5rem + 2vw, 2.75rem)/1.15 Charter,
      'Bitstream Charter',
      'Sitka Text',
      Cambria,
      'Noto Serif',
      serif;
    letter-spacing: -0.01em;
  }
  h2 {
    font-size: 1.125rem;
    font-weight: 650;
    line-height: 1.3;
  }
  h3 {
    font-size: 1rem;
    font-weight: 650;
  }
  ul,
  dl {
    padding: 0;
    list-style: none;
  }
  dd {
    margin: 0;
  }
  code {
    font-size: 0.9em;
    padding: 0.1em 0.3em;
    border-radius: 0.25rem;
    background: light-dark(#ece8dc, #22353a);
  }
  small {
    font-size: 0.875rem;
    font-weight: 400;
    color: var(--quiet);
  }
  .quiet,
  .hint {
    color: var(--quiet);
    font-size: 0.875rem;
  }
  .hint {
    line-height: 1.4;
  }
  :focus-visible {
    outline: 3px solid var(--brand);
    outline-offset: 2px;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  .problem {
    margin-block-end: 1.5rem;
    padding: 0.875rem 1.25rem;
    border-radius: var(--radius);
    border-inline-start: 4px solid var(--lamp);
    background: var(--warn-soft);
    color: var(--warn);
  }

  section {
    padding: 1.5rem;
    border: 1px solid var(--edge);
    border-radius: 1rem;
    background: var(--sheet);
  }
  section.bare {
    padding: 0;
    border: 0;
    background: none;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    align-items: baseline;
    gap: 0.25rem 1rem;
    margin-block-end: 0.75rem;
  }
  .empty {
    padding: 0.5rem 0 1rem;
    color: var(--quiet);
  }
  .text {
    white-space: pre-wrap;
  }
  .purpose {
    flex-basis: 100%;
    color: var(--quiet);
    font-size: 0.875rem;
  }
  main {
    display: grid;
    gap: 1.5rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .columns {
    columns: 28rem 2;
    column-gap: 1.5rem;
  }
  .columns section {
    margin-block-end: 1.5rem;
    break-inside: avoid;
  }
  .figures {
    display: grid;
    gap: 1.5rem;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
  }
  .figure {
    display: grid;
    grid-template-rows: auto 1fr auto auto;
    gap: 0.5rem;
    padding: 1.25rem 1.5rem;
  }
  .figure h2 {
    color: var(--quiet);
    font-size: 0.9375rem;
    font-weight: 500;
  }
  .value {
    font-size: 2rem;
    font-weight: 650;
    line-height: 1.2;
    font-variant-numeric: tabular-nums;
  }
  .windows {
    display: grid;
    grid-template-columns: repeat(3, auto);
    justify-content: space-between;
    align-content: center;
    gap: 1rem;
    grid-row: 2 / span 2;
  }
  .windows dt {
    color: var(--quiet);
    font-size: 0.875rem;
  }
  .windows dd {
    font-size: 1.25rem;
    font-weight: 650;
    line-height: 1.3;
    font-variant-numeric: tabular-nums;
  }
  .windows small {
    display: block;
  }
  progress {
    width: 100%;
    height: 0.375rem;
    border: 0;
    border-radius: 1rem;
    overflow: hidden;
    appearance: none;
    background: var(--edge);
    color: var(--brand);
  }
  progress::-webkit-progress-bar {
    background: var(--edge);
  }
  progress::-webkit-progress-value {
    border-radius: 1rem;
    background: var(--brand);
  }
  progress::-moz-progress-bar {
    border-radius: 1rem;
    background: var(--brand);
  }

  button,
  .button,
  input,
  select {
    min-height: 2.75rem;
    font: inherit;
    color: inherit;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: transparent;
  }
  button,
  .button {
    padding: 0.5rem 1rem;
    font-weight: 550;
    text-decoration: none;
    cursor: pointer;
    transition:
      background-color 0.14s ease-out,
      border-color 0.14s ease-out;
  }
  button:hover,
  .button:hover {
    border-color: var(--brand);
    background: color-mix(in srgb, var(--brand) 9%, transparent);
  }
  button.plain {
    padding: 0.5rem 0.25rem;
    border-color: transparent;
    background: none;
    color: var(--brand);
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }
  .row .plain {
    margin-inline-start: 0.5rem;
  }
  .figure .row button {
    flex: 1 1 auto;
    padding-inline: 0.75rem;
  }
  .figure .row .plain {
    flex: 0 0 auto;
    min-height: 0;
    padding-block: 0;
    margin-inline-start: auto;
  }

  .gifts li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto 10.5rem;
    gap: 0.25rem 1.25rem;
    align-items: start;
    padding: 0.75rem 0;
  }
  .gifts li + li,
  .lines li + li {
    border-top: 1px solid var(--edge);
  }
  .gifts .quiet {
    display: block;
  }
  .sum {
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  .when {
    text-align: end;
  }
  .pill {
    display: inline-block;
    padding: 0.125rem 0.625rem;
    border-radius: 1rem;
    background: var(--edge);
    font-size: 0.8125rem;
    font-weight: 550;
  }
  .pill::first-letter {
    text-transform: uppercase;
  }
  .pill.good {
    background: var(--good-soft);
    color: var(--good);
  }
  .pill.other {
    background: var(--warn-soft);
    color: var(--warn);
  }
  .lines li {
    padding: 0.75rem 0;
  }
  a:not(.button) {
    color: var(--brand);
    text-underline-offset: 0.2em;
  }
  .gifts details {
    grid-column: 1 / -1;
    margin: 0;
  }
  .gifts .row + .row {
    margin-block-start: 0.5rem;
  }
  .part input {
    flex: 1 1 6rem;
    width: auto;
    min-width: 0;
    max-width: 9rem;
  }
  .url {
    font-weight: 550;
  }

  .switch-row {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: center;
    gap: 1rem;
  }
  .switch-row label {
    cursor: pointer;
  }
  .switch {
    position: relative;
    width: 3.25rem;
    min-height: 2.75rem;
    padding: 0;
    border: 0;
  }
  .switch:hover {
    background: none;
  }
  .switch::before {
    content: '';
    position: absolute;
    inset: 0.5rem 0;
    border: 2px solid var(--line);
    border-radius: 1rem;
    transition: background-color 0.14s ease-out;
  }
  .switch::after {
    content: '';
    position: absolute;
    top: 50%;
    inset-inline-start: 0.375rem;
    width: 1rem;
    height: 1rem;
    translate: 0 -50%;
    border-radius: 50%;
    background: var(--line);
    transition: inset-inline-start 0.14s ease-out;
  }
  .switch:hover::before {
    border-color: var(--brand);
  }
  .switch[aria-checked='true']::before {
    border-color: var(--brand);
    background: var(--brand);
  }
  .switch[aria-checked='true']::after {
    inset-inline-start: 1.875rem;
    background: var(--on-brand);
  }
  details {
    margin-block-start: 0.5rem;
  }
  summary {
    padding: 0.625rem 0;
    color: var(--brand);
    font-weight: 550;
    cursor: pointer;
  }
  .fields {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr));
    gap: 1rem;
    align-items: end;
    margin-block-start: 0.5rem;
  }
  .fields label {
    display: grid;
    gap: 0.25rem;
    font-size: 0.9375rem;
    font-weight: 500;
  }
  .fields .wide {
    grid-column: 1 / -1;
  }
  input,
  select {
    width: 100%;
    padding: 0.5rem 0.75rem;
    font-size: 1rem;
    background: light-dark(#fff, #1b2c31);
  }
  option {
    background: Field;
    color: FieldText;
  }
  ::placeholder {
    color: var(--quiet);
    opacity: 1;
  }

  .campaigns {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr));
    gap: 1.5rem;
  }
  .campaigns li {
    display: grid;
    gap: 0.25rem;
    align-content: start;
    padding: 1.25rem 1.5rem;
    border: 1px solid var(--edge);
    border-radius: 1rem;
    background: var(--sheet);
  }
  .campaigns progress {
    margin-block: 0.5rem 0.25rem;
    align-self: end;
  }
  .campaigns strong {
    color: var(--ink);
  }
  .bare .head {
    margin-block: 1rem;
  }
  footer {
    padding: 2.5rem 0;
    color: var(--quiet);
    font-size: 0.9375rem;
  }

  @media (max-width: 36rem) {
    main {
      gap: 1rem;
    }
    .figures {
      gap: 1rem;
    }
    .figure {
      gap: 0.25rem;
    }
    .columns section {
      margin-block-end: 1rem;
    }
    .campaigns {
      grid-auto-columns: 85%;
      grid-auto-flow: column;
      grid-template-columns: none;
      gap: 1rem;
      overflow-x: auto;
      scroll-snap-type: x proximity;
    }
    .campaigns li {
      scroll-snap-align: start;
    }
    header {
      grid-template-columns: 1fr;
      padding-block: 1.5rem;
    }
    header .button {
      grid-column: 1;
      grid-row: auto;
      justify-self: start;
    }
    section,
    .figure {
      padding: 1.25rem;
    }
    .gifts li {
      grid-template-columns: minmax(0, 1fr) auto;
    }
    .when {
      grid-column: 1 / -1;
      display: flex;
      flex-wrap: wrap;
      gap: 0.5rem;
      align-items: center;
      text-align: start;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      transition: none !important;
    }
  }
  @media (forced-colors: active) {
    .switch::after {
      background: ButtonText;
    }
    .switch[aria-checked='true']::before {
      background: Highlight;
      forced-color-adjust: none;
    }
    progress {
      border: 1px solid CanvasText;
    }
  }
`;
