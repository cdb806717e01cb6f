import type { Edits } from '@donation-form/core/form-state';
import type { FormStore } from '../form/form-store.ts';
import { clearSavedFragment, saveFragment } from '../page/restore-fragment.ts';
import { tryStorage } from '../page/session-storage.ts';
import { stringifyJson } from '../page/stringify-json.ts';

function getStorageKey({ session, context }: FormStore): string {
  return `donation-form-edits ${session!.endpointUrl}${context!.definition.id}`;
}

export function saveEdits(form: FormStore): void {
  // Saves no selected methods, because the payment field selects its first method after a reload.
  const edits: Edits = { ...form.edits, paymentMethods: {} };
  tryStorage(() => sessionStorage.setItem(getStorageKey(form), stringifyJson(edits)));
  saveFragment();
}

/** Restores the saved edits, unless the donor has already edited the form. */
export function restoreEdits(form: FormStore): void {
  const savedEdits = tryStorage(
    () => JSON.parse(sessionStorage.getItem(getStorageKey(form))!) as Edits | null,
  );
  if (!savedEdits || Object.keys(form.edits).length > 0) return;
  form.edits = savedEdits;
  form.context = form.session!.createFormContext(form.context!.definition, form.edits.currency);
}

export function clearSavedEdits(form: FormStore): void {
  tryStorage(() => sessionStorage.removeItem(getStorageKey(form)));
  clearSavedFragment();
}
