import { markdown, readText } from './markdown.ts';

export interface Section {
  /** Anchor of the heading. Empty for the page's title: its section is the top of the page. */
  readonly id: string;
  /** 1 for the page's title. */
  readonly level: number;
  readonly title: string;
  readonly text: string;
}

const sectionsBySource = new Map<string, readonly Section[]>();

/** Splits a page's Markdown into its sections: each heading with the text that follows. */
export function readSections(source: string): readonly Section[] {
  let sections = sectionsBySource.get(source);
  if (!sections) {
    sections = splitSections(source);
    sectionsBySource.set(source, sections);
  }
  return sections;
}

function splitSections(source: string): Section[] {
  const tokens = markdown.parse(source, {});
  const starts = tokens.flatMap(({ type }, index) => (type === 'heading_open' ? [index] : []));
  return starts.map((start, index) => {
    const heading = tokens[start]!;
    const level = Number(heading.tag.slice(1));
    return {
      id: level === 1 ? '' : String(heading.attrGet('id')),
      level,
      title: readText(tokens[start + 1]!).trim(),
      text: tokens
        .slice(start + 2, starts[index + 1])
        .map(readText)
        .join(''),
    };
  });
}

/** Returns a page's title, without Markdown. */
export function readTitle(sections: readonly Section[]): string {
  return sections[0]?.title ?? '';
}

/** Returns the first paragraph of a page, at most 160 characters, for search engines and lists. */
export function summarize(sections: readonly Section[]): string {
  const [paragraph = ''] = sections[0]?.text.split('\n') ?? [];
  return paragraph.length <= 160 ? paragraph : `${paragraph.slice(0, 159).replace(/\s\S*$/, '')}…`;
}
