/** As Prometheus writes a number: short decimals, with an exponent of at least two digits for very large and small ones. */
export function sayNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  return String(value).replace(/(e[+-])(\d)$/, (_, sign, digit) => `${sign}0${digit}`)
}
