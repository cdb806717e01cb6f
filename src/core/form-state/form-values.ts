/** Values by control name. Empty for a control without a value. */
export type FormValues = Readonly<Record<string, readonly string[]>>;

export function getFirstControlValue(values: FormValues, name: string): string {
  return values[name]?.[0] ?? '';
}

/** Returns true if the donor checked the checkbox, or any in the group. */
export function isControlChecked(values: FormValues, name: string): boolean {
  return (values[name]?.length ?? 0) > 0;
}
