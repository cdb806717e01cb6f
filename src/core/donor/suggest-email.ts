import { distance } from 'fastest-levenshtein';

const PROVIDER_DOMAINS = (
  'gmail.com googlemail.com yahoo.com ymail.com rocketmail.com hotmail.com outlook.com live.com ' +
  'msn.com icloud.com me.com mac.com aol.com mail.com email.com gmx.com gmx.net gmx.de gmx.at ' +
  'gmx.ch proton.me protonmail.com zoho.com fastmail.com comcast.net verizon.net att.net cox.net ' +
  'sbcglobal.net bellsouth.net charter.net yahoo.co.uk hotmail.co.uk btinternet.com web.de ' +
  't-online.de freenet.de yahoo.de hotmail.de yahoo.fr hotmail.fr orange.fr wanadoo.fr free.fr ' +
  'laposte.net libero.it virgilio.it yahoo.it hotmail.it yahoo.es hotmail.es ziggo.nl hetnet.nl ' +
  'telia.com wp.pl onet.pl interia.pl o2.pl ukr.net i.ua meta.ua mynet.com walla.co.il ' +
  'uol.com.br bol.com.br terra.com.br yahoo.com.br hotmail.com.br rediffmail.com yahoo.co.in ' +
  'qq.com 163.com 126.com sina.com naver.com yahoo.co.jp docomo.ne.jp ezweb.ne.jp'
).split(' ');

/** Patterns that match misspelled top-level domains, keyed by the correct domain. */
const TOP_LEVEL_TYPOS = {
  '.com': /[.,](?:con|cmo|ocm|comm|coom|ccom|xom|vom|cpm|cim|c0m)$|,com$/,
  '.net': /[.,](?:nte|ner|nett|met)$|,net$/,
  '.org': /[.,](?:ogr|orgg|rog|orh)$|,org$/,
};

/** Domain endings that, after a provider's name, are probably typos of `com`. */
const COM_TYPOS = ['', 'c', 'co', 'cm', 'om'];

/** Suggests a correction for a misspelled domain: `ana@gmial.com` becomes `ana@gmail.com`. */
export function suggestEmail(email: string): string | undefined {
  const [, local, typed = ''] = /^([^\s@]+)@([^\s@]+)$/.exec(email.trim()) ?? [];
  const domain = typed.toLowerCase();
  if (domain === '' || PROVIDER_DOMAINS.includes(domain)) return undefined;
  let corrected = domain;
  for (const [ending, typo] of Object.entries(TOP_LEVEL_TYPOS))
    corrected = corrected.replace(typo, ending);
  const suggestion = findSimilarProvider(corrected) ?? corrected;
  return suggestion === domain ? undefined : `${local}@${suggestion}`;
}

function findSimilarProvider(domain: string): string | undefined {
  const [name = '', ...ending] = domain.split('.');
  if (PROVIDER_DOMAINS.some((known) => known.startsWith(`${name}.`)))
    return PROVIDER_DOMAINS.find(
      (known) => known === `${name}.com` && COM_TYPOS.includes(ending.join('.')),
    );
  return PROVIDER_DOMAINS.find((known) => isMisspelled(domain, known));
}

/** Allows fewer edits of a shorter name, because a similar domain might be real. */
function isMisspelled(domain: string, known: string): boolean {
  const { length } = known.split('.')[0]!;
  const edits = distance(domain, known);
  const isSwapped = sortCharacters(domain) === sortCharacters(known);
  return length > 4 && edits <= (length > 5 || isSwapped ? 2 : 1);
}

const sortCharacters = (text: string): string => text.split('').sort().join('');
