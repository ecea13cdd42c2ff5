import type { EventLogRow } from '@ithings/contract/features/history.ts'
import { EventType, eventTypeLabels, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { TypedParams } from '#blocks/typed-value/typed-value.tsx'
import { objectOf } from '#kit/json-object.ts'
import type { StatusLooks } from '#kit/status-tag.tsx'

export const eventLooks: StatusLooks = {
  [EventType.info]: { text: eventTypeLabels.info, tone: 'default' },
  [EventType.alert]: { text: eventTypeLabels.alert, tone: 'warning' },
  [EventType.fault]: { text: eventTypeLabels.fault, tone: 'error' },
}

/** An event that the model no longer has keeps its identifier. */
export const eventName = (identifier: string, model: ThingModel): string =>
  model.events.find((event) => event.identifier === identifier)?.name ?? identifier

export const EventParams = ({ event, model }: { event: EventLogRow; model: ThingModel }) => (
  <TypedParams
    params={model.events.find(({ identifier }) => identifier === event.dataID)?.params ?? []}
    values={objectOf(event.params)}
  />
)
