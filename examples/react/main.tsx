import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import 'donation-form';
import type {} from 'donation-form/react';

const settings = { analyticsTracking: { utmCampaign: 'react-example' } };

function Give() {
  const [isShown, setIsShown] = useState(true);
  const [amount, setAmount] = useState(25);
  const [total, setTotal] = useState<number>();
  const [references, setReferences] = useState<string[]>([]);
  return (
    <main>
      <button onClick={() => setAmount(150)}>Suggest $150</button>
      <button onClick={() => setIsShown(!isShown)}>
        {isShown ? 'Hide the form' : 'Show the form'}
      </button>
      {isShown && (
        <donation-form
          endpoint="https://give.example.org"
          form-id="main"
          frequency="monthly"
          amount={amount}
          settings={settings}
          ondonation-form-ready={({ gift }) => setTotal(gift.total)}
          ondonation-form-change={({ gift }) => setTotal(gift.total)}
          ondonation-form-success={({ reference }) =>
            setReferences((earlier) => [...earlier, reference])
          }
        >
          <a href="https://example.org/other-ways-to-give">Other ways to give</a>
        </donation-form>
      )}
      {total && <output>{total / 100} dollars</output>}
      <ol>
        {references.map((reference, index) => (
          <li key={index}>{reference}</li>
        ))}
      </ol>
    </main>
  );
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Give />
  </StrictMode>,
);
