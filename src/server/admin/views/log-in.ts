import { html } from 'hono/html';
import { csrfField, documentOf, type Html, type Visit } from './layout.ts';

export interface LogInForm {
  /** The page that was asked for. */
  readonly to: string;
  readonly problem?: string | undefined;
  /** What was typed before. */
  readonly name?: string | undefined;
}

/** Where the operator's key and a name are asked for. */
export function logInDocument(visit: Visit, { to, problem, name = '' }: LogInForm): Html {
  return documentOf(
    'Log in · Donations',
    visit,
    html`<main class="log-in">
<h1>Donations</h1>
<p class="lede">For whoever runs this server.</p>
${problem === undefined ? '' : html`<p class="notice problem" role="alert">${problem}</p>`}
<form method="post" action="/log-in">${csrfField(visit.csrf)}<input type="hidden" name="to" value="${to}">
<label for="name">Your name</label>
<input id="name" name="name" value="${name}" autocomplete="name" required maxlength="80" aria-describedby="name-hint">
<p class="hint" id="name-hint">It is kept with everything that you decide.</p>
<label for="key">The operator’s key</label>
<input id="key" name="key" type="password" autocomplete="current-password" required>
<button class="primary">Log in</button>
</form>
</main>`,
  );
}

/** What is shown where nobody can log in, since the configuration names no key. */
export function noKeyDocument(visit: Visit): Html {
  return documentOf(
    'No key · Donations',
    visit,
    html`<main class="message">
<h1>This page needs a key</h1>
<p>It shows donors’ data and changes gifts. Add <code>"key": { "env": "OPERATOR_KEY" }</code> to <code>"operator"</code> in the configuration, set the variable to a long random text, and start the server again.</p>
</main>`,
  );
}
