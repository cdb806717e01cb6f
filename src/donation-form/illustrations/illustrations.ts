/** Illustrations in the form's text and accent colors. Loaded after the form is ready to use. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { getSuggestedAmounts } from '@donation-form/core/settings';
import type { Illustrations, View } from '../form/view-model.ts';

export { illustrationStyles } from './styles.ts';

/** Parts of the plant, in the order in which they grow. */
const PLANT_PARTS = [
  svg`<path d="M24 33c-7 0-11-3-12-9 7 0 11 3 12 9z"/>`,
  svg`<path d="M24 29c0-6 4-9 11-10 0 7-4 10-11 10z"/>`,
  svg`<path d="M24 23c-6 0-9-3-9-8 6 0 9 3 9 8z"/>`,
  svg`<path d="M24 19c0-5 3-7 8-8 0 5-3 8-8 8z"/>`,
  svg`<path class="solid" d="M24 13c-4-3-6-4.800-6-7.300a3.200 3.200 0 0 1 6-1.500 3.200 3.200 0 0 1 6 1.500c0 2.500-2 4.300-6 7.300z"/>`,
];
/** Y coordinate of the stem's top, indexed by the last visible plant part. */
const STEM_TOPS = [33, 29, 23, 19, 13];
/** Y coordinate of the view box's top, which centers the plant. */
const PICTURE_TOPS = [11, 9, 7, 5, 1];

/** Renders a plant that grows with the amount and always has leaves. */
function renderImpactDrawing({ context, state }: View): TemplateResult | typeof nothing {
  const { giftArray } = getSuggestedAmounts(context.settings, state.frequency);
  const chosen = giftArray[state.amountChoice as number];
  if (!chosen?.description) return nothing;
  const rank = giftArray.filter(({ value }) => value < chosen.value).length;
  const growth = Math.round((rank / Math.max(1, giftArray.length - 1)) * (PLANT_PARTS.length - 1));
  const last = Math.max(1, growth);
  return html`<svg class="drawing plant" viewBox="7 ${PICTURE_TOPS[last]!} 34 43"><path class="line" d="M14 42h20M24 42V${STEM_TOPS[last]!}"/>${PLANT_PARTS.map(
    (part, index) => svg`<g class=${index <= last ? 'grown' : ''}>${part}</g>`,
  )}</svg>`;
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
