import { getFileName, STATES, type Variant, type State } from '../test/visual/states.ts';
import { formatMarkdown } from './format-markdown.ts';

const PHONE: Variant = { scheme: 'light', width: 360, direction: 'ltr' };
const DARK_TABLET_RTL: Variant = { scheme: 'dark', width: 768, direction: 'rtl' };

/** Images of docs/evidence/gallery.md, in order. */
const IMAGES: readonly (readonly [state: string, variant: Variant])[] = [
  ['plain', PHONE],
  ['plain', { scheme: 'dark', width: 360, direction: 'ltr' }],
  ['plain', DARK_TABLET_RTL],
  ['full-expanded', PHONE],
  ['monthly-upsell', PHONE],
  ['many-projects', PHONE],
  ['payment-methods', PHONE],
  ['validation-errors', PHONE],
  ['submitting', PHONE],
  ['card-declined', PHONE],
  ['requires-action', PHONE],
  ['thank-you', PHONE],
  ['thank-you-split', DARK_TABLET_RTL],
];

/** File names in docs/evidence/gallery/, the same as in test/visual/baselines/. */
export const galleryImages = IMAGES.map(([name, variant]) =>
  getFileName(getVisualState(name), variant),
);

/** Renders docs/evidence/gallery.md. */
export function renderGalleryPage(): Promise<string> {
  const sections = [...new Set(IMAGES.map(([name]) => name))].map((name) => {
    const state = getVisualState(name);
    const images = IMAGES.filter(([imageName]) => imageName === name);
    const pictures = images.map(([, variant]) => {
      const title = variant === PHONE ? state.title : `${state.title}, ${describeVariant(variant)}`;
      return `![${title}](gallery/${getFileName(state, variant)})\n`;
    });
    return `## ${state.title}\n\n${state.description}\n\n${pictures.join('\n')}`;
  });
  const introduction =
    'This page, generated from the visual tests by `npm run gallery`, shows the form on phones and tablets.';
  return formatMarkdown(`# Gallery\n\n${introduction}\n\n${sections.join('\n')}`);
}

function getVisualState(name: string): State {
  const state = STATES.find((candidate) => candidate.name === name);
  if (!state) throw new Error(`Unknown state ${name}. See test/visual/states.ts.`);
  return state;
}

function describeVariant({ scheme, width, direction }: Variant): string {
  const details = [
    ...(scheme === 'dark' ? ['dark'] : []),
    ...(width === PHONE.width ? [] : [`${width} pixels wide`]),
    ...(direction === 'rtl' ? ['right to left'] : []),
  ];
  return details.join(', ');
}
