/** Shows the forms for passkeys, and submits each with what the browser's passkey answers. */
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';

const forms = document.querySelectorAll<HTMLFormElement>('form[data-passkey]');

if (browserSupportsWebAuthn())
  for (const form of forms) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void submitWithPasskey(form);
    });
  }

async function submitWithPasskey(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector('button')!;
  const problem = form.querySelector('[role="alert"]')!;
  problem.textContent = '';
  button.disabled = true;
  try {
    const field = form.dataset.passkey!;
    const response = await requestPasskey(form, field);
    form.querySelector<HTMLInputElement>(`[name="${field}"]`)!.value = JSON.stringify(response);
    form.submit();
  } catch (error) {
    problem.textContent = describePasskeyError(error as Error);
    button.disabled = false;
  }
}

async function requestPasskey(form: HTMLFormElement, field: string): Promise<object> {
  const csrf = form.querySelector<HTMLInputElement>('[name="csrf"]')!.value;
  const answer = await fetch(form.dataset.options!, {
    method: 'POST',
    body: new URLSearchParams({ csrf }),
  });
  if (!answer.ok) throw new Error('Your session has expired. Reload the page, then try again.');
  const optionsJSON = (await answer.json()) as unknown;
  return field === 'registration'
    ? startRegistration({ optionsJSON: optionsJSON as PublicKeyCredentialCreationOptionsJSON })
    : startAuthentication({ optionsJSON: optionsJSON as PublicKeyCredentialRequestOptionsJSON });
}

function describePasskeyError(error: Error): string {
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'This device already has a passkey for you.';
  return error.name === 'NotAllowedError'
    ? 'The passkey was not used. Try again, or choose another way.'
    : error.message;
}
