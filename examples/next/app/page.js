import { createElement } from 'react';

export default function Page() {
  return createElement(
    'main',
    null,
    createElement('script', { type: 'module', src: '/give/donation-form.js' }),
    createElement('donation-form', { endpoint: '/give' }),
  );
}
