import { css } from 'lit';

/** The page's custom properties, their default values, and the values derived from them. */
export const themeStyles = css`
  .root {
    --_donation-accent: #0a5c43;
    --_donation-muted: currentcolor;
    --_donation-border: currentcolor;
    --field-background: var(--donation-field-background, transparent);
    --radius: var(--donation-radius, 0.625em);
    --gap: var(--donation-gap, 2em);
    --fill: var(--donation-choice-background, #8881);
  }
  /* Without a page's value, or if it is not a color, the registered colors above are inherited. */
  .root > * {
    --_donation-accent: var(--donation-accent, inherit);
    --_donation-on-accent: #fff;
    --_donation-muted: var(--donation-muted, inherit);
    --_donation-border: var(--donation-border, inherit);
    --highlight: var(--_donation-accent);
    --raised: Canvas;
    --accent-tint: var(--fill);
  }
  @supports (color: light-dark(red, red)) and (color: color-mix(in srgb, red, red)) {
    .root {
      --_donation-accent: light-dark(#0a5c43, #6fdcb1);
      --_donation-muted: color-mix(in srgb, currentcolor 76%, transparent);
      --_donation-border: color-mix(in srgb, currentcolor 54%, transparent);
      --fill: var(
        --donation-choice-background,
        color-mix(in srgb, currentcolor 6%, transparent)
      );
    }
    .root > * {
      --_donation-on-accent: light-dark(#fff, #06251a);
      --raised: light-dark(#fff, color-mix(in srgb, var(--_donation-accent) 24%, transparent));
      --accent-tint: color-mix(in srgb, var(--_donation-accent) 13%, transparent);
    }
  }
  /*
   * Black or white text, whichever contrasts more, and a --highlight that is visible even for a very
   * light or dark accent.
   */
  @supports (color: light-dark(lab(from red l a b), red)) {
    .root > * {
      --_donation-on-accent: lab(from var(--_donation-accent) clamp(0, (49.9 - l) * 999, 100) 0 0);
      --highlight: light-dark(
        lab(from var(--_donation-accent) min(l, 60) a b),
        lab(from var(--_donation-accent) max(l, 50) a b)
      );
    }
  }
  .root > * > * {
    --_donation-on-accent: var(--donation-on-accent, inherit);
  }
`;
