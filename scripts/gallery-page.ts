import { imageOf, STATES, type Look, type State } from '../test/visual/states.ts';
import { formatMarkdown } from './format-markdown.ts';

const PHONE: Look = { scheme: 'light', width: 360, direction: 'ltr' };
const DARK_TABLET_RTL: Look = { scheme: 'dark', width: 768, direction: 'rtl' };

/** The pictures of docs/gallery.md, in its order. */
const PICTURES: readonly (readonly [state: string, look: Look])[] = [
  ['plain', PHONE],
  ['plain', { scheme: 'dark', width: 360, direction: 'ltr' }],
  ['plain', DARK_TABLET_RTL],
  ['whole-opened', PHONE],
  ['monthly-suggestion', PHONE],
  ['many-projects', PHONE],
  ['ways', PHONE],
  ['problems', PHONE],
  ['sending', PHONE],
  ['declined', PHONE],
  ['action', PHONE],
  ['thanks', PHONE],
  ['thanks-parts', DARK_TABLET_RTL],
];

/** File names in docs/gallery/, which are those of the screenshot tests' baselines. */
export const galleryImages = PICTURES.map(([name, look]) => imageOf(findState(name), look));

/** Writes the text of docs/gallery.md. */
export function writeGalleryPage(): Promise<string> {
  const sections = PICTURES.map(([name, look]) => {
    const state = findState(name);
    const title = look === PHONE ? state.title : `${state.title}, ${describeLook(look)}`;
    return `## ${title}\n\n${state.what}\n\n![${title}](gallery/${imageOf(state, look)})\n`;
  });
  return formatMarkdown(`# Gallery\n
The form as donors see it, on a page of 360 pixels unless the heading says otherwise. \`npm run gallery\` makes this page from the baselines of the screenshot tests, which have every state.\n
${sections.join('\n')}`);
}

function findState(name: string): State {
  const state = STATES.find((one) => one.name === name);
  if (!state) throw new Error(`No state is called ${name}. See test/visual/states.ts.`);
  return state;
}

function describeLook({ scheme, width, direction }: Look): string {
  const details = [
    ...(scheme === 'dark' ? ['dark'] : []),
    ...(width === PHONE.width ? [] : [`${width} pixels wide`]),
    ...(direction === 'rtl' ? ['right to left'] : []),
  ];
  return details.join(', ');
}
