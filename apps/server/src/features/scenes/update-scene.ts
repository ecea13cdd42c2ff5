import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { updateScene as endpoint } from '@ithings/contract/features/scenes/info.ts'
import { sql } from 'kysely'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import { readInput } from './read-input.ts'
import { refuseLoops } from './refuse-loops.ts'
import { saveReferences } from './scene-references.ts'
import type { ScenesKit } from './scenes-kit.ts'
import { findScene, lockScene, lockScenes, nameConflicts } from './store.ts'

/** The whole scene, as existing consoles send it also to switch it on and off (rules.md 4). */
export async function updateScene(kit: ScenesKit, input: BodyOutput<typeof endpoint>, userName: string): Promise<void> {
  const { references, columns } = await readInput(kit, input, userName, await findScene(kit.db, input.id))
  await nameConflicts(
    kit.db.transaction().execute(async (db) => {
      await lockScenes(db)
      const before = await lockScene(db, input.id)
      refuseStaleEdit(input.rev, before.rev)
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
    }),
  )
  await kit.signal.send('scene.changed', { sceneID: input.id })
}
