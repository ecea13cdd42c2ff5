/** The time of day as walks must mind it. Platform, browser and walk share one clock and one zone. */

/** Lets a full hour go by when it is about to strike: what belongs to today must not be of yesterday when it is read. */
export async function clearOf(hour: number, minutes = 1): Promise<void> {
  const strike = new Date()
  strike.setHours(hour, 0, 0, 0)
  if (strike.getTime() <= Date.now()) strike.setDate(strike.getDate() + 1)
  const left = strike.getTime() - Date.now()
  if (left < minutes * 60_000) await new Promise((resolve) => setTimeout(resolve, left + 1000))
}
