/** Replaces the placeholders in a text, such as `{amount}`; those without a value become empty. */
export function fillPlaceholders(
  text: string,
  values: Readonly<Record<string, string | number | undefined>>,
): string {
  return text.replace(/\{(\w+)\}/g, (_match, name: string) => String(values[name] ?? ''));
}
