/** Error for a response that is not a success. Contains the platform's message, if any. */
export class ResponseError<RateLimit> extends Error {
  readonly status: number;
  readonly rateLimit: RateLimit;
  readonly #body: string;

  constructor(message: string, status: number, rateLimit: RateLimit, body = '') {
    super(message);
    this.status = status;
    this.rateLimit = rateLimit;
    this.#body = body;
  }

  /**
   * Text of the response body, which can contain donor data. Loggers omit the text, because this
   * property is a getter and not an own property.
   */
  get body(): string {
    return this.#body;
  }
}
