/** The package's entry `donation-form/react`: `<donation-form>` in the JSX of React 19. Types alone. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { DonationFormElement } from '../element/donation-form.ts';
import type { DonationFormAttributes, DonationFormHandlers, DonationFormProperties } from './tag.ts';

type InJsx = DetailedHTMLProps<HTMLAttributes<DonationFormElement>, DonationFormElement> & DonationFormProperties & DonationFormAttributes & DonationFormHandlers;

declare module 'react' {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- where React keeps the tags of its JSX
  namespace JSX {
    interface IntrinsicElements {
      'donation-form': InJsx;
    }
  }
}
