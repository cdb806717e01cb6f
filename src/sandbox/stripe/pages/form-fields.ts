import type { Context } from 'hono';

/** Reads a submitted form. */
export async function readFormFields(c: Context): Promise<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(await c.req.text()));
}
