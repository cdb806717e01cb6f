import { css } from 'lit';

/** Styles for the screens shown after a donation. */
export const thankYouStyles = css`
.root > .test-badge { width: fit-content; margin: 0 auto }
.screen { text-wrap: balance }
.root > .screen { padding-block-end: 0 }
#shared:empty { position: absolute }
.thanks { font-size: 1.125em }
.details { display: grid; gap: .375em }
.screen > .share { max-width: 16em; margin-block-start: .5em }
.foot { display: grid; justify-items: center; gap: .25em; font-size: .8125em }
.foot .hint { font-size: 1em }
.foot .link { min-height: 3.4em }
.screen h2 {
  font-family: var(--donation-heading-font, inherit); font-size: 1.625em; font-weight: 700;
  line-height: 1.2
}
.screen h2:focus { outline: none }
.total { display: flex; flex-wrap: wrap; gap: 0 .375em; align-items: baseline; justify-content: center }
.total strong {
  font-size: 2.75em; font-weight: 700; line-height: 1.25; letter-spacing: -.02em;
  font-variant-numeric: tabular-nums
}
.moment { display: grid; place-items: center }
.moment > * { grid-area: 1 / 1 }
.status-icon {
  width: 4.5em; height: 4.5em; fill: none; stroke: var(--_donation-success); stroke-width: 3.5;
  stroke-linecap: round; stroke-linejoin: round; overflow: visible
}
.status-icon circle {
  fill: var(--_donation-success); stroke: none; opacity: .14; transform-origin: center;
  animation: breathe .24s var(--easing)
}
.status-icon path { stroke-dasharray: 1; animation: draw .24s .12s var(--easing) backwards }
@keyframes breathe { from { scale: .6; opacity: 0 } }
@keyframes draw { from { stroke-dashoffset: 1 } to { stroke-dashoffset: 0 } }
.status-icon.waiting path { stroke-dasharray: none; animation: none }
@media (prefers-reduced-motion: reduce) { .status-icon * { animation: none !important } }
.reference strong { letter-spacing: .04em; white-space: nowrap; font-variant-numeric: tabular-nums; user-select: all }
.parts { display: grid; gap: .25em; margin: 0; padding: 0; list-style: none }
.aside { padding: .875em 1em; border-radius: var(--radius); background: var(--accent-tint) }
.screen .aside { display: grid; gap: .75em; width: 100%; text-align: start }
.status-icon.waiting { stroke: var(--highlight) }
.steps { display: grid; gap: .75em; width: 100%; max-width: 20em }
.steps button { display: flex; align-items: center; justify-content: center; gap: .625em }
.screen a { display: inline-block; padding-block: .625em; color: inherit; text-underline-offset: .15em }
.detail { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .75em; align-items: center }
.detail .hint { grid-column: 1 / -1 }
.detail strong { min-width: 0; overflow-wrap: anywhere; user-select: all; text-align: start }
.instructions:empty { display: none }
/* Not hidden: screen readers ignore changes in hidden live regions. */
.copy-status:empty { position: absolute }
.copy { padding-inline: .5em; text-align: center }
@media print { .screen button, .copy-status { display: none } }
@media (forced-colors: active) { .status-icon { stroke: CanvasText } }
`;
