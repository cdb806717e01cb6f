import { css } from 'lit';

/** Styles of what only some forms ask for. */
export const optionalStyles = css`
.group, .projects { display: grid; gap: 1em; min-width: 0 }
.nudge { display: grid; gap: .75em; justify-items: start; padding: .875em 1em; border-radius: var(--radius); background: var(--soft) }
.nudge:not(:has(p)) { display: none }
.projects { gap: 0; grid-auto-rows: max-content; max-height: 18em; padding: .125em; overflow-y: auto; border: 1px solid var(--line); border-radius: var(--radius) }
.project, .project label { display: flex; gap: .75em; align-items: center; min-height: 2.75em; cursor: pointer }
.project { gap: 0 .75em; padding-inline: .75em; flex-wrap: wrap }
.projects:not(:has(> :nth-child(9))) { max-height: none }
.project[hidden] { display: none }
.project label { flex: 1 1 12em }
.project + .project { border-block-start: 1px solid color-mix(in srgb, var(--line) 35%, transparent) }
.project input[type=radio], .project input[type=checkbox] { flex: none; width: 1.5em; height: 1.5em; margin: 0; font: inherit; accent-color: var(--mark) }
.part { display: flex; flex-flow: row-reverse wrap; gap: .25em .75em; align-items: center; margin-inline-start: auto; padding-block: .375em }
.part input { width: 7em }
.goal { display: grid; gap: .25em }
progress { width: 100%; height: .625em; border: 1px solid var(--line); border-radius: 1em; background: var(--field); overflow: hidden; appearance: none }
progress::-webkit-progress-bar { background: var(--field) }
progress::-webkit-progress-value { background: var(--mark) }
progress::-moz-progress-bar { background: var(--mark) }
.ways:not(:last-child) { margin-bottom: 1em }
.signed { display: flex; align-items: center; gap: .5em }
legend.label { margin-bottom: .375em; font-size: 1em; font-weight: 500 }
.field > .segments, .field > .check { margin-top: .125em }
/* WebKit lets no legend wrap in a fieldset that is a grid. */
fieldset.field { display: block }
fieldset.field > .hint + * { margin-top: .5em }
fieldset.field > .problem { margin-top: .375em }
[part=consents] { display: grid; gap: .5em }
@media (forced-colors: active) { progress { forced-color-adjust: auto; appearance: auto } .nudge { border: 1px solid } }
`;
