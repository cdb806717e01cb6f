/** What a donor can take along from the thank-you: a printed page, and a word to others. */

const page =
  'body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 2rem auto; text-align: center } h2, .sum { font-size: 1.75rem; font-weight: 700; margin: 0 } p { margin: .75rem 0 } svg { display: none }';

/**
 * Prints the thank-you alone, with the date: it is taken into a frame of its own, since the page
 * around it is not part of it.
 */
export function printReceipt(form: HTMLElement, title: string): void {
  const kept = form.shadowRoot!.getElementById('keepsake')!;
  const { lang, dir } = form.shadowRoot!.querySelector<HTMLElement>('.root')!;
  const frame = document.createElement('iframe');
  frame.setAttribute('aria-hidden', 'true');
  frame.style.cssText =
    'position: fixed; inset-block-start: -200vh; width: 40rem; height: 60rem; border: 0';
  document.body.append(frame);
  const view = frame.contentWindow as Window & typeof globalThis;
  const sheet = new view.CSSStyleSheet();
  const head = view.document.createElement('p');
  const date = view.document.createElement('p');
  sheet.replaceSync(page);
  view.document.adoptedStyleSheets = [sheet];
  Object.assign(view.document.documentElement, { lang, dir });
  view.document.title = title;
  head.textContent = title;
  date.textContent = new Date().toLocaleDateString(lang, { dateStyle: 'long' });
  view.document.body.append(head, view.document.importNode(kept, true), date);
  view.addEventListener('afterprint', () => frame.remove());
  view.focus();
  view.print();
}

/**
 * Shares the page that the form stands on, without what its address says of the donor; where the
 * browser shares nothing, its address is copied.
 */
export async function sharePage(form: HTMLElement, text: string, copied: string): Promise<void> {
  const url = location.origin + location.pathname;
  try {
    if ('share' in navigator) return await navigator.share({ text, url });
    await (navigator as Navigator).clipboard.writeText(`${text} ${url}`);
    form.shadowRoot!.getElementById('shared')!.textContent = copied;
  } catch {
    // The donor closed the browser's own dialog, or the page may not write to the clipboard.
  }
}
