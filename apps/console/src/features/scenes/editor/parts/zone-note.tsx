import { useEditor } from '../editor-context.ts'
import { zoneOffset } from '../use-scene-names.ts'

/** look.md "Time": the zone is shown where a schedule is set. */
export function ZoneNote() {
  const { timeZone } = useEditor()
  if (!timeZone) return null
  return (
    <>
      {timeZone}（{zoneOffset(timeZone)}）
    </>
  )
}
