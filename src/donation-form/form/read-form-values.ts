import type { FormValues } from '@donation-form/core/form-state';
import { toArray } from '../page/to-array.ts';

export function readControlValues({ form, name, type, value }: HTMLInputElement): FormValues {
  return { [name]: type === 'checkbox' ? readFormValues(form!)[name]! : [value] };
}

/** Autofill can change a value without an event. */
export function readFormValues(formElement: HTMLFormElement): FormValues {
  const values: Record<string, string[]> = {};
  for (const { name, type, checked, value } of toArray(
    formElement.elements as ArrayLike<Element> as ArrayLike<HTMLInputElement>,
  )) {
    if (name)
      (values[name] ??= []).push(...(checked || !/^(radio|checkbox)$/.test(type) ? [value] : []));
  }
  return values;
}
