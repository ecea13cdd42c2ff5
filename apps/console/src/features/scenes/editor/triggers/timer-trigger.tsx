import { CronInput } from '#kit/cron-input.tsx'
import { useEditor } from '../editor-context.ts'
import { BlockCard } from '../parts/block-card.tsx'
import { ZoneNote } from '../parts/zone-note.tsx'

/** A 6-field cron, written or built, meant in the zone of the server. */
export function TimerTriggerFields() {
  const { draft, change, timeZone } = useEditor()
  return (
    <BlockCard part="trigger" badge="当" word="IF" title="触发" hint={<ZoneNote />}>
      <div className="scene-item">
        <CronInput value={draft.cron} timeZone={timeZone} onChange={(cron) => change((old) => ({ ...old, cron }))} />
      </div>
    </BlockCard>
  )
}
