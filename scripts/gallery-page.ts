import { imageOf, looksOf, STATES, type Look, type State } from '../test/visual/states.ts';
import { formatMarkdown } from './format-markdown.ts';

const nameOf = ({ scheme, width, direction }: Look): string =>
  `${scheme}, ${width}, ${direction === 'rtl' ? 'right to left' : 'left to right'}`;
const address = (state: State, look: Look): string => `gallery/${imageOf(state, look)}`;

/** Every image of docs/gallery/, by its file's name. */
export const galleryImages = STATES.flatMap((state) =>
  looksOf(state).map((look) => imageOf(state, look)),
);

/** docs/gallery.md: every state of the form, with its first image and links to the others. */
export async function galleryPage(): Promise<string> {
  const sections = STATES.map((state) => {
    const [first, ...others] = looksOf(state) as [Look, ...Look[]];
    return `## ${state.title}\n\n${state.what}\n\n![${state.title}](${address(state, first)})\n\n${others.map((look) => `[${nameOf(look)}](${address(state, look)})`).join(' · ')}\n`;
  });
  return formatMarkdown(`# Every state of the form\n
What a donor may see, in a page of 360 pixels where nothing else is said; the links lead to the same state in the dark, in a page of 768 pixels, and from right to left in Arabic.
The images are made by \`npm run gallery\`, which writes this page too, and are what the tests compare the form with.\n
${sections.join('\n')}`);
}
