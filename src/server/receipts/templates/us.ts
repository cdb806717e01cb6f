import { fillPlaceholders } from '@donation-form/core/i18n';
import type { ReceiptTemplate } from './receipt-template.ts';

/**
 * Written acknowledgment of a cash contribution, with what these sources ask for:
 * - 26 U.S.C. 170(f)(8)(B): the amount of cash, and whether the organization provided any goods or
 *   services: https://uscode.house.gov/view.xhtml?req=granuleid:USC-prelim-title26-section170
 * - 26 CFR 1.170A-13(f): https://www.ecfr.gov/current/title-26/section-1.170A-13
 * - IRS Publication 1771: also the name of the organization; the donor needs an acknowledgment for
 *   each single contribution of $250 or more: https://www.irs.gov/pub/irs-pdf/p1771.pdf
 *
 * These statements are true only of organizations under section 501(c)(3) that give nothing in
 * return, so `reviewedBy` must name who has confirmed that.
 */
const TEXTS = {
  en: {
    title: 'Donation receipt for tax purposes',
    received: '{organization} received a cash contribution of {amount} from you on {date}.',
    exempt:
      '{organization} is a tax-exempt organization described in section 501(c)(3) of the Internal Revenue Code.',
    nothingInReturn: 'No goods or services were provided in exchange for this contribution.',
    keep: 'Please keep this acknowledgment. To deduct a single contribution of $250 or more, you need one before you file your federal tax return.',
  },
  es: {
    title: 'Recibo de donación para fines fiscales',
    received: '{organization} recibió de usted una contribución en efectivo de {amount} el {date}.',
    exempt:
      '{organization} es una organización exenta de impuestos descrita en la sección 501(c)(3) del Código de Impuestos Internos de los Estados Unidos.',
    nothingInReturn: 'No se proporcionaron bienes ni servicios a cambio de esta contribución.',
    keep: 'Conserve este comprobante. Para deducir una sola contribución de $250 o más, necesita uno antes de presentar su declaración de impuestos federales.',
  },
} as const;

export const us: ReceiptTemplate = {
  version: 'us@1',
  taxIdLabel: 'EIN',
  paper: 'us-letter',
  languages: ['en', 'es'],
  write: ({ language, issuer, amount, date }) => {
    const texts = TEXTS[language === 'es' ? 'es' : 'en'];
    const { title, received, exempt, nothingInReturn, keep } = texts;
    const values = { organization: issuer.name, amount, date };
    return {
      title,
      paragraphs: [received, exempt, nothingInReturn, keep].map((text) =>
        fillPlaceholders(text, values),
      ),
    };
  },
};
