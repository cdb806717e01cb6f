import type { DemoGift, DemoOutcome, DemoRecording } from '../demo/recording.ts';

const SENDING_TIME = 900;
/** Where the outcome of a donation stays for a reload of the page, as in the server's database. */
const STORAGE_PREFIX = 'demo-donation-';

interface DemoRequest {
  readonly gift: DemoGift;
  readonly payment: { readonly provider: string };
  readonly form: { readonly language: string };
}

let recording: Promise<DemoRecording> | undefined;

async function loadRecording(): Promise<DemoRecording> {
  const response = await fetch('demo.json');
  return (await response.json()) as DemoRecording;
}

/** Responds to a request of the form as the server did when the site was built. */
export async function answerRequest(request: Request): Promise<Response> {
  recording ??= loadRecording();
  const { definitions, outcomes } = await recording;
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/form') {
    const language = searchParams.get('language') ?? '';
    const definition = definitions[language] ?? definitions.en;
    return Response.json(definition, { headers: { ETag: '"demo"' } });
  }
  if (pathname !== '/donations') return new Response(null, { status: 204 });
  const storageName = `${STORAGE_PREFIX}${request.headers.get('Idempotency-Key') ?? ''}`;
  if (request.method === 'POST') {
    const { gift, payment, form } = (await request.json()) as DemoRequest;
    const kind = `${form.language} ${gift.frequency} ${payment.provider}`;
    const outcome = outcomes[kind] ?? outcomes[`en ${gift.frequency} ${payment.provider}`]!;
    sessionStorage.setItem(storageName, JSON.stringify(replaceGift(outcome, gift)));
    await new Promise((resolve) => {
      setTimeout(resolve, SENDING_TIME);
    });
  }
  const stored = sessionStorage.getItem(storageName);
  return stored === null
    ? Response.json({ code: 'donation-not-found', detail: 'Unknown donation.' }, { status: 404 })
    : new Response(stored);
}

/** Puts the amounts of a donation into the recorded outcome of another one. */
function replaceGift(outcome: DemoOutcome, gift: DemoGift): DemoOutcome {
  const { amount, coveredFees, total, currency, frequency } = gift;
  const { response } = outcome;
  return {
    ...outcome,
    gift: { amount, coveredFees, total, currency, frequency },
    ...(response && { response: { ...response, amount: total / 100 } }),
  };
}
