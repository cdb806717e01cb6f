/** Replaces placeholders such as `{amount}` in a text. Removes those without a value. */
export function fillPlaceholders(
  text: string,
  values: Readonly<Record<string, string | number | undefined>>,
): string {
  return text.replace(/\{(\w+)\}/g, (_match, name: string) => String(values[name] ?? ''));
}
