/** A layout of a well-known kind of donation form, drawn from memory, without names or logos. */
export interface Sketch {
  readonly title: string;
  readonly body: string;
}

const line = (width: number): string => `<i class="line" style="width:${width}%"></i>`;
const field = (label: string): string => `<label>${label}<b class="field"></b></label>`;
const fields = (...labels: string[]): string => labels.map(field).join('');
const tiles = (amounts: readonly string[], selected: number): string =>
  `<div class="tiles">${amounts.map((amount, index) => `<b class="tile${index === selected ? ' on' : ''}">${amount}</b>`).join('')}</div>`;
const button = (text: string): string => `<b class="button">${text}</b>`;

export const SKETCHES: readonly Sketch[] = [
  {
    title: 'Hosted checkout: order on one side, one card box on the other',
    body: `<div class="two"><section class="summary"><p class="quiet">Donate to</p><p class="sum">$50.00</p>${line(60)}${line(40)}</section>
<section><div class="row"><b class="wallet">Wallet</b><b class="wallet">Wallet</b></div><p class="or">Or pay with card</p>
${field('Email')}<label>Card information<b class="field"></b><span class="joined"><b class="field"></b><b class="field"></b></span></label>
${fields('Name on card', 'Country')}${button('Pay $50.00')}</section></div>`,
  },
  {
    title: 'One decision at a time: a window over the page, a step for each question',
    body: `<section class="window"><h1>Give today</h1><div class="switch"><b class="on">Give once</b><b>Monthly ♥</b></div>
${tiles(['$1,000', '$500', '$250', '$100', '$50', '$25'], 3)}<div class="own"><b>$100</b><span>USD</span></div>
<p class="check">▢ Dedicate this donation</p>${button('Donate')}<p class="steps">● ○ ○</p></section>`,
  },
  {
    title: 'Campaign form of a content management system: cover, goal, then one long page',
    body: `<section class="window"><div class="cover"></div><h1>Help our campaign</h1>${line(92)}${line(80)}
<p class="goal"><i style="width:64%"></i></p><p class="quiet">$38,400 of $60,000 raised</p>
${tiles(['$10', '$25', '$50', '$100', '$250', 'Custom'], 2)}<h2>Who's giving today?</h2><div class="row">${fields('First name', 'Last name')}</div>${field('Email')}
<h2>Payment</h2><p class="check">◉ Card</p><p class="check">○ Offline donation</p>${fields('Card number', 'Expiration and code')}
<p class="quiet">Donation total: $50.00</p>${button('Donate now')}</section>`,
  },
];

const STYLES = `*{box-sizing:border-box}body{margin:0;padding:24px;background:#f2f2f4;color:#2a2a30;font:16px/1.5 sans-serif}
section{max-width:520px;margin:0 auto;display:grid;gap:14px;align-content:start}.window{padding:24px;border-radius:12px;background:#fff;box-shadow:0 8px 30px #0002}
.two{display:grid;gap:32px;max-width:1000px;margin:auto}.two section{width:100%}h1{margin:0;font-size:26px}h2{margin:8px 0 0;font-size:18px}p{margin:0}
.quiet{color:#66666e}.sum{font-size:38px;font-weight:700}.line{display:block;height:12px;border-radius:6px;background:#dcdce0}
label{display:grid;gap:6px;font-size:14px}.field{display:block;height:44px;border:1px solid #c4c4cb;border-radius:6px;background:#fff}
.joined,.row{display:grid;grid-template-columns:1fr 1fr;gap:8px}.joined{gap:0;margin-top:-7px}.wallet{padding:12px;border-radius:6px;background:#333;color:#fff;text-align:center}
.or{color:#66666e;text-align:center}.tiles{display:grid;grid-template-columns:repeat(3,1fr);gap:8px}.tile{padding:14px 4px;border:1px solid #c4c4cb;border-radius:6px;text-align:center}
.tile.on,.switch .on{border-color:#3a5fcd;background:#e8edfb}.switch{display:grid;grid-template-columns:1fr 1fr}.switch b{padding:12px;border:1px solid #c4c4cb;text-align:center}
.own{display:flex;justify-content:space-between;align-items:center;padding:12px 16px;border:1px solid #c4c4cb;border-radius:6px;font-size:28px}.own span{font-size:16px}
.button{padding:16px;border-radius:6px;background:#3a5fcd;color:#fff;text-align:center}.steps{text-align:center}.cover{height:150px;margin:-24px -24px 0;border-radius:12px 12px 0 0;background:#c9cdd6}
.goal{height:12px;border-radius:6px;background:#dcdce0}.goal i{display:block;height:100%;border-radius:6px;background:#3a5fcd}
@media(min-width:900px){body{padding:56px}.two{grid-template-columns:1fr 1fr}}`;

export const renderSketch = ({ title, body }: Sketch): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLES}</style><body>${body}`;
