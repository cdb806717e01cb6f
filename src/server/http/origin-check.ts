import type { DonationRequest } from '@donation-form/core/schemas';
import { Problem } from '../lib/problem.ts';

/**
 * Checks that a request comes from a page that may show the form. Browsers send the header `Origin`
 * with every POST.
 * @throws {Problem} origin-not-allowed.
 */
export function checkOrigin(origin: string | undefined, allowed: ReadonlySet<string>): void {
  if (origin === undefined || !allowed.has(origin)) {
    throw new Problem(
      'origin-not-allowed',
      origin === undefined
        ? 'The header Origin is missing: gifts are taken from web pages only, whose browsers send it.'
        : 'The page that sent this is not on the list. Add its origin, exactly as in the header Origin, to "origins" in the configuration.',
    );
  }
}

/**
 * What a browser says of a call that a script makes: Fetch Metadata Request Headers, W3C. Browsers
 * before 2023 send neither.
 */
const FETCH_METADATA = { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' } as const;

/**
 * Checks that a browser's script sent a request, and not a form or a link that somebody was led to.
 * @throws {Problem} origin-not-allowed.
 */
export function checkFetchMetadata(headers: Headers): void {
  for (const [name, expected] of Object.entries(FETCH_METADATA)) {
    const found = headers.get(name);
    if (found !== null && found !== expected)
      throw new Problem(
        'origin-not-allowed',
        `The header ${name} is not ${expected}: gifts are sent by the form's script only.`,
      );
  }
}

/**
 * Checks that the page which a gift names is of the origin that sent it.
 * @throws {Problem} origin-not-allowed.
 */
export function checkPage({ page }: DonationRequest['form'], origin: string | undefined): void {
  if (page !== undefined && new URL(page).origin !== origin)
    throw new Problem(
      'origin-not-allowed',
      'form.page is of another origin than the header Origin. Send the address of the page that shows the form, or leave it out.',
    );
}

/** @throws {Problem} content-type-unsupported. */
export function checkContentType(type: string | undefined): void {
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/json')
    throw new Problem(
      'content-type-unsupported',
      'Expected the header Content-Type: application/json.',
    );
}
