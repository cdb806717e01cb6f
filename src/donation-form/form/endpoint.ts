import type { FormDefinition } from '@donation-form/core/schemas';

const PATIENCE = 15_000;

/**
 * `GET /form`.
 * @param base the endpoint's address, ending in a slash.
 * @throws where no definition comes back.
 */
export async function fetchForm(
  base: string,
  id: string | undefined,
  language: string,
): Promise<{ definition: FormDefinition; etag: string }> {
  const address = new URL(
    `form?${new URLSearchParams({ ...(id !== undefined && { id }), language })}`,
    base,
  ).href;
  const response = await fetch(address, {
    credentials: 'omit',
    signal: AbortSignal.timeout(PATIENCE),
  });
  const etag = response.headers.get('ETag');
  if (!response.ok || etag === null) throw new Error(`${address} answered ${response.status}`);
  return { definition: (await response.json()) as FormDefinition, etag };
}
