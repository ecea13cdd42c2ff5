/** The wire's JSON array texts (http-api.md 7); "" and what cannot be read are empty lists. */
export function readTextList(text: string): string[] {
  if (text.trim() === '') return []
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
