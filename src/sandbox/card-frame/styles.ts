/** The look of the card frame. The page that embeds it sends its colours and type, so that the fields look like its own. */
export const frameStyles = `
:root { color-scheme: light; --text: #1c2321; --field: #fff; --line: #8b9592; --accent: #0b6e4f; --danger: #b3261e; --radius: 10px; --font: system-ui, sans-serif; --size: 16px }
* { box-sizing: border-box; margin: 0 }
html { background: transparent; font: 1em/1.5 var(--font); font-size: var(--size); color: var(--text) }
form { display: grid; grid-template-columns: 1fr 1fr; gap: 1em; padding: 5px }
.wide { grid-column: 1 / -1 }
label { display: block; margin-bottom: .25em; font-weight: 500 }
label span { font-weight: 400; opacity: .75 }
input { width: 100%; min-height: 2.875em; padding: .5em .75em; font: inherit; font-size: max(1em, 16px); color: inherit; background: var(--field); border: 1px solid var(--line); border-radius: var(--radius); font-variant-numeric: tabular-nums; direction: ltr }
[dir=rtl] input { text-align: right }
input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
input[aria-invalid=true] { border-color: var(--danger); box-shadow: inset 0 0 0 1px var(--danger) }
p { margin-top: .25em; color: var(--danger); font-size: .9375em }
@media (max-width: 19em) { form { grid-template-columns: 1fr } }
@media (forced-colors: active) { input { border-color: CanvasText } }
`;
