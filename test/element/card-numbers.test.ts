import { expect } from '@open-wc/testing';
import type { CustomFieldOffer } from '../../src/core/schemas/form-definition.ts';
import { wholeForm } from '../whole-form.ts';
import {
  Stage,
  accessible,
  fill,
  inside,
  press,
  ready,
  type,
  waitUntil,
  words,
} from './support.ts';

const CARD = '4242 4242 4242 4242';
const SAID =
  'This looks like a card number. Please take it out: card details belong only into the payment field.';
const free = (id: string, type: CustomFieldOffer['type'], label?: string): CustomFieldOffer => ({
  id,
  type,
  formatter: 0,
  required: false,
  ...(label && { label }),
});

describe('donation-form, where a donor writes a card number', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => stage.end());

  it('flags it in every field of free text at the press, and sends nothing', async () => {
    stage.definition = {
      ...wholeForm,
      customFields: [
        free('text', 3, 'A text'),
        free('long', 7, 'A long text'),
        free('hidden', 3),
        free('count', 6, 'A number'),
      ],
    };
    const form = await stage.show('', { language: 'en' });
    await ready(form);
    inside(form, '[name="tribute.kind"][value=honor]').click();
    inside(form, '[name="organization.is"]').click();
    await form.updateComplete;
    type(form, 'country', 'DE');
    await waitUntil(() => form.shadowRoot!.querySelector('[name=postal]'));
    const flagged = [
      'firstName',
      'lastName',
      'address1',
      'address2',
      'city',
      'comment',
      'tribute.name',
      'tribute.message',
      'organization.name',
      'custom.text',
      'custom.long',
    ];
    const asked = [
      ...form.shadowRoot!.querySelectorAll<HTMLInputElement>('input[type=text], textarea'),
    ]
      .map(({ name }) => name)
      .filter((name) => flagged.includes(name));
    for (const name of asked) type(form, `"${name}"`, `mine: ${CARD}`);
    for (const name of ['phone', 'custom.count']) type(form, `"${name}"`, CARD);
    await form.updateComplete;
    await press(form);
    const marked = [...form.shadowRoot!.querySelectorAll('.problem')]
      .filter((problem) => problem.textContent === SAID)
      .map(({ id }) => id.replace('-problem', ''));
    expect(marked.sort()).to.deep.equal(asked.sort());
    expect(asked).to.include.members([
      'firstName',
      'comment',
      'tribute.message',
      'organization.name',
      'custom.text',
      'custom.long',
      'city',
    ]);
    expect(stage.posted.length).to.equal(0);
    expect([
      inside(form, '#comment').getAttribute('aria-invalid'),
      inside(form, '#comment').getAttribute('aria-describedby'),
    ]).to.deep.equal(['true', 'comment-problem']);
    await accessible(form);
  });

  it('flags it when the donor leaves the field, and no longer when it is taken out', async () => {
    const form = await stage.show();
    await ready(form);
    type(form, 'comment', `For the wells ${CARD}`);
    await form.updateComplete;
    expect(form.shadowRoot!.querySelector('#comment-problem')).to.equal(null);
    inside(form, '#comment').dispatchEvent(
      new FocusEvent('focusout', { bubbles: true, composed: true }),
    );
    await form.updateComplete;
    expect(words(form, '#comment-problem')).to.equal(SAID);
    type(form, 'comment', 'For the wells');
    await form.updateComplete;
    expect(form.shadowRoot!.querySelector('#comment-problem')).to.equal(null);
    fill(form);
    await press(form);
    expect(stage.posted[0]?.request.gift.comment).to.equal('For the wells');
  });
});
