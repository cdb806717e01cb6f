import { isSqlState } from './database-error.ts';

/**
 * Removes the credentials from a database URL, for messages.
 * @throws {Error} if `url` is not a PostgreSQL URL.
 */
export function redactUrl(url: string): string {
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol))
    throw new Error(
      'DATABASE_URL is not a PostgreSQL URL. Expected postgres://user:password@host:5432/name.',
    );
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/** Advice for rejected connections, keyed by PostgreSQL's SQLSTATE code. */
const REJECTIONS: Readonly<Record<string, string>> = {
  '28P01': 'Correct the username or password in DATABASE_URL.',
  '28000': 'Correct the username in DATABASE_URL, or allow this connection in pg_hba.conf.',
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  '53300': 'Increase max_connections in PostgreSQL, or close other connections.',
};

/** Continues a sentence that starts with the database's name. */
export function describeConnectionError(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message: string };
  if (typeof code === 'string' && isSqlState(code))
    return `rejected the connection (${message}). ${REJECTIONS[code] ?? 'Check DATABASE_URL.'}`;
  const reason = typeof code === 'string' ? code : message;
  return (
    `does not respond (${reason}). Make sure that PostgreSQL is running, and check DATABASE_URL ` +
    "and this machine's network."
  );
}
