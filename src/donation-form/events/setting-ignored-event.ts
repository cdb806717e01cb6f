import type { IgnoreReason, Ignored, Layer, SettingName } from '@donation-form/core/settings';

/**
 * A value of the address or of the page's settings does not count. The value itself is not told: it
 * may be personal.
 * It comes once for each name; the endpoint counts it by name, reason and segment. Cancelling it
 * keeps it from being counted.
 */
export class DonationFormSettingIgnoredEvent extends Event {
  static readonly type = 'donation-form-setting-ignored';
  readonly setting: SettingName;
  readonly layer: Layer;
  /**
   * The name it came by: a URL parameter as written, an attribute, or a path such as
   * `giftInfo.amount`.
   */
  readonly settingName: string;
  readonly reason: IgnoreReason;

  constructor({ setting, layer, name, reason }: Ignored) {
    super(DonationFormSettingIgnoredEvent.type, {
      bubbles: true,
      composed: true,
      cancelable: true,
    });
    this.setting = setting;
    this.layer = layer;
    this.settingName = name;
    this.reason = reason;
  }
}
