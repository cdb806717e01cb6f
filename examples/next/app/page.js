import { createElement } from 'react';

export default function Page() {
  return createElement(
    'main',
    null,
    createElement('script', { type: 'module', src: '/give/donation-form.js' }),
    // React leaves content that is set as HTML alone. It would remove the form's payment field.
    createElement('donation-form', {
      endpoint: '/give',
      dangerouslySetInnerHTML: { __html: '' },
      suppressHydrationWarning: true,
    }),
  );
}
