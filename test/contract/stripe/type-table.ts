import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An operation of Stripe's API with the types of its parameters and of its result. */
export interface Operation {
  readonly method: string;
  /** Path with placeholders, such as `/v1/payment_intents/{}/confirm`. */
  readonly path: string;
  /** Index in {@link TypeTable.types}; absent if the operation has no parameters. */
  readonly params?: number;
  readonly result: number;
}

/** A type that refers to other types by their index in {@link TypeTable.types}. */
export type TypeNode =
  | 'string'
  | 'number'
  | 'boolean'
  | 'null'
  | 'any'
  | { readonly literal: string | number | boolean }
  | { readonly array: number }
  | { readonly union: readonly number[] }
  | {
      /** Types by field; the names of optional fields end with `?`. */
      readonly fields: Readonly<Record<string, number>>;
      /** Type of all other fields. */
      readonly index?: number;
    };

/** The types of the `stripe` package in a form that loads in milliseconds. */
export interface TypeTable {
  readonly operations: readonly Operation[];
  /** Types of events by the event's type, such as `charge.refunded`. */
  readonly events: Readonly<Record<string, number>>;
  /** Type of the error in a response. */
  readonly error: number;
  readonly types: readonly TypeNode[];
}

const CACHE_FOLDER = 'node_modules/.cache/stripe-types';
/** Files that identify what the table is built from. */
const SOURCES = [
  join(import.meta.dirname, 'build-type-table.ts'),
  'node_modules/stripe/package.json',
  'node_modules/typescript/package.json',
];

/**
 * Loads the table of the installed `stripe` package. The first process builds it, in some seconds,
 * and saves it for the others.
 */
export async function loadTypeTable(): Promise<TypeTable> {
  const hash = createHash('sha256');
  for (const source of SOURCES) hash.update(await readFile(source));
  const file = join(CACHE_FOLDER, `${hash.digest('hex')}.json`);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as TypeTable;
  } catch {
    const { buildTypeTable } = await import('./build-type-table.ts');
    const table = buildTypeTable();
    await mkdir(CACHE_FOLDER, { recursive: true });
    const temporaryFile = `${file}.${process.pid}`;
    await writeFile(temporaryFile, JSON.stringify(table));
    await rename(temporaryFile, file);
    return table;
  }
}
