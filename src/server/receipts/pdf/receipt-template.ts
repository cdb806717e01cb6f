/**
 * The layout of a receipt in Typst. Its only input is `sys.inputs.receipt`, the JSON from
 * `toTemplateInput`. Its texts are data, so Typst evaluates nothing in them.
 */
export const RECEIPT_TEMPLATE = String.raw`
#let receipt = json(bytes(sys.inputs.receipt))

#let ink = rgb("#1b212c")
#let muted = rgb("#586071")
#let line = 0.6pt + rgb("#d5d9e0")
#let strong-line = 0.8pt + muted

#set document(title: receipt.documentTitle, author: receipt.author, date: none)
#set text(
  font: receipt.fonts,
  lang: receipt.lang,
  region: receipt.region,
  dir: if receipt.direction == "rtl" { rtl } else { ltr },
  size: 10pt,
  fill: ink,
  number-width: "tabular",
)
#set par(leading: 0.7em, spacing: 1em, justify: false)
#set page(
  paper: receipt.paper,
  margin: (x: 24mm, top: 22mm, bottom: 26mm),
  footer: context {
    let pages = counter(page).final().first()
    if pages > 1 {
      set text(size: 8pt, fill: muted)
      // Isolated, because the numbers keep their order in right-to-left text.
      let page = "\u{2066}" + str(counter(page).get().first()) + " / " + str(pages) + "\u{2069}"
      grid(columns: (1fr, auto), column-gutter: 12pt, receipt.number, page)
    }
  },
)
#show heading: set text(size: 22pt, weight: "bold")
#show heading: set block(above: 0pt, below: 0pt)

// A block of one or several paragraphs.
#let section(above: 26pt, spacing: 7pt, ..paragraphs) = block(above: above, below: 0pt, {
  set par(spacing: spacing)
  for paragraph in paragraphs.pos() { if paragraph != none { par(paragraph) } }
})
#let lines(texts) = texts.join(linebreak())

#section(
  above: 0pt,
  text(size: 12pt, weight: "bold", receipt.issuer.name),
  text(size: 8.5pt, fill: muted, lines(receipt.issuer.lines)),
)

#block(above: 32pt, below: 0pt)[= #receipt.title]
#section(above: 13pt, text(fill: muted, lines(receipt.subtitle)))

#for notice in receipt.notices {
  block(
    width: 100%,
    above: 16pt,
    below: 0pt,
    inset: (x: 12pt, y: 10pt),
    radius: 4pt,
    fill: rgb("#fff6df"),
    stroke: 0.8pt + rgb("#c98a12"),
    par(text(weight: "bold", fill: rgb("#5c3b00"), notice)),
  )
}

#if receipt.recipient.name != "" {
  section(
    text(weight: "bold", receipt.recipient.name),
    lines(receipt.recipient.addressLines),
  )
}

// The first line of a long label is on the line of the value.
#let label-box(label) = context {
  let label = text(fill: muted, hyphenate: true, label)
  let other-lines = measure(label, width: 48mm).height - measure(label).height
  box(width: 52mm, baseline: other-lines, box(width: 48mm, label))
}
#if receipt.details.len() > 0 {
  set strong(delta: 0)
  set terms(separator: [], hanging-indent: 52mm, spacing: 9pt)
  block(above: 26pt, below: 0pt, terms(
    ..receipt.details.map(((label, value)) => terms.item(label-box(label), value)),
  ))
}

#if receipt.table != none {
  let (columns, rows, totals) = receipt.table
  let last = columns.len() - 1
  set text(hyphenate: true)
  block(above: 26pt, below: 0pt, table(
    columns: (1fr,) * last + (if last == 0 { 1fr } else { auto },),
    align: (x, _) => if x == last and x > 0 { end } else { start },
    inset: (x, _) => (
      left: if x == 0 { 0pt } else { 6pt },
      right: if x == last { 0pt } else { 6pt },
      y: 6pt,
    ),
    stroke: (_, y) => (
      bottom: if y == 0 or y == rows.len() { strong-line } else if y < rows.len() { line },
    ),
    table.header(..columns.map(name => text(size: 8.5pt, weight: "bold", fill: muted, name))),
    ..rows.flatten(),
    table.footer(repeat: false, ..totals.flatten().map(cell => text(weight: "bold", cell))),
  ))
}

#section(spacing: 10pt, ..receipt.paragraphs)
#section(lines(receipt.signature))
`;
