const NEXT_STEP = 'Correct this and try again. docs/configuration.md describes every field.';

/**
 * The configuration, or something that it refers to, prevents the server from starting. The message
 * contains the path, the value found there, and what was expected.
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** All paths at which the error can be corrected, if there are several. */
  readonly paths: readonly string[];

  constructor(
    message: string,
    { paths = [], ...options }: ErrorOptions & { readonly paths?: readonly string[] } = {},
  ) {
    super(message, options);
    this.paths = paths;
  }

  /** Returns the same error with the file's name and the next step added. */
  withFile(file: string): ConfigurationError {
    return new ConfigurationError(`${file}: ${this.message}\n${NEXT_STEP}`, {
      cause: this.cause,
      paths: this.paths,
    });
  }
}
