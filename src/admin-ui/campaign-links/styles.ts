import { css } from 'lit';

export const styles = css`
#link, #links, .url { word-break: break-all }
#link { min-height: 6.25rem; field-sizing: content }
.link-bar {
  position: sticky; bottom: 0; z-index: 1; display: flex; gap: .75rem; align-items: center;
  margin: 1.5rem -1rem 0; padding: .75rem 1rem; border-top: 1px solid var(--edge);
  background: var(--sheet); box-shadow: 0 -8px 24px rgb(0 0 0 / .06)
}
.link-bar p { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.link-bar button { flex: none }
@media (min-width: 62rem) { .link-bar { display: none } }
.findings { display: grid; gap: .5rem }
.findings > [role=status] { font-weight: 600 }
.findings ul { display: grid; gap: .375rem; color: var(--quiet); font-size: .9375rem }
.findings li { display: block; padding-inline-start: 1.5rem }
.findings .error { color: var(--danger) }
.findings .warning { color: var(--warning) }

.qr {
  display: flex; flex-wrap: wrap; gap: 1.25rem 1.5rem; align-items: center; padding-top: 1.5rem;
  border-top: 1px solid var(--edge)
}
.qr svg { flex: none; width: 11rem; height: 11rem; border: 1px solid var(--edge); border-radius: .625rem }
.quiet-zone { fill: #fff }
.modules { fill: #000 }
.qr div { flex: 1 1 12rem; display: grid; gap: .5rem; justify-items: start }
.qr button { margin-top: .5rem }
.qr-note { padding-top: 1.25rem; border-top: 1px solid var(--edge) }

.bulk-check { display: grid; gap: 1rem; margin-top: 4rem; padding-top: 3rem; border-top: 1px solid var(--edge) }
.bulk-check > .hint { margin-top: -.625rem; font-size: 1rem }
.sources { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem }
@media (min-width: 62rem) {
  .sources { grid-template-columns: minmax(0, 1fr) minmax(0, 2fr); gap: 2rem }
  .sources .field { grid-column: auto }
}
#links { min-height: 7rem; max-height: 16rem }
#summary:empty { display: none }
#summary p { font-size: 1.0625rem }
table {
  width: 100%; border: 1px solid var(--edge); border-radius: 1rem; border-spacing: 0;
  background: var(--sheet); font-size: .9375rem; overflow: hidden
}
th {
  padding: .875rem 1rem; color: var(--quiet); font-size: .875rem; font-weight: 600;
  text-align: start; overflow-wrap: normal
}
td { padding: .875rem 1rem; border-top: 1px solid var(--edge); vertical-align: top; overflow-wrap: anywhere }
td:first-child, th:first-child { width: 5rem; padding-inline-start: 1.25rem; font-variant-numeric: tabular-nums }
th:nth-child(2) { width: 38% }
th:last-child { width: 28% }
.faulty td { background: color-mix(in srgb, var(--danger) 5%, transparent) }
.faulty td:first-child { box-shadow: inset 4px 0 var(--danger) }
.problem-list { display: grid; gap: .375rem }
.narrow-only { display: none }
@media (max-width: 48rem) {
  table, tbody, tr, td { display: block }
  thead { display: none }
  tr { padding: 1rem 1.25rem; border-top: 1px solid var(--edge) }
  tr:first-child { border-top: 0 }
  td, td:first-child { width: auto; padding: .125rem 0; border: 0 }
  tr.faulty { background: color-mix(in srgb, var(--danger) 5%, transparent); box-shadow: inset 4px 0 var(--danger) }
  .faulty td, .faulty td:first-child { background: none; box-shadow: none }
  .narrow-only { display: inline }
}
@media (forced-colors: active) { .faulty td:first-child { border-inline-start: 4px solid Highlight } }
`;
