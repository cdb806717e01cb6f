/** Values of the form's controls, keyed by name. A control without a value has an empty list. */
export type FormValues = Readonly<Record<string, readonly string[]>>;

/** Returns the first value of a control, or an empty string. */
export function getFirstControlValue(values: FormValues, name: string): string {
  return values[name]?.[0] ?? '';
}

/** Returns true if the checkbox, or any checkbox in the group, is checked. */
export function isControlChecked(values: FormValues, name: string): boolean {
  return (values[name]?.length ?? 0) > 0;
}
