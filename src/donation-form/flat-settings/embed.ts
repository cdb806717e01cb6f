/**
 * The script for pages that still set the older embed's `VirtuousForms.settings`: the forms of the
 * page read them instead of `ServiceDonorsForms.settings`.
 */
import { connectFlatSettings } from './flat-settings.ts';
import type { DonationFormElement } from '../form/donation-form.ts';

/** Absent unless the page sets it. Pages also declare it with `let`. */
declare const VirtuousForms: { readonly settings?: unknown } | undefined;

function readFlatSettings(): unknown {
  try {
    return VirtuousForms?.settings;
  } catch {
    return undefined;
  }
}

/** Returns `ServiceDonorsForms`, which the page may have declared with `let`, or creates it. */
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
// Forms that loaded before this script have read their settings already.
for (const form of document.querySelectorAll<DonationFormElement>('donation-form'))
  if ('refresh' in form) form.refresh();
