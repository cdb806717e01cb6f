/** Puts values into a text: `Give {gift}`. A name without a value stays empty. */
export function fill(
  text: string,
  values: Readonly<Record<string, string | number | undefined>>,
): string {
  return text.replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''));
}
