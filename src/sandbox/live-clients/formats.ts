/** Converts a date or time in ISO 8601 to the format `MM/DD/YYYY`. */
export function formatDay(iso: string): string {
  const [year, month, day] = iso.slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
}

/** Formats a decimal string as `$1,200.00`. */
export function formatDollars(amount: string): string {
  return `$${Number(amount).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
}

/** Converts `MM/DD/YYYY`, with or without a time, to `yyyy-mm-dd`. Returns other text unchanged. */
export function toIsoDay(text: string | undefined): string | undefined {
  return text?.replace(/^(\d\d)\/(\d\d)\/(\d{4})( \d\d:\d\d:\d\d)?$/, '$3-$1-$2');
}
