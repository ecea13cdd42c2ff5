/** What the program has around it; tests hand in their own. */
import type { Language } from '@ithings/contract/text.ts'

export interface Place {
  env: Readonly<Record<string, string | undefined>>
  platform: string
  home: string
  language: Language
  /** Columns of the terminal; undefined when the output goes to a file or a program. */
  width: number | undefined
  color: boolean
  /** Somebody can be asked. */
  interactive: boolean
  out(text: string): void
  err(text: string): void
  readInput(): Promise<string>
  /** @param hidden nothing of the answer is shown */
  ask(question: string, hidden?: boolean): Promise<string>
  /** Ends with Ctrl+C. */
  signal: AbortSignal
}

export const say = (place: Pick<Place, 'out'>, line: string): void => place.out(`${line}\n`)
export const tell = (place: Pick<Place, 'err'>, line: string): void => place.err(`${line}\n`)
