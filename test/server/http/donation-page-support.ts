import { ORIGIN, type TestServer } from '../support.ts';

/** A page without JavaScript, as a browser would show and submit it. */
export interface DonationPage {
  readonly url: string;
  readonly response: Response;
  readonly html: string;
  /** Values that the browser would submit, in the order of the page. */
  readonly values: readonly (readonly [name: string, value: string])[];
}

/** Headers that replace the browser's own. The browser omits a header whose value is undefined. */
export type PageHeaders = Readonly<Record<string, string | undefined>>;

interface PageRequest {
  readonly cookie?: string | undefined;
  readonly headers?: PageHeaders | undefined;
  readonly address?: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};
const unescapeHtml = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|amp|#39);/g, (entity) => ENTITIES[entity]!);

const readAttribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescapeHtml(value);
};

/** Reads what a browser would submit. */
function readValues(html: string): [string, string][] {
  const controls = html.matchAll(
    /<input[^>]*>|<select([^>]*)>(.*?)<\/select>|<textarea([^>]*)>\n?(.*?)<\/textarea>/gs,
  );
  return [...controls].flatMap(([tag, , options, , text]): [string, string][] => {
    const name = readAttribute(tag, 'name');
    const type = readAttribute(tag, 'type');
    if (name === undefined) return [];
    if ((type === 'radio' || type === 'checkbox') && !/\schecked/.test(tag)) return [];
    if (options !== undefined) {
      const selected = /<option[^>]* selected>/.exec(options)?.[0];
      return selected === undefined ? [] : [[name, readAttribute(selected, 'value') ?? '']];
    }
    return [[name, text === undefined ? (readAttribute(tag, 'value') ?? '') : unescapeHtml(text)]];
  });
}

async function toPage(url: string, response: Response): Promise<DonationPage> {
  const html = await response.clone().text();
  return { url, response, html, values: readValues(html) };
}

const listHeaders = (headers: PageHeaders): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));

export async function openPage(
  { handler }: TestServer,
  search = '',
  { cookie, headers = {}, address }: PageRequest = {},
): Promise<DonationPage> {
  const url = `${ORIGIN}/donate${search}`;
  const request = new Request(url, { headers: listHeaders({ Cookie: cookie, ...headers }) });
  return toPage(url, await handler.fetch(request, { address }));
}

/** Submits a page with these entries. An empty list unchecks a box. */
export async function submitPage(
  server: TestServer,
  page: DonationPage,
  entries: Readonly<Record<string, string | readonly string[]>> = {},
  { headers, ...options }: PageRequest = {},
): Promise<DonationPage> {
  const names = Object.keys(entries);
  const body = new URLSearchParams(
    page.values.filter(([name]) => !names.includes(name)) as [string, string][],
  );
  for (const [name, value] of Object.entries(entries))
    for (const one of typeof value === 'string' ? [value] : value) body.append(name, one);
  const action = /<form method="post" action="([^"]*)"/.exec(page.html)?.[1] ?? '';
  return sendForm(server, new URL(unescapeHtml(action), page.url).href, body, {
    headers: { Referer: page.url, ...headers },
    ...options,
  });
}

/** Sends an HTML form with the headers that a browser adds on the page itself. */
export async function sendForm(
  { handler }: TestServer,
  url: string,
  body: URLSearchParams,
  { cookie, headers, address }: PageRequest = {},
): Promise<DonationPage> {
  const request = new Request(url, {
    method: 'POST',
    body,
    headers: listHeaders({
      Origin: ORIGIN,
      Referer: `${ORIGIN}/donate`,
      'Sec-Fetch-Site': 'same-origin',
      Cookie: cookie,
      ...headers,
    }),
    redirect: 'manual',
  });
  return toPage(url, await handler.fetch(request, { address }));
}

export const donor = { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' };

export const readCookie = ({ response }: DonationPage): string =>
  (response.headers.get('Set-Cookie') ?? '').split(';')[0]!;
