/** Parameters of a form-encoded request. */
export interface FormFields {
  [name: string]: FormValue;
}
type FormValue = string | FormValue[] | FormFields;

/**
 * Parses form-encoded parameters with nested names: `items[0][price]=…` for indexed arrays,
 * `expand[]=…` for arrays without indexes, and `metadata[donation_form_reference]=…` for objects
 * (docs.stripe.com/api, "Parameters").
 */
export function parseFormData(text: string): FormFields {
  const fields = createEmptyFields();
  for (const [name, value] of new URLSearchParams(text)) {
    const first = /^[^[]*/.exec(name)![0];
    const path = [first, ...Array.from(name.matchAll(/\[([^[\]]*)\]/g), ([, part]) => part!)];
    insertValueAtPath(fields, path, value);
  }
  return convertToArrays(fields) as FormFields;
}

function insertValueAtPath(fields: FormFields, path: readonly string[], value: string): void {
  let parent = fields;
  for (const name of path.slice(0, -1)) {
    const child = parent[name];
    parent =
      typeof child === 'object' ? (child as FormFields) : (parent[name] = createEmptyFields());
  }
  const name = path.at(-1)!;
  parent[name === '' ? String(Object.keys(parent).length) : name] = value;
}

/** Creates an object without a prototype, which can store a parameter named `__proto__`. */
function createEmptyFields(): FormFields {
  return Object.create(null) as FormFields;
}

/** Converts objects with the keys 0, 1, 2, … to arrays. */
function convertToArrays(value: FormValue): FormValue {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(
    ([name, item]) => [name, convertToArrays(item)] as const,
  );
  if (entries.length > 0 && entries.every(([name], index) => name === String(index)))
    return entries.map(([, item]) => item);
  return Object.assign(createEmptyFields(), Object.fromEntries(entries));
}
