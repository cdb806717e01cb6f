import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDonorWords, getGreetableName } from '../../../src/server/mail/donor-words.ts';

test('sends what people write to each other, without invisible characters', () => {
  for (const [words, expected = words] of [
    ['In loving memory.\nYour friends'],
    ['1931–2026. She was 95 years old!'],
    ['Born 24.12.1931, died 3/11/2026.'],
    ['Love ❤️ from us', 'Love ❤ from us'],
    ['Danke, daß es Dich gibt – alles Gute zum 60.!'],
    ['我们想念你。愿你安息'],
    ['दादी की याद में'],
    ['لذكرى جدتي الحبيبة'],
    ['Dr. Ana and Mr. J.R.R. Silva, Ph.D., send e.g. love, i.e. hugs etc.'],
    ['1.5 km, No. 5, $1,000,000, 50 %, 3 p.m., 12:30:45'],
    ['z. B. am 4. Juli. Im Hl. Geist'],
    ['Obrigado. Com carinho, net'],
    ['Love...Ana :) and/or his/her dog; To: Mia'],
    ['We love you:)'],
    ['Data: 24.12.2026'],
    ['Polka dot dress. Connect the dots. Au point'],
    ['La cel·la i el col·legi. Paral·lel'],
    ['マリア・シルバへ。ありがとう'],
    ['т.е. с любовью и т.д.'],
    ['a\u202Eb\u2066c\u200Bd\r\ne\u2028f', 'abcd\ne\nf'],
  ] as const)
    assert.deepEqual(checkDonorWords(words), { text: expected }, words);
});

test('leaves out words with a link, an address, a phone number, or markup, however it is hidden', () => {
  for (const words of [
    'see https://evil.example/x',
    'see HTTP:evil',
    'www evil example www.evil.example',
    'go to evil.example',
    'go to EVIL.EXAMPLE',
    'evil\u200B.\u200Bexample',
    'evil．example',
    'ｅｖｉｌ。ｃｏｍ',
    'evil.xn--p1ai',
    'пример.рф',
    '10.0.0.1',
    'me@evil',
    'me＠evil.example',
    'call 0800 123 456 now',
    'call +49 (171) 123-45-67',
    'call 1-9-0-0-5-5-5-1-2-3-4',
    'call ٠٨٠٠١٢٣٤٥٦',
    '<b>hello</b>',
    '＜b＞',
    '[here](evil)',
    '&lt;b',
    '`code`',
    'tel:1',
    'javascript:alert',
    'evil,com/path',
    'evil,com',
    'evil ․ com',
    'evil。com',
    'evil｡com',
    'EVIL。DE',
    'evil·com',
    'evil・com',
    'evil‧com',
    'evil∙com',
    'evil⋅com',
    'evil۔com',
    'evil . com',
    'evil .com',
    'evil dot com',
    'evil (dot) com',
    'evil DOT\u00a0shop now',
    'evil punto com',
    'evil ponto com',
    'evil Punkt com',
    'e\u200bvil\u2060.\u00adc\u200com',
    'ev\u034fil.com',
    'hxxp evil',
    'hxxps://evil',
    'http evil',
    'h\u200bttp://evil',
    'bitcoin:1A1zP1',
    'whatsapp:evil',
    'sms:evil',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '10。0。0。1',
    '１０．０．０．１',
    '10·0·0·1',
    '2001:db8:0:0:1',
    'fe80::1',
    'me (at) evil',
  ])
    assert.ok('problem' in checkDonorWords(words), words);
});

test('takes names as people write them, and no sentence or link', () => {
  for (const name of ['Ana', 'Dr. Ana', 'Ana M. Silva', 'Silva Jr.', "Mary O'Neil", 'محمد', '山田'])
    assert.equal(getGreetableName(` ${name} `), name);
  for (const name of [
    'evil.com',
    'evil.-com',
    'go to evil now',
    'Ana 7',
    'Ana\nBcc',
    'A\u200bna',
    '',
  ])
    assert.equal(getGreetableName(name), undefined, name);
});

test('checks 16,000 characters in less than 5 ms', () => {
  for (const pump of [
    'a',
    'a.',
    '1',
    '1.',
    ' ',
    'dot ',
    '. ',
    ' (',
    'a·',
    '1 ',
    'a:',
    '-',
    '(at',
    'l·',
  ])
    for (const end of ['', '!', 'a', ' com']) {
      const words = pump.repeat(16_000 / pump.length) + end;
      const times = Array.from({ length: 5 }, () => {
        const start = process.cpuUsage();
        checkDonorWords(words);
        const { user, system } = process.cpuUsage(start);
        return (user + system) / 1_000;
      });
      assert.ok(Math.min(...times) < 5, `${pump}: ${Math.min(...times)} ms`);
    }
});
