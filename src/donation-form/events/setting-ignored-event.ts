import type {
  IgnoredValue,
  IgnoreReason,
  SettingName,
  SettingSource,
} from '@donation-form/core/settings';
import { FormEvent } from './form-event.ts';

/**
 * Fires when the form ignores a setting from the URL, the element, or the page's settings. Fires
 * once for each source, name, and reason. The event does not include the value, which can contain
 * personal data. Cancel the event to omit the setting from the settings report, in which the
 * endpoint counts ignored settings by name, reason, and segment.
 */
export class DonationFormSettingIgnoredEvent extends FormEvent {
  static readonly type = 'donation-form-setting-ignored';
  readonly setting: SettingName;
  readonly source: SettingSource;
  /** URL parameter as written, attribute, or path such as `giftInfo.amount`. */
  readonly settingName: string;
  readonly reason: IgnoreReason;

  constructor({ setting, source, name, reason }: IgnoredValue) {
    super(DonationFormSettingIgnoredEvent.type, true);
    this.setting = setting;
    this.source = source;
    this.settingName = name;
    this.reason = reason;
  }
}
