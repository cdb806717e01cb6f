/** Ends what is said of mistakes in a file. */
const WHAT_TO_DO = 'Correct this and try again; docs/configuration.md says what each field means.';

/**
 * Something in the configuration, or what it leads to, keeps the server from starting. The message
 * names the place, what was found and what was expected.
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** Where it can be mended, if at several places: the message begins with one of them. */
  readonly places: readonly string[];

  constructor(
    message: string,
    { places = [], ...options }: ErrorOptions & { readonly places?: readonly string[] } = {},
  ) {
    super(message, options);
    this.places = places;
  }

  /** The same error with the file, and what to do. */
  in(file: string): ConfigurationError {
    return new ConfigurationError(`${file}: ${this.message}\n${WHAT_TO_DO}`, {
      cause: this.cause,
      places: this.places,
    });
  }
}
