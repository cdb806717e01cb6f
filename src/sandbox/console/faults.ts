import { html, raw } from 'hono/html';
import { type Fault, FAULT_TARGETS, type FaultKind, FAULTS, type Faults } from '../lib/faults.ts';

type Html = ReturnType<typeof html>;

/** Most frequently used faults. The console shows all other faults in collapsible groups. */
const COMMON_FAULTS = [
  'decline',
  'slow',
  'lost-reply',
  'too-many',
  'server-error',
] as const satisfies readonly FaultKind[];
const FAULT_GROUPS = groupRareFaults();

/**
 * Renders a switch for each fault, and a form that enables a fault with a limited count or target.
 */
export function renderFaults({ active }: Faults): Html {
  const renderFaultSwitch = (kind: FaultKind): Html => {
    const fault = active.find((active) => active.kind === kind);
    return html`<li><form class="switch-row" method="post" action="/page/faults">
    <div><label for="switch-${kind}">${FAULTS[kind]}</label><p class="quiet">${
      fault ? formatFault(fault) : kind
    }</p></div>
    <button
      id="switch-${kind}"
      class="switch"
      role="switch"
      aria-checked="${fault ? 'true' : 'false'}"
      name="${fault ? 'off' : 'kind'}"
      value="${kind}"
    ><span class="unseen">${fault ? 'Turn off' : 'Turn on'}</span></button>
  </form></li>`;
  };
  const renderFaultGroup = ([name, kinds]: readonly [string, readonly FaultKind[]]): Html => {
    const count = active.filter(({ kind }) => kinds.includes(kind)).length;
    return html`<details${count > 0 ? raw(' open') : ''}><summary>${name}${
      count > 0 ? html` <span class="pill other">${count} active</span>` : ''
    }</summary><ul class="lines">${kinds.map(renderFaultSwitch)}</ul></details>`;
  };
  return html`<section id="faults" aria-labelledby="faults-head">
  <div class="head"><h2 id="faults-head">Faults</h2><p class="hint">${
    active.length === 0 ? 'None active' : `${active.length} active`
  }</p><p class="purpose">Failures that the sandbox simulates until you turn them off</p></div>
  <ul class="lines">${COMMON_FAULTS.map(renderFaultSwitch)}</ul>
  ${FAULT_GROUPS.map(renderFaultGroup)}
  <details>
    <summary>Limit the count or the target</summary>
    <form class="fields" method="post" action="/page/faults">
      <label>Fault <select name="kind">${(Object.keys(FAULTS) as FaultKind[]).map(
        (kind) => html`<option>${kind}</option>`,
      )}</select></label>
      <label>Target <select name="on"><option value="">all</option>${FAULT_TARGETS.map(
        (place) => html`<option>${place}</option>`,
      )}</select></label>
      <label>Times <input name="times" inputmode="numeric" placeholder="until turned off"></label>
      <label>Delay in ms <input name="ms" inputmode="numeric" placeholder="2000"></label>
      <label>5xx status <input name="status" inputmode="numeric" placeholder="503"></label>
      <button>Turn on</button>
    </form>
  </details>
</section>`;
}

function formatFault({ kind, times, on, ms, status }: Fault): string {
  return [
    kind,
    on && `${on} only`,
    ms !== undefined && `${ms} ms`,
    status,
    times !== null && `next ${times}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

function groupRareFaults(): readonly (readonly [string, readonly FaultKind[]])[] {
  const common: readonly FaultKind[] = COMMON_FAULTS;
  const rare = (Object.keys(FAULTS) as FaultKind[]).filter((kind) => !common.includes(kind));
  const isInBrowser = (kind: FaultKind): boolean =>
    kind.startsWith('stripe-js-') || kind === 'no-wallets';
  return [
    ['Responses, webhooks, and payment methods', rare.filter((kind) => !isInBrowser(kind))],
    ['Stripe.js and wallets', rare.filter(isInBrowser)],
  ];
}
