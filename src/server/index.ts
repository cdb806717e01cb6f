export { formsOf, loadConfiguration, openOrganizations, type Environment } from './configuration.ts';
export { ConfigurationError } from './configuration-error.ts';
export { openDatabase } from './database.ts';
export { createHandler, type DonationHandler, type HandlerOptions } from './handler.ts';
export { Journal } from './journal.ts';
export { builtScripts } from './script.ts';
export { listen, serve, type Listening, type ServeOptions } from './serve.ts';
export type { IgnoredCount } from './tally.ts';
export type { Configuration } from '../contract/configuration.ts';
