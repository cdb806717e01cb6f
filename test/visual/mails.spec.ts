import { expect, type Page } from 'playwright/test';
import { fontFaceCss, fontFiles } from './fonts.ts';
import { type Document, MAIL_PICTURES, type MailPicture } from './mails.ts';
import { test } from './stage.ts';

const SYSTEM_FONTS =
  /system-ui, -apple-system, (?:'|&#39;)Segoe UI(?:'|&#39;), Roboto, sans-serif/g;
const ORIGIN = 'https://mail.test';

/** Replaces the fonts, and lets receipts load the new ones. */
const usePinnedFonts = (html: string): string =>
  html
    .replaceAll(SYSTEM_FONTS, 'Pinned')
    .replace("style-src 'unsafe-inline'", "style-src 'unsafe-inline'; font-src 'self'");

/** Shows the documents side by side, each in a frame as high as its contents. */
async function showDocuments(
  page: Page,
  documents: readonly Document[],
  { width, columns }: MailPicture,
): Promise<void> {
  await page.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const font = fontFiles.get(pathname);
    if (font) return route.fulfill({ contentType: 'font/woff2', body: font });
    const document = documents[Number(pathname.slice(1))];
    const body = document
      ? `${usePinnedFonts(document.html)}<style>${fontFaceCss}</style>`
      : renderPage(documents, width, columns);
    return route.fulfill({ contentType: 'text/html; charset=utf-8', body });
  });
  await page.goto(`${ORIGIN}/pictures`, { waitUntil: 'networkidle' });
  await page.evaluate(async () => {
    for (const frame of document.querySelectorAll('iframe')) {
      await frame.contentDocument!.fonts.ready;
      frame.style.height = `${frame.contentDocument!.documentElement.offsetHeight}px`;
    }
  });
}

const renderPage = (documents: readonly Document[], width: number, columns: number): string =>
  `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:"><style>${fontFaceCss}
:root { color-scheme: light dark; background: light-dark(#fff, #000) }
body { display: grid; grid-template-columns: repeat(${columns}, ${width}px); align-items: start; gap: 24px; width: fit-content; margin: 0; padding: 24px; font: 16px/1.5 Pinned }
iframe { display: block; width: 100%; border: 0 }
</style>${documents.map(({ title }, index) => `<div>${title}<iframe src="/${index}"></iframe></div>`).join('')}`;

for (const picture of MAIL_PICTURES)
  test(picture.name, async ({ page }) => {
    await page.emulateMedia({ colorScheme: picture.scheme ?? 'light' });
    await showDocuments(page, await picture.render(), picture);
    const frames = page.frames().slice(1);
    for (const frame of frames)
      expect(
        await frame.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    await expect(page).toHaveScreenshot(`${picture.name}.png`, { fullPage: true });
  });
