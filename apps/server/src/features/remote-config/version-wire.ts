import { type ConfigVersion, configBytes } from '@ithings/contract/features/remote-config.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import type { VersionRow } from './store.ts'

export const toVersion = (row: VersionRow): ConfigVersion => ({
  id: row.id,
  content: row.content,
  createTime: toSecondsStr(row.created_at),
  note: row.note,
  bytes: configBytes(row.content),
  userName: row.user_name,
  restoredFrom: row.restored_from,
})

/** http-api.md 3.4: none yet is no failure, existing consoles wait for an answer. */
export const noVersion: ConfigVersion = {
  id: 0,
  content: '',
  createTime: '0',
  note: '',
  bytes: 0,
  userName: '',
  restoredFrom: 0,
}
