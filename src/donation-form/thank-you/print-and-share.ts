const PRINT_STYLES =
  'body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 2rem auto; ' +
  'text-align: center } h2, .total { font-size: 1.75rem; font-weight: 700; margin: 0 } p { ' +
  'margin: .75rem 0 } svg, button { display: none }';

export function printReceipt(form: HTMLElement, title: string): void {
  const receipt = form.shadowRoot!.getElementById('receipt')!;
  const { lang, dir } = form.shadowRoot!.querySelector<HTMLElement>('.root')!;
  const frame = document.createElement('iframe');
  frame.setAttribute('aria-hidden', 'true');
  frame.style.cssText =
    'position: fixed; inset-block-start: -200vh; width: 40rem; height: 60rem; border: 0';
  document.body.append(frame);
  const view = frame.contentWindow as Window & typeof globalThis;
  const sheet = new view.CSSStyleSheet();
  const heading = view.document.createElement('p');
  const date = view.document.createElement('p');
  sheet.replaceSync(PRINT_STYLES);
  view.document.adoptedStyleSheets = [sheet];
  Object.assign(view.document.documentElement, { lang, dir });
  view.document.title = title;
  heading.textContent = title;
  date.textContent = new Date().toLocaleDateString(lang, { dateStyle: 'long' });
  view.document.body.append(heading, view.document.importNode(receipt, true), date);
  view.addEventListener('afterprint', () => frame.remove());
  view.focus();
  view.print();
}

/** Shares or, if the browser cannot, copies the page's URL without the query string. */
export async function sharePage(
  form: HTMLElement,
  text: string,
  copiedMessage: string,
): Promise<void> {
  const url = location.origin + location.pathname;
  try {
    if ('share' in navigator) return await navigator.share({ text, url });
    await (navigator as Navigator).clipboard.writeText(`${text} ${url}`);
    form.shadowRoot!.getElementById('shared')!.textContent = copiedMessage;
  } catch {
    // The donor closed the share dialog, or the page may not write to the clipboard.
  }
}
