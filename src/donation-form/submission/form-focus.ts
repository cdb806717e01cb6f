import type { FormStore } from '../form/form-store.ts';
import { toArray } from '../page/to-array.ts';

export function focusElement({ element }: FormStore, selector: string): void {
  element.shadowRoot!.querySelector<HTMLElement>(selector)?.focus();
}

/** Focuses a control, given its name. In a group, focuses the checked control. */
export function focusControl({ element }: FormStore, name: string): void {
  const root = element.shadowRoot!;
  const group = toArray(root.querySelectorAll<HTMLInputElement>('[name]')).filter(
    (control) => control.name === name,
  );
  const control =
    root.getElementById(`${name}-control`) ?? group.find(({ checked }) => checked) ?? group[0];
  control?.focus();
}

/** Focuses the custom amount's input after a click anywhere on its tile. */
export function focusCustomAmount(form: FormStore, event: MouseEvent): void {
  const target = event.target as Element;
  const tile = target.closest('.custom-amount');
  const isArrowKey = event.detail === 0;
  if (!tile || isArrowKey) return;
  if (target.localName === 'label') event.preventDefault();
  form.applyEdits({ amountChoice: 'custom' });
  tile.querySelector<HTMLElement>('#amount-control')?.focus();
}
