import { css } from 'lit';

export const illustrationStyles = css`
  .drawing {
    overflow: visible;
    fill: color-mix(in srgb, var(--highlight) 22%, transparent);
    stroke: var(--highlight);
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .drawing .line {
    fill: none;
    stroke: currentcolor;
    opacity: 0.65;
  }
  .drawing .solid {
    fill: var(--highlight);
  }
  .impact .drawing {
    grid-area: 1 / 1;
    width: 1.75em;
    height: 1.75em;
    margin-block: -0.125em;
  }
  .sprigs {
    width: 11em;
    height: 4.75em;
    margin: 0.5em 0 0.25em;
    stroke-width: 1.5;
  }
  .sprigs path:not(.line) {
    animation: grow 0.24s 0.2s var(--easing) backwards;
  }
  .letter {
    width: 6em;
    height: 4.5em;
  }
  @keyframes grow {
    from {
      opacity: 0;
    }
  }
  .tribute-drawing .drawing {
    display: block;
    width: 2.75em;
    height: 3em;
  }

  /* A heart before the monthly segment's word. It is filled while monthly is chosen. */
  [value='monthly'] + .face::before {
    height: 14px;
    background: color-mix(in srgb, var(--highlight) 60%, transparent);
    clip-path: var(--heart);
    transition: background-color 0.16s var(--easing);
  }
  [value='monthly']:checked + .face::before {
    background: var(--highlight);
    animation: beat 0.24s var(--easing);
  }
  @keyframes beat {
    50% {
      scale: 1.3;
    }
  }
  .screen[role='alert']::before {
    content: '';
    width: 64px;
    height: 64px;
    background: var(--_donation-muted);
    opacity: 0.5;
    clip-path: path(
      'M20 46a12 12 0 0 1-1.500-23.900 16 16 0 0 1 30.700 2.500A11 11 0 0 1 47 46zM24 52a2 2 0 0 1 2 2v2a2 2 0 0 1-4 0v-2a2 2 0 0 1 2-2zm10 0a2 2 0 0 1 2 2v6a2 2 0 0 1-4 0v-6a2 2 0 0 1 2-2zm10 0a2 2 0 0 1 2 2v2a2 2 0 0 1-4 0v-2a2 2 0 0 1 2-2z'
    );
  }
  @media (prefers-reduced-motion: reduce) {
    .drawing *,
    .segments .face::before {
      animation: none !important;
    }
  }
  @media (forced-colors: active) {
    .drawing {
      fill: none;
      stroke: CanvasText;
    }
    .drawing .solid {
      fill: CanvasText;
    }
  }
`;
