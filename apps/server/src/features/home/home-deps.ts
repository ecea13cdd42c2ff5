import type { Common } from '#common-deps.ts'
import type { Gate } from '#http/route.ts'

/** What the large screen needs; made once in app/. */
export interface HomeDeps extends Common<'db' | 'clock' | 'bus' | 'background'> {
  /** Figures are shown to those who may list what they count. */
  allows: Gate['allows']
  /** Whether the demo fleet is loaded. */
  hasDemo(): Promise<boolean>
}
