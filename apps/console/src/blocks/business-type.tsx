/** spec 3: operation type; each has a colour: add blue, delete red, modify yellow, query green, other grey. */
import { BusinessType, businessTypeLabels } from '@ithings/contract/endpoint.ts'
import { t } from '@ithings/contract/text.ts'
import { type StatusLooks, StatusTag } from '#kit/status-tag.tsx'

const looks: StatusLooks = {
  [BusinessType.add]: { text: businessTypeLabels[BusinessType.add], tone: 'processing' },
  [BusinessType.delete]: { text: businessTypeLabels[BusinessType.delete], tone: 'error' },
  [BusinessType.modify]: { text: businessTypeLabels[BusinessType.modify], tone: 'warning' },
  [BusinessType.query]: { text: businessTypeLabels[BusinessType.query], tone: 'success' },
  [BusinessType.other]: { text: businessTypeLabels[BusinessType.other], tone: 'default' },
}

export const businessTypeOptions = Object.values(BusinessType).map((value) => ({
  value,
  label: businessTypeLabels[value],
}))

/** What an endpoint does, not the state of something: "Add", not "Added". */
export const BusinessTypeTag = ({ value }: { value: number | string }) => {
  const look = looks[value]
  return look ? <StatusTag filled {...look} text={t(look.text)} /> : <StatusTag filled looks={looks} value={value} />
}
