const NEXT_STEP =
  'Correct the configuration and try again. docs/reference/configuration.md describes every field.';

/**
 * The configuration, or a file, secret, or database that it refers to, prevents the server from
 * starting. The message contains the path, the value found, and the expected value.
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /**
   * All paths at which the operator can correct the error. Empty if there is only one such path.
   */
  readonly paths: readonly string[];

  constructor(
    message: string,
    { paths = [], ...options }: ErrorOptions & { readonly paths?: readonly string[] } = {},
  ) {
    super(message, options);
    this.paths = paths;
  }

  /** Returns a copy of the error with the file's name and the next step in its message. */
  withFile(file: string): ConfigurationError {
    return new ConfigurationError(`${file}: ${this.message}\n${NEXT_STEP}`, {
      cause: this.cause,
      paths: this.paths,
    });
  }
}

/** Adds the file name to a configuration error. Returns any other error unchanged. */
export function addFileName(error: unknown, file: string | undefined): unknown {
  return error instanceof ConfigurationError && file !== undefined ? error.withFile(file) : error;
}
