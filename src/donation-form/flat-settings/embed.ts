/** Provides the older embed's `VirtuousForms.settings` to the forms. */
import type { DonationFormElement } from '../form/donation-form.ts';
import { toArray } from '../page/to-array.ts';
import { connectFlatSettings } from './flat-settings.ts';

/** Undefined unless the page sets it. Some pages declare the variable with `let`. */
declare const VirtuousForms: { readonly settings?: unknown } | undefined;

function readFlatSettings(): unknown {
  try {
    return VirtuousForms?.settings;
  } catch {
    return undefined;
  }
}

function getSettingsHolder(): object {
  try {
    const holder = ServiceDonorsForms as unknown;
    if (typeof holder === 'object' && holder !== null) return holder;
  } catch {
    // The page does not declare the object.
  }
  return (window.ServiceDonorsForms = {});
}

connectFlatSettings(getSettingsHolder(), readFlatSettings);
// Forms that loaded before this script have already read their settings and must read them again.
for (const form of toArray(document.querySelectorAll<DonationFormElement>('donation-form')))
  if ('refresh' in form) form.refresh();
