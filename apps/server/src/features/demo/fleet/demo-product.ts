import type { ModelEvent, ThingModel } from '@ithings/contract/thing-model/model.ts'
import type { PastValue } from '#ports/backfill.ts'
import type { DemoCurves } from './demo-curve.ts'

export interface DemoProduct {
  productID: string
  productName: string
  desc: string
  deviceType: 1 | 2 | 3
  netType: 1 | 2 | 3 | 4 | 5 | 6
  dataProto: 1 | 2
  logDays: 1 | 3 | 7
  tags: Array<{ key: string; value: string }>
  model: ThingModel
  curves: DemoCurves
  /** Texts that its reports carry. */
  texts?: Record<string, string>
  /** What happens to one of its devices now and then. */
  happenings: Array<{ event: ModelEvent['identifier']; everyHours: number; params: Record<string, PastValue> }>
  version: string
}
