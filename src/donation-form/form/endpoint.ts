import type { FormDefinition } from '@donation-form/core/schemas';

const TIMEOUT = 15_000;

/**
 * Fetches a form definition: `GET /form`.
 * @param endpointUrl ends in a slash.
 * @throws if the request fails.
 */
export async function fetchForm(
  endpointUrl: string,
  id: string | undefined,
  language: string,
): Promise<{ definition: FormDefinition; etag: string }> {
  const url = new URL(
    `form?${new URLSearchParams({ ...(id !== undefined && { id }), language })}`,
    endpointUrl,
  ).href;
  const response = await fetch(url, {
    credentials: 'omit',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const etag = response.headers.get('ETag');
  if (!response.ok || etag === null) throw new Error(`${url} returned status ${response.status}.`);
  return { definition: (await response.json()) as FormDefinition, etag };
}
