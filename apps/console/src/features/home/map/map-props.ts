import type { HomeCluster } from '@ithings/contract/features/home.ts'
import type { Degrees } from './albers.ts'
import type { Box } from './view.ts'

export interface Asked {
  box: Box
  zoom: number
}

export interface MapProps {
  clusters: readonly HomeCluster[]
  /** Called with what the map shows; must stay the same function. */
  onAsk: (asked: Asked) => void
  /** A place that somebody chose elsewhere; each choice is a new object. */
  target: { place: Degrees } | undefined
  /** Where devices that lie at one place are listed. */
  listPath: string
}
