/** Values of the form's controls by name; an empty list for a control without a value. */
export type FormValues = Readonly<Record<string, readonly string[]>>;

/** Returns the first value of a control, or an empty string. */
export function getFirstControlValue(values: FormValues, name: string): string {
  return values[name]?.[0] ?? '';
}

/** Returns true if a checkbox, or any of a group, is checked. */
export function isControlChecked(values: FormValues, name: string): boolean {
  return (values[name]?.length ?? 0) > 0;
}
