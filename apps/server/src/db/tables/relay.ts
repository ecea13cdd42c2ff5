import type { GeneratedAlways } from 'kysely'

export interface DownlinkRelayTable {
  id: GeneratedAlways<number>
  server_id: string
  topic: string
  payload: Buffer
  at: number
}
