import type { CompiledQuery, DatabaseConnection, Dialect, Driver } from 'kysely';

/** `cause` is the original error. */
class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/** Also true if one of the causes came from the database. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && (error instanceof DatabaseError || isDatabaseError(error.cause));
}

/** Returns true for an error code of PostgreSQL: five characters with a digit, such as `57P01`. */
export const isSqlState = (code: string): boolean => /^(?=.*\d)[0-9A-Z]{5}$/.test(code);

/** Failed connections, and a server that is shutting down, has crashed, or is starting. */
const CONNECTION_CODES = /^(08\w{3}|57P0[123])$/;

/** False if the database rejected a statement, with a code from SQLite (`ERR_…`) or PostgreSQL. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof DatabaseError)) return isDatabaseUnreachable(error.cause);
  const { code = '' } = (error.cause ?? {}) as { readonly code?: string };
  const isRejection = code.startsWith('ERR_') || isSqlState(code);
  return !isRejection || CONNECTION_CODES.test(code);
}

/**
 * PostgreSQL's classes for rows that it does not accept, and for transactions that it rolled back,
 * for example because of a deadlock. https://www.postgresql.org/docs/15/errcodes-appendix.html
 */
const ROW_ERROR_CLASSES = ['22', '23', '40'];

/** Returns true if PostgreSQL may accept some of the rows in statements of their own. */
export function isRowError(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: string };
  return code !== undefined && ROW_ERROR_CLASSES.includes(code.slice(0, 2));
}

/** Makes a dialect throw {@link DatabaseError}s, which callers can distinguish from other errors. */
export function wrapDialectErrors(dialect: Dialect): Dialect {
  const createDriver = dialect.createDriver.bind(dialect);
  return Object.assign(dialect, { createDriver: () => wrapDriverErrors(createDriver()) });
}

function wrapDriverErrors(driver: Driver): Driver {
  const wrap = <Result>(work: Promise<Result>): Promise<Result> => work.catch(rethrowDatabaseError);
  return {
    init: () => wrap(driver.init()),
    acquireConnection: async () => wrapConnectionErrors(await wrap(driver.acquireConnection())),
    beginTransaction: (connection, settings) => wrap(driver.beginTransaction(connection, settings)),
    commitTransaction: (connection) => wrap(driver.commitTransaction(connection)),
    rollbackTransaction: (connection) => wrap(driver.rollbackTransaction(connection)),
    releaseConnection: (connection) => driver.releaseConnection(connection),
    destroy: () => driver.destroy(),
  };
}

const wrappedConnections = new WeakSet<DatabaseConnection>();

/** Wraps each connection once, because Kysely's drivers reuse their connections. */
function wrapConnectionErrors(connection: DatabaseConnection): DatabaseConnection {
  if (wrappedConnections.has(connection)) return connection;
  wrappedConnections.add(connection);
  const executeQuery = connection.executeQuery.bind(connection);
  return Object.assign(connection, {
    executeQuery: async (query: CompiledQuery) => {
      const index = query.parameters.indexOf(undefined);
      if (index !== -1) rejectUndefinedValue(`parameter ${index + 1} of "${query.sql}"`);
      return executeQuery(query).catch(rethrowDatabaseError);
    },
  });
}

/** @throws {DatabaseError} always: the given error, or one with the given error as its cause. */
export function rethrowDatabaseError(error: unknown): never {
  throw error instanceof DatabaseError
    ? error
    : new DatabaseError((error as Error).message, { cause: error });
}

/**
 * PostgreSQL would save the value as NULL.
 * @param name where the value was found, such as `donations.status`.
 */
export function rejectUndefinedValue(name: string): never {
  rethrowDatabaseError(
    Object.assign(new TypeError(`${name} is undefined; use null or a value`), {
      code: 'ERR_INVALID_ARG_VALUE',
    }),
  );
}
