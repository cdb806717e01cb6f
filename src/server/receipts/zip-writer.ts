import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ZipFile } from 'yazl';
import {
  createCsvFormatter,
  type CsvOptions,
  type CsvRow,
  iterateCells,
} from '../reporting/csv.ts';

export interface Archive {
  readonly stream: Readable;
  /** In bytes, if known. */
  readonly size?: number | undefined;
}

export interface ZipFileEntry {
  readonly name: string;
  /** In milliseconds since 1970. */
  readonly modifiedAt: number;
  /** In bytes, if known before the file is loaded. */
  readonly size?: number | undefined;
  readonly load: () => Promise<Uint8Array> | Uint8Array;
}

/**
 * Streams a zip. Loads a file once the reader has read those before it. Files are not compressed, so
 * that the size of the zip is known if all sizes are.
 */
export class ZipWriter {
  readonly stream: Readable;
  readonly #zip: ZipFile;

  private constructor(zip: ZipFile) {
    this.#zip = zip;
    this.stream = zip.outputStream as Readable;
    zip.on('error', (error: Error) => this.stream.destroy(error));
  }

  static async create(): Promise<ZipWriter> {
    const { ZipFile } = await import('yazl');
    return new ZipWriter(new ZipFile());
  }

  /** Resolves when the file is about to be loaded, so that the caller can prepare the next. */
  addFile({ name, modifiedAt, size, load }: ZipFileEntry): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const options = {
      mtime: new Date(modifiedAt),
      compress: false,
      ...(size !== undefined && { size }),
    };
    // The zip never releases the function below, so it must release the content.
    let pendingLoad: typeof load | undefined = load;
    this.#zip.addReadStreamLazy(name, options, (respond) => {
      resolve(undefined);
      Promise.resolve()
        .then(pendingLoad)
        .then(
          (content) => {
            respond(null, Readable.from([content]));
          },
          (error: unknown) => this.stream.destroy(error as Error),
        );
      pendingLoad = undefined;
    });
    return promise;
  }

  /** Returns the size of the zip in bytes, or `undefined` if a file's size is unknown. */
  end(): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const setSize = (size: number): void => resolve(size === -1 ? undefined : size);
    // Without this format, yazl 3.3.1 counts 76 bytes too many if there are more than about 600
    // files. The types omit the parameter.
    this.#zip.end({ forceZip64Format: true, comment: '' }, setSize as () => void);
    return promise;
  }
}

/** Formats the list of an archive's files as CSV. */
export function formatIndex(
  rows: AsyncIterable<CsvRow> | readonly CsvRow[],
  options: Omit<CsvOptions, 'hasMark'>,
): Promise<Buffer> {
  const csv = createCsvFormatter({ ...options, hasMark: true });
  // An error destroys the formatter, and so rejects the promise.
  pipeline(iterateCells(rows, options.columns), csv, () => undefined);
  return buffer(csv);
}
