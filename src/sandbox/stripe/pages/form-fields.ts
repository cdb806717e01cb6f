import type { Context } from 'hono';

/** Reads the fields of a submitted form. */
export async function readFormFields(c: Context): Promise<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(await c.req.text()));
}
