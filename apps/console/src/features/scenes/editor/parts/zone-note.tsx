import { zoneOffset } from '@ithings/contract/zone-days.ts'
import { useEditor } from '../editor-context.ts'

/** Whose clock a schedule and a time of day follow. */
export function ZoneNote() {
  const { timeZone } = useEditor()
  if (!timeZone) return null
  return (
    <>
      服务器时区 {timeZone}（{zoneOffset(timeZone)}）
    </>
  )
}
