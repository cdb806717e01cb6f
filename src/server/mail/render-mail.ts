import { html } from 'hono/html';
import { hashSha256 } from '../lib/hash.ts';
import type { MailLogo } from '../organizations/mail-logo.ts';
import type { MailSettings } from '../organizations/mail-settings.ts';
import { makeReadable } from './readable-color.ts';

/** What a message says, before it becomes text and HTML. */
export interface MailContent {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly subject: string;
  /** Name of the organization. */
  readonly organization: string;
  readonly title: string;
  /** Such as `['', '$50', ' a month']`. */
  readonly amount?: readonly [before: string, money: string, after: string] | undefined;
  readonly paragraphs: readonly string[];
  /** A button, whose URL is shown too, because some mail programs show only text. */
  readonly link?: { readonly label: string; readonly url: string } | undefined;
  /** Payment instructions, or the words of someone else. */
  readonly panel?: { readonly title: string; readonly text: string } | undefined;
  readonly details: readonly (readonly [label: string, value: string])[];
  readonly closing: string;
  /** Can have several lines. */
  readonly signature: string;
  /** Shown first. */
  readonly notice?: string | undefined;
}

/** How an organization's messages look. */
export type MailLook = Pick<MailSettings, 'color' | 'logo'>;

const FONT = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const LIGHT_CARD = '#ffffff';
const DARK_CARD = '#202527';
/** In CSS pixels. Logos are shown at half of their pixels, which is sharp on any screen. */
const MAX_LOGO_WIDTH = 200;
const MAX_LOGO_HEIGHT = 60;

/**
 * Renders the same content as text and as HTML. The logo is an attachment, so that nothing tells
 * anybody when the message is read.
 */
export async function renderMail(content: MailContent, look: MailLook = {}) {
  return {
    text: renderText(content),
    html: String(await renderHtml(content, look)),
    attachments: look.logo
      ? [{ filename: 'logo.png', cid: createContentId(look.logo), content: look.logo.content }]
      : [],
  };
}

/** Different for each picture, because mail programs may show that of another message otherwise. */
const createContentId = ({ content }: MailLogo): string => `${hashSha256(content)}@donation-form`;

function renderText({
  title,
  amount,
  paragraphs,
  link,
  panel,
  details,
  closing,
  signature,
  notice,
}: MailContent): string {
  const blocks = [
    ...(notice === undefined ? [] : [notice]),
    title,
    ...(amount ? [amount.join('')] : []),
    ...paragraphs,
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    ...(panel ? [`${panel.title}\n${panel.text}`] : []),
    ...(details.length === 0
      ? []
      : [details.map(([label, value]) => `${label.replace(/[:：]$/, '')}: ${value}`).join('\n')]),
    closing,
    signature,
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** Dark colors, for mail programs that support them. Others show the inline ones. */
const renderDarkStyles = (color: string): string => `@media (prefers-color-scheme: dark) {
body, .page { background: #16191b !important; color: #e9edee !important }
.card { background: ${DARK_CARD} !important; border-color: ${color} !important }
.amount { color: ${color} !important }
.button { background: ${color} !important; color: ${DARK_CARD} !important }
.panel { background: #2b3235 !important }
.soft { color: #a9b4b8 !important }
.line { border-color: #3a4347 !important }
.logo { background: #ffffff !important; padding: 8px !important }
}`;

const renderLines = (text: string) =>
  text.split('\n').map((line, index) => [index > 0 ? html`<br>` : '', line]);

/** Web mail removes `html`, so its language and direction are repeated inside of `body`. */
function renderHtml(content: MailContent, { color, logo }: MailLook) {
  const { language, direction, subject, organization, title, amount, closing, signature } = content;
  const start = direction === 'rtl' ? 'right' : 'left';
  const accent = color === undefined ? '#1c2426' : makeReadable(color, LIGHT_CARD);
  const darkAccent = color === undefined ? '#e9edee' : makeReadable(color, DARK_CARD);
  const border = color === undefined ? '' : `border-top: 4px solid ${accent}; `;
  const soft = 'color: #5b676c; font-size: 15px; line-height: 22px';
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${renderDarkStyles(darkAccent)}</style>
</head>
<body style="margin: 0; background: #f2f4f4; color: #1c2426">
<div lang="${language}" dir="${direction}">
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background: #f2f4f4; color: #1c2426; ${FONT}">
<tr><td align="center" style="padding: 24px 8px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="width: 100%; max-width: 560px">
<tr><td class="card" align="${start}" style="padding: 28px 24px 32px; background: ${LIGHT_CARD}; ${border}border-radius: 12px; font-size: 16px; line-height: 24px">
<p class="soft" style="margin: 0 0 28px; ${soft}; font-weight: 600">${logo ? renderLogo(logo, organization) : organization}</p>
${content.notice === undefined ? '' : renderPanel(content.notice)}
<h1 style="margin: 0 0 ${amount ? 4 : 16}px; font-size: 20px; line-height: 28px; font-weight: 600">${title}</h1>
${amount ? renderAmount(amount, accent) : ''}
${content.paragraphs.map((text) => html`<p dir="auto" style="margin: 0 0 16px">${renderLines(text)}</p>`)}
${content.link === undefined ? '' : renderLink(content.link, accent)}
${content.panel ? renderPanel(content.panel.text, content.panel.title) : ''}
${renderDetails(content)}
<p class="soft" style="margin: 0 0 16px; ${soft}">${closing}</p>
<p dir="auto" style="margin: 0">${renderLines(signature)}</p>
</td></tr></table>
</td></tr></table>
</div>
</body>
</html>`;
}

function renderLogo(logo: MailLogo, organization: string) {
  const scale = Math.min(0.5, MAX_LOGO_WIDTH / logo.width, MAX_LOGO_HEIGHT / logo.height);
  const [width, height] = [logo.width, logo.height].map((pixels) =>
    Math.max(1, Math.round(pixels * scale)),
  );
  // Apple Mail ignores the attributes, and Outlook the styles.
  return html`<img class="logo" src="cid:${createContentId(logo)}" width="${width}" height="${height}" alt="${organization}" style="width: ${width}px; height: ${height}px; border: 0; border-radius: 4px; vertical-align: top">`;
}

function renderAmount([before, money, after]: NonNullable<MailContent['amount']>, color: string) {
  return html`<p class="amount" style="margin: 0 0 16px; color: ${color}; font-size: 20px; line-height: 52px; font-weight: 700">${before}<span style="font-size: 44px">${money}</span>${after}</p>`;
}

function renderLink({ label, url }: NonNullable<MailContent['link']>, color: string) {
  return html`<p style="margin: 8px 0 24px"><a class="button" href="${url}" style="display: inline-block; padding: 12px 20px; background: ${color}; color: #ffffff; border-radius: 8px; font-weight: 600; text-decoration: none">${label}</a></p>
<p class="soft" style="margin: 0 0 24px; color: #5b676c; font-size: 13px; line-height: 18px; word-break: break-all">${url}</p>`;
}

function renderPanel(text: string, title?: string) {
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin: 0 0 24px"><tr><td class="panel" style="padding: 14px 16px; background: #f2f4f4; border-radius: 8px">${
    title === undefined ? '' : html`<p style="margin: 0 0 4px; font-weight: 600">${title}</p>`
  }<p dir="auto" style="margin: 0">${renderLines(text)}</p></td></tr></table>`;
}

function renderDetails({ details, direction }: MailContent) {
  if (details.length === 0) return '';
  const start = direction === 'rtl' ? 'right' : 'left';
  const cell = 'padding: 10px 0; border-top: 1px solid #dde3e4';
  // Otherwise, numbers break at their hyphens.
  const getWrapping = (value: string) => (value.includes(' ') ? '' : '; white-space: nowrap');
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin: 8px 0 24px; font-size: 15px; line-height: 22px">
${details.map(
  ([label, value]) =>
    html`<tr><td class="soft line" align="${start}" valign="top" style="${cell}; color: #5b676c">${label}</td><td class="line" align="${start}" valign="top" style="${cell}; padding-${start}: 12px${getWrapping(value)}">${value}</td></tr>`,
)}
</table>`;
}
