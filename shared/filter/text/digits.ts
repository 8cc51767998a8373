/** Decimal digits of any script as 0 to 9. */
export const asciiDigits = (text: string): string => text.replaceAll(/\p{Nd}/gu, asciiDigit);

/** Digits come in runs of ten, so the value is the distance from the run's start. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  if (point < 128) return digit;
  for (let zero = point; zero > point - 10; zero -= 1) {
    if (!/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) return String(point - zero);
  }
  // The mathematical digits are five runs without a gap.
  return String((point - 0x1d7ce) % 10);
}
