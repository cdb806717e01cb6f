/** Returns `null` for a text ID, or an integer that JavaScript cannot represent exactly. */
export function toIntegerGiftId(id: string | null): number | null {
  return id !== null && /^[1-9]\d{0,15}$/.test(id) && Number.isSafeInteger(Number(id))
    ? Number(id)
    : null;
}
