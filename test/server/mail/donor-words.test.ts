import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDonorWords } from '../../../src/server/mail/donor-words.ts';

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
  ])
    assert.ok('problem' in checkDonorWords(words), words);
});
