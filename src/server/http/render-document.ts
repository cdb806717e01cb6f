import { html } from 'hono/html';

export type Html = ReturnType<typeof html>;

/** Relative URL of the endpoint's base path. The server does not know the absolute URL. */
export type RelativeBase = './' | '../../';

/** @param root URL of the folder that contains `pages/`. */
export function renderDocumentStart(
  root: RelativeBase | '/',
  title: string,
  {
    language = 'en',
    direction = 'ltr',
    styleSheets = ['page.css'],
  }: {
    readonly language?: string;
    readonly direction?: string;
    readonly styleSheets?: readonly string[];
  } = {},
): Html {
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
${styleSheets.map((name) => html`<link rel="stylesheet" href="${root}pages/${name}">`)}`;
}

/** @param script name of a script in `pages/`. */
export function renderDocument(
  root: RelativeBase,
  title: string,
  body: Html,
  script?: string,
): Html {
  return html`${renderDocumentStart(root, title)}
${script === undefined ? '' : html`<script type="module" src="${root}pages/${script}"></script>`}
${body}
</html>`;
}
