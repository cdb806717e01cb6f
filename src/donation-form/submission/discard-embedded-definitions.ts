/**
 * Discards the definitions in the page's scripts, `/embed/FORM.js`. Call if the server rejects one of
 * them as outdated. The next form then fetches its definition.
 */
export function discardEmbeddedDefinitions(): void {
  Reflect.deleteProperty(globalThis, Symbol.for('donation-form definitions'));
}
