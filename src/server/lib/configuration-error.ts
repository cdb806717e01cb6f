const NEXT_STEP = 'Correct this and try again. docs/configuration.md describes every field.';

/**
 * The configuration, or something that it refers to, prevents the server from starting. The message
 * contains the path of the value, the value, and what was expected.
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** All paths that the error can be corrected at, if there are several. */
  readonly paths: readonly string[];

  constructor(
    message: string,
    { paths = [], ...options }: ErrorOptions & { readonly paths?: readonly string[] } = {},
  ) {
    super(message, options);
    this.paths = paths;
  }

  /** Returns the same error with the name of the file and what to do. */
  withFile(file: string): ConfigurationError {
    return new ConfigurationError(`${file}: ${this.message}\n${NEXT_STEP}`, {
      cause: this.cause,
      paths: this.paths,
    });
  }
}
