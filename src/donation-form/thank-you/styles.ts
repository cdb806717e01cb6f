import { css } from 'lit';

/** Styles of the screens after a donation. */
export const thankYouStyles = css`
.root > .test-badge { width: fit-content; margin: 0 auto }
.screen { text-wrap: balance }
#receipt { padding: 0 }
.screen h2 { font-size: 1.625em; font-weight: 700; line-height: 1.2 }
.screen h2:focus { outline: none }
.total { font-size: 2.25em; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums }
.status-icon { width: 4em; height: 4em; fill: none; stroke: var(--success); stroke-width: 3; stroke-linecap: round; stroke-linejoin: round }
.status-icon circle { opacity: .3 }
.reference strong { letter-spacing: .04em; white-space: nowrap; font-variant-numeric: tabular-nums; user-select: all }
.parts { display: grid; gap: .25em; margin: 0; padding: 0; list-style: none }
.aside { padding: .875em 1em; border-radius: var(--radius); background: var(--accent-tint) }
/* Each line has its own text direction, but all are aligned to the same side. */
.instructions { white-space: pre-line; unicode-bidi: plaintext; text-align: left }
.instructions:dir(rtl) { text-align: right }
.screen .aside { display: grid; gap: .75em; width: 100%; text-align: start }
.status-icon.waiting { stroke: var(--highlight) }
.steps { display: grid; gap: .75em; width: 100%; max-width: 20em }
.steps button { display: flex; align-items: center; justify-content: center; gap: .625em }
.screen a { display: inline-block; padding-block: .625em; color: inherit; text-underline-offset: .15em }
@media print { .receipt-actions { display: none } }
.receipt-actions { display: flex; flex-wrap: wrap; justify-content: center; gap: .75em }
@media (forced-colors: active) { .status-icon { stroke: CanvasText } }
`;
