import { css } from 'lit';

/** Styles of motion, and of what only a submission shows. */
export const lastStyles = css`
.primary:hover { filter: brightness(1.08) }
.primary:active { scale: .99 }
.face, .check input, .check input::after {
  transition: .16s var(--easing);
  transition-property: background-color, box-shadow, translate, opacity
}
.tiles .choice:hover .native:not(:checked) + .face:not(:has(input)) {
  background: color-mix(in srgb, currentcolor 10%, transparent)
}
.impact > bdi { transition: .16s var(--easing); transition-property: opacity, visibility }
.impact > bdi:not(.selected) { opacity: 0 }
/* The thumb of a segmented control on its way to the selected segment. */
.segments .sliding { position: relative; isolation: isolate; background: none !important; box-shadow: none !important }
.sliding::after {
  content: ''; position: absolute; inset: 0; z-index: -1; border-radius: inherit;
  background: var(--raised); box-shadow: inset 0 0 0 2px var(--highlight), 0 1px 3px #0002
}
/* The margins keep the spinner's size, so that the button's text does not move. */
.spinner.tick {
  width: .5em; height: .875em; margin: 0 .3125em .25em; border: solid currentColor !important;
  border-width: 0 2px 2px 0 !important; border-radius: 0; rotate: 45deg;
  animation: draw-tick .16s var(--easing)
}
@keyframes draw-tick { from { opacity: 0; scale: .5 } }
.request-id { display: block; margin-top: .375em; font-size: .8125em; overflow-wrap: anywhere }
.request-id bdi { -webkit-user-select: all; user-select: all }
/* The live region of an email suggestion takes no row while it is empty. */
.suggestion:empty { position: absolute }
.large { width: 2.5em; height: 2.5em; color: var(--highlight) }
`;
