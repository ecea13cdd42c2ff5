import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { updateScene as endpoint } from '@ithings/contract/features/scenes/info.ts'
import { sceneTexts } from '@ithings/contract/rules/scene-text.ts'
import { sql } from 'kysely'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { linkAlarms, refuseLinking } from './link-alarms.ts'
import { readInput } from './read-input.ts'
import { refuseLoops } from './refuse-loops.ts'
import { saveReferences } from './scene-references.ts'
import type { ScenesDeps } from './scenes-deps.ts'
import { findScene, lockScene, lockScenes, nameConflicts, partsOf, type SceneRow } from './store.ts'

type Input = BodyOutput<typeof endpoint>

/** What is not sent stays as it is. Existing consoles leave out a text that nobody touched, or send an empty one. */
const whole = (input: Input, stored: SceneRow, texts: ReturnType<typeof sceneTexts>) => ({
  ...input,
  name: input.name ?? stored.name,
  desc: input.desc ?? stored.description,
  triggerType: input.triggerType ?? stored.trigger_type,
  trigger: input.trigger || texts.trigger,
  when: input.when || texts.when,
  then: input.then || texts.then,
})

export async function updateScene(deps: ScenesDeps, input: Input, user: SignedInUser): Promise<void> {
  await refuseLinking(deps, user, input)
  const stored = await findScene(deps.db, input.id)
  const { references, columns } = await readInput(
    deps,
    whole(input, stored, sceneTexts(partsOf(deps.db, stored))),
    user.userName,
    stored,
  )
  await nameConflicts(
    deps.db.transaction().execute(async (db) => {
      await lockScenes(db)
      const before = await lockScene(db, input.id)
      refuseStaleEdit(input.rev ?? stored.rev, before.rev)
      // A moment that is due and not yet taken is not skipped by an edit of something else.
      const sameTimer =
        before.next_run_at !== null && columns.next_run_at !== null && before.trigger === columns.trigger
      await db
        .updateTable('scene')
        .set({
          ...columns,
          next_run_at: sameTimer ? before.next_run_at : columns.next_run_at,
          rev: sql`rev + 1`,
          updated_at: sql`now()`,
        })
        .where('id', '=', input.id)
        .execute()
      await saveReferences(db, input.id, references)
      await refuseLoops(db, input.id)
      await linkAlarms(db, input.id, input.alarmIDs)
    }),
  )
  await deps.signal.send('scene.changed', { sceneID: input.id })
}
