/** Something in the configuration, or what it leads to, keeps the server from starting. The message names the place, what was found and what was expected. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
