import ts from 'typescript';

/** Shorter comments and strings are names and markup, not prose. */
const MIN_WORDS = 4;

/** The emulators quote the error messages of Stripe and PayPal. Their pages are ours. */
const QUOTING_FILES = /^src\/sandbox\/(paypal|stripe)\/(?!pages\/|controls\.ts)/;
const TRANSLATIONS = /\/(goal\/messages|translations)\.ts$/;

const SQL_KEYWORDS = [
  ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'RETURNING', 'VALUES', 'SET'],
  ['FROM', 'JOIN', 'ON', 'WHERE', 'AND', 'OR', 'GROUP', 'ORDER', 'LIMIT', 'WITH'],
  ['ALTER', 'ANALYZE', 'BEGIN', 'COMMIT', 'CREATE', 'DROP', 'LOCK', 'PRAGMA'],
].flat();
const SQL = new RegExp(`^\\W*(${SQL_KEYWORDS.join('|')}) `);
/** HTML except for the names of custom elements, styles, and content security policies. */
const MARKUP = /<[!/a-z][^-\s>]*[\s>]|display:|font-|-src '/;
const PROSE = /[a-z] [a-z]/;

/** Lists the named functions and methods of a file as `path name`. */
export function listFunctions(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) &&
      node.name &&
      node.body &&
      node.body.statements.length > 0
    )
      found.push(`${source.fileName} ${getOwner(node)}${node.name.getText(source)}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns `ClassName.` for a method of a class, and nothing for a function. */
function getOwner({ parent }: ts.Node): string {
  return ts.isClassDeclaration(parent) && parent.name ? `${parent.name.text}.` : '';
}

/**
 * Lists the comments and messages of a file as `path:line text`. Leaves out SQL, markup,
 * translations, and the messages that emulators quote.
 */
export const listTexts = (source: ts.SourceFile): string[] => listProse(source, true);

/** Lists the messages of a file, like `listTexts`, but no comments. */
export const listMessages = (source: ts.SourceFile): string[] => listProse(source, false);

function listProse(source: ts.SourceFile, hasComments: boolean): string[] {
  const found = new Map<number, string>();
  const add = (position: number, raw: string): void => {
    const text = raw.replaceAll(/\s+/g, ' ').trim();
    if (text.split(' ').length >= MIN_WORDS && PROSE.test(text)) found.set(position, text);
  };
  const addMessage = (node: ts.Expression): void => {
    const text = joinParts(node, source);
    if (!SQL.test(text) && !MARKUP.test(text)) add(node.getStart(source), text);
  };
  const isOurs = !QUOTING_FILES.test(source.fileName) && !TRANSLATIONS.test(source.fileName);
  const visit = (node: ts.Node, isInMessage: boolean): void => {
    const comments = hasComments ? listLeadingComments(source.text, node.getFullStart()) : [];
    for (const { pos, end } of comments) add(pos, removeCommentMarks(source.text.slice(pos, end)));
    const isMessage = isText(node) && !isTagged(node);
    if (isMessage && isOurs && !isInMessage) addMessage(node);
    ts.forEachChild(node, (child) => {
      visit(child, isInMessage || isMessage);
    });
  };
  visit(source, false);
  return [...found].map(([position, text]) => {
    const { line } = source.getLineAndCharacterOfPosition(position);
    return `${source.fileName}:${line + 1} ${text}`;
  });
}

/** Lists the comments at a position. Line comments on consecutive lines are one comment. */
function listLeadingComments(text: string, position: number): ts.TextRange[] {
  const comments: { pos: number; end: number }[] = [];
  for (const { pos, end, kind } of ts.getLeadingCommentRanges(text, position) ?? []) {
    const previous = comments.at(-1);
    const isContinued =
      kind === ts.SyntaxKind.SingleLineCommentTrivia &&
      previous !== undefined &&
      /^\r?\n[ \t]*$/.test(text.slice(previous.end, pos));
    if (isContinued) previous.end = end;
    else comments.push({ pos, end });
  }
  return comments;
}

function removeCommentMarks(comment: string): string {
  return comment.replaceAll(/^\s*(\/\*\*?|\*\/|\*|\/\/)|\*\/\s*$/gm, '');
}

/** Returns true for strings, templates, and concatenations that contain one. */
function isText(node: ts.Node): node is ts.Expression {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateExpression(node) ||
    (ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.PlusToken &&
      (isText(node.left) || isText(node.right)))
  );
}

/** Tagged templates hold markup, styles, and SQL. */
function isTagged({ parent }: ts.Node): boolean {
  return ts.isTaggedTemplateExpression(parent);
}

/** Returns the text of a string, template, or concatenation, with `${…}` for other parts. */
function joinParts(node: ts.Expression, source: ts.SourceFile): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) return node.getText(source).slice(1, -1);
  if (ts.isBinaryExpression(node) && isText(node))
    return joinParts(node.left, source) + joinParts(node.right, source);
  return `\${${node.getText(source)}}`;
}
