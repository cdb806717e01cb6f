import MarkdownIt from 'markdown-it';

/** Shorter texts are names, not prose. */
const MIN_WORDS = 4;

const markdown = new MarkdownIt();

/** Lists the sentences of a page as `path:line text`, including those in lists and tables. */
export function listSentences(path: string, text: string): string[] {
  let line = 0;
  return markdown.parse(text, {}).flatMap(({ type, content, map }) => {
    // Cells of a table have no line of their own.
    if (map) line = map[0] + 1;
    if (type !== 'inline') return [];
    return splitSentences(content).map((sentence) => `${path}:${line} ${sentence}`);
  });
}

/** Splits a text after `.`, `!`, `?`, and `:` if a capital letter follows. */
function splitSentences(text: string): string[] {
  return text
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.!?:]\W?) (?=[*`[“"]*[A-Z])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(' ').length >= MIN_WORDS && /[a-z] [a-z]/.test(sentence));
}
