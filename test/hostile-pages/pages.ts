import { readFile } from 'node:fs/promises';

/**
 * A page that makes it hard to show a form: by its style sheet, its layout, its markup, or its
 * scripts.
 */
export interface HostilePage {
  readonly name: string;
  /** If true, another page does much the same, and only the long tests open this one. */
  readonly isVariation?: boolean;
  readonly css?: string;
  /** Path of a style sheet in `node_modules`. */
  readonly styleSheet?: string;
  /** Attributes of `<html>`; by default the page is English. */
  readonly htmlAttributes?: string;
  /** Attributes of the form. */
  readonly formAttributes?: string;
  /** Surrounds the form with the page's markup. */
  readonly wrap?: (form: string) => string;
  /** Paths of scripts that run before the form's script. */
  readonly headFiles?: readonly string[];
  /** A script that runs before the form's script. */
  readonly headScript?: string;
  /** A script that runs after the page was parsed. */
  readonly script?: string;
}

/** Returns a function that puts the form into an element with this style. */
function createBox(style: string): (form: string) => string {
  return (form) => `<div style="${style}">${form}</div>`;
}

/** Returns a function that puts the form beside a paragraph in a container with this style. */
function createBoxWithText(style: string): (form: string) => string {
  return (form) => `<div style="${style}"><p>Text beside the form.</p>${form}</div>`;
}

const EVERY_ELEMENT_CHANGED =
  '* { margin: 3px !important; padding: 2px !important; line-height: 3 !important; ' +
  'float: left !important; font: italic 11px/3 serif !important; color: #b00 !important }';
const NESTED_FRAME = `
  const frame = document.createElement('iframe');
  frame.title = 'Donate';
  frame.style.cssText = 'width: 100%; height: 1500px; border: 0';
  frame.srcdoc = document.documentElement.outerHTML.replace(/<script id[^]*?<\\/script>/, '');
  document.body.replaceChildren(frame);`;
const OTHER_SHADOW_ROOT = `
  const form = document.querySelector('donation-form');
  const host = document.createElement('div');
  form.replaceWith(host);
  host.attachShadow({ mode: 'open' }).append(form);`;

/** The pages, the one without any style first. */
export const hostilePages: readonly HostilePage[] = [
  { name: 'no styles' },
  { name: 'Bootstrap', styleSheet: 'bootstrap/dist/css/bootstrap.min.css' },
  { name: 'Tailwind’s preflight', isVariation: true, styleSheet: 'tailwindcss/preflight.css' },
  { name: 'Bulma', isVariation: true, styleSheet: 'bulma/css/bulma.min.css' },
  { name: 'Water.css', isVariation: true, styleSheet: 'water.css/out/water.min.css' },
  { name: 'MVP.css', isVariation: true, styleSheet: 'mvp.css/mvp.css' },
  {
    name: 'form inside a form, MVP.css',
    styleSheet: 'mvp.css/mvp.css',
    wrap: (form) => `<form>${form}</form>`,
  },
  { name: 'all: revert !important', css: '* { all: revert !important }' },
  { name: 'all: unset !important', css: ':not(iframe) { all: unset !important }' },
  { name: 'all: initial !important', isVariation: true, css: '* { all: initial !important }' },
  { name: 'every element changed with !important', css: EVERY_ELEMENT_CHANGED },
  {
    name: 'hidden controls and frames',
    css: 'input, button, select, iframe { display: none !important; height: 10px !important }',
  },
  {
    name: 'root font size 62.5 %, body size set',
    css: 'html { font-size: 62.5% } body { font-size: 1.6rem }',
  },
  { name: 'root font size 62.5 %', isVariation: true, css: 'html { font-size: 62.5% }' },
  { name: 'root font size 24 px', isVariation: true, css: 'html { font-size: 24px }' },
  { name: 'text at 200 %', isVariation: true, css: 'html { font-size: 200% }' },
  {
    name: 'text spacing',
    css: '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }',
  },
  {
    name: 'capitals, wide and centered',
    css: 'body { text-transform: uppercase; letter-spacing: .2em; text-align: center }',
  },
  { name: 'zoom .7', isVariation: true, css: 'main { zoom: .7 }' },
  { name: 'zoom 1.5', css: 'main { zoom: 1.5 }' },
  { name: 'transform', isVariation: true, css: 'main { transform: rotate(-1deg) scale(.95) }' },
  { name: 'right to left, Arabic', htmlAttributes: 'lang="ar" dir="rtl"' },
  {
    name: 'right to left, English form',
    isVariation: true,
    htmlAttributes: 'lang="ar" dir="rtl"',
    formAttributes: 'language="en"',
  },
  { name: 'vertical writing', css: 'main { writing-mode: vertical-rl }' },
  { name: 'two columns', css: 'main { columns: 2 }' },
  {
    name: 'grid 1fr auto',
    wrap: createBoxWithText('display: grid; grid-template-columns: 1fr auto'),
  },
  { name: 'flex row', wrap: createBoxWithText('display: flex') },
  {
    name: 'flex column, centered',
    isVariation: true,
    wrap: createBoxWithText('display: flex; flex-direction: column; align-items: center'),
  },
  { name: 'inline-flex', isVariation: true, wrap: createBox('display: inline-flex') },
  { name: 'float: right', isVariation: true, wrap: createBox('float: right') },
  {
    name: 'table cell',
    wrap: (form) => `<table><tr><td>Text beside the form.</td><td>${form}</td></tr></table>`,
  },
  { name: 'column of 180 px', wrap: createBox('width: 180px') },
  {
    name: 'fixed height with scrolling',
    wrap: createBox('height: 500px; overflow: auto; border: 1px solid'),
  },
  { name: 'details', wrap: (form) => `<details open><summary>Donate</summary>${form}</details>` },
  {
    name: 'tab that was hidden',
    wrap: (form) => `<div id="tab" hidden>${form}</div>`,
    script: 'setTimeout(() => { document.querySelector("#tab").hidden = false; }, 300)',
  },
  {
    name: 'dialog',
    isVariation: true,
    wrap: (form) => `<dialog>${form}</dialog>`,
    script: 'document.querySelector("dialog").showModal()',
  },
  { name: 'another shadow root', isVariation: true, script: OTHER_SHADOW_ROOT },
  { name: 'frame in a frame', script: NESTED_FRAME },
  { name: 'pale accent', isVariation: true, css: 'donation-form { --donation-accent: #ffe600 }' },
  { name: 'dark page without color-scheme', css: 'html { background: #101820; color: #f2f4f5 }' },
  {
    name: 'picture as background',
    isVariation: true,
    css: 'body { background: linear-gradient(120deg, #23406e, #7a3b2e, #c9a227) fixed; color: #fff }',
  },
];

/** Returns the page's HTML. @param endpoint URL of the server with the form. */
export async function renderHostilePage(page: HostilePage, endpoint: string): Promise<string> {
  const { css = '', styleSheet, htmlAttributes = 'lang="en"', formAttributes = '' } = page;
  const sheet =
    styleSheet === undefined ? '' : await readFile(`node_modules/${styleSheet}`, 'utf8');
  const form = `<donation-form endpoint="${endpoint}" ${formAttributes}></donation-form>`;
  const headScripts = [
    ...(await Promise.all((page.headFiles ?? []).map((path) => readFile(path, 'utf8')))),
    page.headScript ?? '',
  ].map((text) => `<script>${text.replaceAll('</script', '<\\/script')}</script>`);
  const script = page.script === undefined ? '' : `<script id="page">${page.script}</script>`;
  return `<!doctype html>
<html ${htmlAttributes}>
<head>
  <meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A page</title>
  <link rel="icon" href="data:,">
  <style>${sheet}</style><style>${css}</style>${headScripts.join('')}
  <script type="module" src="${endpoint}/donation-form.js"></script>
</head>
<body><main><p>Text above the form.</p>${page.wrap?.(form) ?? form}</main>${script}</body>
</html>`;
}
