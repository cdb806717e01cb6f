const warnings = new Set<string>();

/** Logs a warning once per page. */
export function warnOnce(message: string): void {
  if (!warnings.has(message)) console.warn(`donation-form: ${message}.`);
  warnings.add(message);
}
