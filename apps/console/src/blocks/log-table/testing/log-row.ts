import type { HubLogRow } from '@ithings/contract/features/history.ts'

/** A line of the log for tests; only what matters to them is said there. */
export const logRow = (own: Partial<HubLogRow>): HubLogRow => ({
  timestamp: '1000',
  action: 'property',
  requestID: '',
  tranceID: `${own.timestamp ?? '1000'}-${own.method ?? ''}-${own.requestID ?? ''}`,
  topic: '$thing/up/property/p1/pump-1',
  content: '{}',
  resultType: '200',
  productID: 'p1',
  deviceName: 'pump-1',
  way: 'up',
  method: 'report',
  msg: '',
  latency: 0,
  ...own,
})
