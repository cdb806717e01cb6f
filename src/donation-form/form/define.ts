/** Registers `<donation-form>`. */
import { registerColors } from '../page/register-colors.ts';
import { DonationFormElement } from './donation-form.ts';

registerColors();

const existingClass = customElements.get('donation-form') as
  { readonly version?: string } | undefined;
if (!existingClass) customElements.define('donation-form', DonationFormElement);
else if (existingClass !== DonationFormElement)
  void import('../debug/warnings.ts').then(({ warnAboutVersion }) =>
    warnAboutVersion(existingClass.version, DonationFormElement.version),
  );
