/**
 * Values of the form's controls, keyed by control name. The list is empty for a control without a
 * value.
 */
export type FormValues = Readonly<Record<string, readonly string[]>>;

/** Returns the first value of a control, or an empty string if the control has no value. */
export function getFirstControlValue(values: FormValues, name: string): string {
  return values[name]?.[0] ?? '';
}

/** Returns true if the donor checked the checkbox, or any checkbox in the group. */
export function isControlChecked(values: FormValues, name: string): boolean {
  return (values[name]?.length ?? 0) > 0;
}
