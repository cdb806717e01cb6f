/** Illustrations in the form's text and accent colors. Loaded after the form is ready to use. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { ImpactDrawing } from '@donation-form/core/donation';
import { getSuggestedAmounts } from '@donation-form/core/settings';
import type { Illustrations, View } from '../form/view-model.ts';

export { illustrationStyles } from './styles.ts';

const HEART =
  'M16 27C8 21 4 17 4 12a6.300 6.300 0 0 1 12-2.800A6.300 6.300 0 0 1 28 12c0 5-4 9-12 15z';

const impactDrawings: Readonly<Record<ImpactDrawing, TemplateResult>> = {
  heart: html`<svg class="drawing" viewBox="0 0 32 32"><path d=${HEART}></path></svg>`,
  book: html`<svg class="drawing" viewBox="0 0 32 32"><path d="M16 9c-3-2-7-3-12-3v18c5 0 9 1 12 3 3-2 7-3 12-3V6c-5 0-9 1-12 3z"/><path class="line" d="M16 9v18"/></svg>`,
  bowl: html`<svg class="drawing" viewBox="0 0 32 32"><path d="M4 15h24c0 7-5 12-12 12S4 22 4 15z"/><path class="line" d="M13 10c-2-2 2-3 0-6M19 10c-2-2 2-3 0-6"/></svg>`,
  drop: html`<svg class="drawing" viewBox="0 0 32 32"><path d="M16 4c6 7 9 11 9 15a9 9 0 0 1-18 0c0-4 3-8 9-15z"/><path class="line" d="M20.500 20a4.500 4.500 0 0 1-4 4"/></svg>`,
  flask: html`<svg class="drawing" viewBox="0 0 32 32"><path d="M10 19h12l2.500 6a2 2 0 0 1-2 3h-13a2 2 0 0 1-2-3z"/><path class="line" d="M11 4h10M13 4v8L7.500 25a2 2 0 0 0 2 3h13a2 2 0 0 0 2-3L19 12V4"/></svg>`,
  house: html`<svg class="drawing" viewBox="0 0 32 32"><path d="M6 14v13h20V14L16 5z"/><path class="line" d="m3 16.500 13-12 13 12M13 27v-8h6v8"/></svg>`,
  paw: html`<svg class="drawing" viewBox="0 0 32 32"><path d="M16 15c4 0 8 4 8 8s-4 4-8 4-8 0-8-4 4-8 8-8z"/><path class="solid" d="M7 13v1M12.500 7v1M19.500 7v1M25 13v1" stroke-width="4.500"/></svg>`,
  people: html`<svg class="drawing" viewBox="0 0 32 32"><path d="M12 6a4.500 4.500 0 0 1 0 9 4.500 4.500 0 0 1 0-9zM4 27c0-6 3-9 8-9s8 3 8 9z"/><path class="line" d="M20 6a4.700 4.700 0 0 1 0 9M24 18.500c3 1.300 4 4 4 8.500"/></svg>`,
  pulse: html`<svg class="drawing" viewBox="0 0 32 32"><path d=${HEART}></path><path class="line" d="M8 15h4l2-4 3 8 2-4h5"/></svg>`,
  sprout: html`<svg class="drawing" viewBox="0 0 32 32"><path d="M16 19c-7 0-10-3-11-9 7 0 11 3 11 9zM16 15c0-6 4-9 11-10 0 7-4 10-11 10z"/><path class="line" d="M16 28V15M9 28h14"/></svg>`,
  wrench: html`<svg class="drawing" viewBox="0 0 32 32"><path d="M27.500 9.500a7 7 0 0 1-9 7.500l-9 9.500a3 3 0 0 1-4.500-4.500l9.500-9a7 7 0 0 1 8-8.500l-4.500 4.500.5 4.500 4.500.5z"/></svg>`,
};

/** Renders the drawing beside the impact of the chosen amount. */
function renderImpactDrawing({ context, state }: View): TemplateResult | typeof nothing {
  const { giftArray } = getSuggestedAmounts(context.settings, state.frequency);
  const chosen = giftArray[state.amountChoice as number];
  return chosen?.description ? impactDrawings[chosen.drawing ?? 'heart'] : nothing;
}

/** Leaves of one sprig: position, rotation in degrees, and size. */
const LEAVES: readonly (readonly [x: number, y: number, angle: number, scale: number])[] = [
  [54, 66, 200, 0.8],
  [42, 59, 150, 0.9],
  [40, 58, 245, 0.9],
  [31, 47, 170, 1],
  [30, 46, 262, 1],
  [25, 33, 185, 0.9],
  [25, 33, 280, 0.95],
  [24, 19, 232, 0.95],
];

const leaves = LEAVES.map(
  ([x, y, angle, scale], index) =>
    svg`<path class=${index % 2 ? 'solid' : ''} transform="translate(${x} ${y}) rotate(${angle}) scale(${scale})" d="M0 0c3-6 10-8 15-5-2 6-9 9-15 5z"/>`,
);

// The minifier does not close empty elements in a fragment, so only the last element can be empty.
const sprig = svg`${leaves}<path class="line" d="M66 69C46 65 25 50 24 20"/>`;

const thankYouDrawing = html`<svg class="drawing sprigs" viewBox="0 0 176 76" aria-hidden="true">${sprig}<g transform="matrix(-1 0 0 1 176 0)">${sprig}</g></svg>`;

/** A letter, for donors who pay by bank transfer or check. */
const letterDrawing = html`<svg class="drawing letter" viewBox="0 0 96 72" aria-hidden="true"><path class="line" d="M10 26h76v36a4 4 0 0 1-4 4H14a4 4 0 0 1-4-4z"/><path d="M22 34V8a3 3 0 0 1 3-3h46a3 3 0 0 1 3 3v26L48 50z"/><path class="line" d="m10 28 38 24 38-24M33 17h30M33 25h18"/><path class="solid" d="M48 60c-6-4.500-9-7.300-9-11a4.800 4.800 0 0 1 9-2.300 4.800 4.800 0 0 1 9 2.300c0 3.700-3 6.500-9 11z"/></svg>`;

/** A candle for donations in memory of someone, and a star for donations in honor of someone. */
const tributeDrawings = {
  memory: html`<svg class="drawing" viewBox="0 0 48 48" aria-hidden="true"><path d="M19 22h10v19H19z"/><path class="line" d="M12 41h24M24 22v-4M21.500 27v5"/><path class="solid" d="M24 5c4 4.500 5 6.500 5 8.500a5 5 0 0 1-10 0C19 11.500 20 9.500 24 5z"/></svg>`,
  honor: html`<svg class="drawing" viewBox="0 0 48 48" aria-hidden="true"><path class="solid" d="m24 12 3.600 7.400 8.100 1.100-5.900 5.700 1.400 8.100-7.200-3.900-7.200 3.900 1.400-8.100-5.900-5.700 8.100-1.100z"/><path class="line" d="M24 3v3M6.500 13l2.600 1.500M41.500 13l-2.600 1.500M8 35l2.400-1.600M40 35l-2.400-1.600M24 44v-3"/></svg>`,
};

export const illustrations: Illustrations = {
  renderImpactDrawing,
  thankYouDrawing,
  letterDrawing,
  tributeDrawings,
};
