'use client';

import { useEffect, useRef } from 'react';
import 'donation-form';
import type { DonationFormSuccessEvent } from 'donation-form';
import type {} from 'donation-form/react';

// Outside of the component, because React 19.0 and 19.1 replace the content for a new object.
const content = {
  __html: '<a href="https://example.org/other-ways-to-give">Other ways to give</a>',
};

export function RenderedForm({ onGift }: { onGift: (reference: string) => void }) {
  const form = useRef<HTMLElementTagNameMap['donation-form']>(null);
  useEffect(() => {
    const element = form.current!;
    const tell = ({ reference }: DonationFormSuccessEvent) => onGift(reference);
    element.settings = { analyticsTracking: { utmCampaign: 'react-example' } };
    element.addEventListener('donation-form-success', tell);
    return () => element.removeEventListener('donation-form-success', tell);
  }, [onGift]);
  return (
    <donation-form
      ref={form}
      endpoint="https://give.example.org"
      form-id="main"
      frequency="monthly"
      dangerouslySetInnerHTML={content}
      suppressHydrationWarning
    />
  );
}
