import { CUSTOM_ELEMENTS_SCHEMA, Component, signal } from '@angular/core';
import 'donation-form';
import type { DonationFormChangeEvent, DonationFormSuccessEvent } from 'donation-form';

@Component({
  selector: 'app-give',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <button (click)="amount.set(150)">Suggest $150</button>
      <button (click)="isShown.set(!isShown())">{{ isShown() ? 'Hide the form' : 'Show the form' }}</button>
      @if (isShown()) {
        <donation-form
          endpoint="https://give.example.org"
          form-id="main"
          frequency="monthly"
          [amount]="amount()"
          [settings]="settings"
          (donation-form-ready)="show($event)"
          (donation-form-change)="show($event)"
          (donation-form-success)="thank($event)"
        >
          <a href="https://example.org/other-ways-to-give">Other ways to give</a>
        </donation-form>
      }
      @if (total()) {
        <output>{{ total()! / 100 }} dollars</output>
      }
      <ol>
        @for (reference of references(); track $index) {
          <li>{{ reference }}</li>
        }
      </ol>
    </main>
  `,
})
export class Give {
  readonly settings = { analyticsTracking: { utmCampaign: 'angular-example' } };
  readonly isShown = signal(true);
  readonly amount = signal(25);
  readonly total = signal<number | undefined>(undefined);
  readonly references = signal<string[]>([]);

  show({ gift }: DonationFormChangeEvent) {
    this.total.set(gift.total);
  }

  thank({ reference }: DonationFormSuccessEvent) {
    this.references.update((earlier) => [...earlier, reference]);
  }
}
