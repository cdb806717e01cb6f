import { html } from 'hono/html';

/** What a message says, before it becomes text and HTML. */
export interface MailContent {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly subject: string;
  /** Name of the organization. */
  readonly organization: string;
  readonly title: string;
  /** Formatted. */
  readonly amount?: string | undefined;
  readonly paragraphs: readonly string[];
  readonly instructions?: { readonly title: string; readonly text: string } | undefined;
  readonly details: readonly (readonly [label: string, value: string])[];
  readonly closing: string;
  /** Can have several lines. */
  readonly signature: string;
  /** Shown first. */
  readonly notice?: string | undefined;
}

/** Dark colors, for mail programs that support them. Others show the inline ones. */
const DARK_STYLES = `@media (prefers-color-scheme: dark) {
body, .page { background: #16191b !important; color: #e9edee !important }
.card { background: #202527 !important }
.soft { color: #a9b4b8 !important }
.line { border-color: #3a4347 !important }
}`;

const FONT = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

/** Renders the same content as text and as HTML, without pictures or anything else to load. */
export async function renderMail(
  content: MailContent,
): Promise<{ readonly text: string; readonly html: string }> {
  return { text: renderText(content), html: String(await renderHtml(content)) };
}

function renderText({
  title,
  amount,
  paragraphs,
  instructions,
  details,
  closing,
  signature,
  notice,
}: MailContent): string {
  const blocks = [
    ...(notice === undefined ? [] : [notice]),
    title,
    ...(amount === undefined ? [] : [amount]),
    ...paragraphs,
    ...(instructions ? [`${instructions.title}\n${instructions.text}`] : []),
    ...(details.length === 0
      ? []
      : [details.map(([label, value]) => `${label.replace(/[:：]$/, '')}: ${value}`).join('\n')]),
    closing,
    signature,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function renderHtml({
  language,
  direction,
  subject,
  organization,
  title,
  amount,
  paragraphs,
  instructions,
  details,
  closing,
  signature,
  notice,
}: MailContent) {
  const align = direction === 'rtl' ? 'right' : 'left';
  const soft = 'color: #5b676c; font-size: 15px; line-height: 22px';
  const lines = (text: string) =>
    text.split('\n').map((line, index) => [index > 0 ? html`<br>` : '', line]);
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${DARK_STYLES}</style>
</head>
<body style="margin: 0; background: #f2f4f4; color: #1c2426">
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background: #f2f4f4; color: #1c2426; ${FONT}">
<tr><td align="center" style="padding: 24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px">
<tr><td class="soft" align="${align}" style="padding: 0 24px 12px; ${soft}">${organization}</td></tr>
<tr><td class="card" align="${align}" style="padding: 32px 24px; background: #ffffff; border-radius: 12px; font-size: 16px; line-height: 24px">
${notice === undefined ? '' : html`<p class="soft" style="margin: 0 0 16px; ${soft}">${notice}</p>`}
<h1 style="margin: 0 0 8px; font-size: 24px; line-height: 32px; font-weight: 700">${title}</h1>
${amount === undefined ? '' : html`<p style="margin: 0 0 24px; font-size: 36px; line-height: 44px; font-weight: 700">${amount}</p>`}
${paragraphs.map((text) => html`<p style="margin: 0 0 16px">${lines(text)}</p>`)}
${
  instructions === undefined
    ? ''
    : html`<p style="margin: 0 0 4px; font-weight: 700">${instructions.title}</p><p style="margin: 0 0 16px">${lines(instructions.text)}</p>`
}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin: 8px 0 24px; font-size: 15px; line-height: 22px">
${details.map(
  ([label, value]) =>
    html`<tr><td class="soft line" align="${align}" valign="top" style="padding: 8px 0; border-top: 1px solid #dde3e4; color: #5b676c">${label}</td><td class="line" align="${align}" valign="top" style="padding: 8px 0; padding-inline-start: 16px; border-top: 1px solid #dde3e4">${value}</td></tr>`,
)}
</table>
<p class="soft" style="margin: 0 0 16px; ${soft}">${closing}</p>
<p style="margin: 0">${lines(signature)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>`;
}
