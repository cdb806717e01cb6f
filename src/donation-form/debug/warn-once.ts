const warnings = new Set<string>();

export function warnOnce(message: string): void {
  if (!warnings.has(message)) console.warn(`donation-form: ${message}.`);
  warnings.add(message);
}
