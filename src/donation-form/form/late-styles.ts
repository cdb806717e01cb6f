import { css } from 'lit';

/** Styles that the first paint does not need, such as those of states, motion, and messages. */
export const lateStyles = css`

:host {
  /* Keeps the form's own layers below the page's, such as a sticky header. */
  isolation: isolate;
}
.root {
  --_donation-danger: #a3180f;
  --danger-tint: var(--fill)
}
@supports (color: light-dark(red, red)) and (color: color-mix(in srgb, red, red)) {
  .root { --_donation-danger: light-dark(#a3180f, #ffb4ab) }
  .root > * { --danger-tint: color-mix(in srgb, var(--_donation-danger) 8%, transparent) }
}
.root > * {
  --_donation-danger: var(--donation-danger, inherit);
  --_donation-success: var(--highlight)
}
.root > * > * { --_donation-success: var(--donation-success, inherit) }
[aria-invalid=true] {
  border-color: var(--_donation-danger) !important; box-shadow: inset 0 0 0 1px var(--_donation-danger)
}
.custom-amount:has([aria-invalid=true]) .face { box-shadow: inset 0 0 0 2px var(--_donation-danger) }
.money [aria-invalid=true] { box-shadow: none !important }
.error {
  display: flex; gap: .4em; align-items: baseline; color: var(--_donation-danger);
  font-size: .9375em; line-height: 1.4
}
.tiles + .error { margin-top: .625em }
.icon { flex: none; width: 1em; height: 1em; fill: currentColor; transform: translateY(.12em) }
option { background: Field; color: FieldText }
textarea { resize: vertical }
.select::after {
  content: ''; position: absolute; inset-inline-end: 1.1em; top: 50%; width: 0.5em; height: 0.5em;
  border: solid var(--_donation-muted); border-width: 0 2px 2px 0;
  transform: translateY(-70%) rotate(45deg); pointer-events: none
}
.select select { padding-inline-end: 2.5em; overflow: hidden; text-overflow: ellipsis }
.test-badge {
  position: absolute; inset-block-start: 0; inset-inline-end: 0; padding: .125em .75em;
  border-radius: 2em; background: #ffe9b8; color: #4a3300; font-size: .8125em; font-weight: 600;
  white-space: nowrap
}
.test-badge + * > legend { padding-inline-end: 8em }
@container (max-width: 17em) {
  .sections > .test-badge { position: static; justify-self: end }
  .test-badge + * > legend { padding: 0 }
}
:is(input, select, textarea, button, [tabindex]):focus-visible,
.native:focus-visible + .face,
.custom-amount:focus-within .face { outline: 3px solid var(--highlight); outline-offset: 2px }
/* The hidden label makes the field as wide as its placeholder. */
.custom-amount .money { display: grid; grid-template-columns: auto minmax(min-content, 1fr) auto }
.custom-amount .money :is(input, label) { grid-area: 1 / 2; outline: 0 }
.custom-amount .money input { min-height: max(2em, 44px) }
.custom-amount .money label {
  position: static; width: auto; min-width: 44px; height: 0; padding-inline: .375em .125em;
  overflow: visible; clip-path: none; opacity: 0;
  font-size: .8125em; font-weight: 500; letter-spacing: 0
}
.root:lang(ja) { word-break: auto-phrase; line-break: strict }
.custom-amount ::placeholder { letter-spacing: 0; opacity: 1 }
.segments .face { pointer-events: none }
.segments { overflow-wrap: break-word; word-break: keep-all }
.segments * { max-width: 100% }
span[aria-hidden] { white-space: nowrap }
.money > span[aria-hidden] { width: max-content }
/* The heart is 14 px wide and high, for clip-path. */
:host {
  --easing: cubic-bezier(.2, .8, .2, 1);
  --heart: path('M7 13C2.400 9.500 0 7.200 0 4.200A3.700 3.700 0 0 1 7 2.400a3.700 3.700 0 0 1 7 1.800c0 3-2.400 5.300-7 8.800z')
}
.sections[inert] { opacity: .6 }
.segments, .tiles .face, .providers {
  border: var(--donation-choice-border-width, 0) solid var(--_donation-border)
}
.tiles .native:checked + .face { border-color: var(--highlight) }
:is(.choice, .native, .select select, .check label, button) { cursor: pointer }
button[aria-disabled=true] { cursor: progress !important }
.primary[aria-disabled=true]:not(:has(.spinner)) { opacity: .55 }
.primary {
  box-shadow: inset 0 1px #fff3, 0 1px 2px #0003, 0 .5em 1.5em -.75em var(--_donation-accent);
  transition: filter .16s, scale .16s; transition-timing-function: var(--easing)
}
/* A tick on the edge of the selected tile. */
.tiles .choice::before, .tiles .choice::after {
  content: ''; position: absolute; z-index: 1; opacity: 0; scale: .5;
  transition: .16s var(--easing); transition-property: opacity, scale; pointer-events: none
}
.tiles .choice::before {
  inset-block-start: -.5em; inset-inline-end: .625em; border: .625em solid var(--highlight);
  border-radius: 50%
}
.tiles .choice::after {
  inset-block-start: -.1875em; inset-inline-end: 1.0625em; width: .375em; height: .625em;
  border: solid var(--_donation-on-accent); border-width: 0 2px 2px 0; rotate: 45deg
}
.tiles .choice:has(:checked)::before, .tiles .choice:has(:checked)::after { opacity: 1; scale: 1 }
.check [type=radio] { border-radius: 50% }
.check :checked { border-color: var(--highlight); background: var(--highlight) }
.check :checked::after {
  content: ''; display: block; width: .375em; height: .75em; margin: .25em auto;
  border: solid var(--_donation-on-accent); border-width: 0 2px 2px 0; transform: rotate(45deg)
}
.check [type=radio]:checked::after {
  width: .625em; height: .625em; margin: .375em; border: 0; border-radius: 50%;
  background: var(--_donation-on-accent); transform: none
}
/* On a phone, the button's dialog keeps the form's button in view. */
@container style(--_donation-sheet: yes) {
  .submit { display: contents }
  .submit > .summary { margin-block-end: calc(.875em - var(--gap)) }
  .submit > .primary {
    position: sticky; bottom: .7em; z-index: 2; box-shadow: 0 0 0 .7em var(--_donation-surface)
  }
  .submit > .disclaimer { margin-block-start: calc(.875em - var(--gap)) }
}
.notice {
  display: flex; gap: .625em; padding: .875em 1em; border: 1px solid var(--_donation-danger);
  border-radius: var(--radius); background: var(--danger-tint); text-align: start
}
.notice br + .link { margin-block-start: .25em }
.notice .icon { color: var(--_donation-danger); transform: translateY(.25em) }
.spinner {
  width: 1.125em; height: 1.125em; border: 2px solid currentColor;
  border-inline-end-color: transparent; border-radius: 50%; animation: turn .8s linear infinite
}
@keyframes turn { to { transform: rotate(1turn) } }

@media (prefers-reduced-motion: reduce) {
  * { transition: none !important }
  .spinner { animation: none; border-style: dotted; border-color: currentColor }
}
.notice > div { flex: 1; min-width: 0 }
.notice ul { margin: .25em 0 0; padding: 0; list-style: none }
.notice li .link { display: block; width: 100% }
.link {
  min-width: 44px; min-height: max(2.75em, 44px); padding: 0; border: 0; background: none;
  color: inherit; text-align: start;
  text-decoration: underline; text-underline-offset: .15em
}
:is([type=email], [type=tel], [type=url], [inputmode=decimal]):dir(rtl) { direction: ltr; text-align: right }
.hosted {
  display: flex; gap: .75em; align-items: start; padding: .875em 1em;
  border: 1px dashed var(--_donation-border); border-radius: var(--radius)
}
.hosted svg {
  flex: none; width: 1.375em; height: 1.375em; fill: none; stroke: var(--highlight);
  stroke-width: 2; stroke-linecap: round; stroke-linejoin: round
}
.hosted svg:dir(rtl) { transform: scaleX(-1) }

@media (forced-colors: active) {
  .face { border: 1px solid GrayText !important }
  .native:checked + .face { border: 3px solid Highlight !important }
  .check input { appearance: auto }
  .check input::after { display: none !important }
  .provider, .segments { border: 1px solid GrayText !important }
  .provider.selected { outline: 3px solid Highlight; outline-offset: -2px }
  /* The tick on the selected tile is drawn in system colors. */
  .tiles .choice::before { border-color: Highlight; forced-color-adjust: none }
  .tiles .choice::after { border-color: HighlightText; forced-color-adjust: none }
  .native:focus-visible + .face { outline: 3px solid Highlight; outline-offset: 2px }
  .primary { border: 2px solid ButtonText }
  [aria-invalid=true] { border: 2px dashed CanvasText !important }
  .notice .icon { color: CanvasText }
  .spinner { border-inline-end-color: Canvas }
}
`;
