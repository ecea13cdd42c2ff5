import { AppError, errors } from '@ithings/contract/errors.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { scenesUsingScene } from './scene-references.ts'
import type { ScenesDeps } from './scenes-deps.ts'
import { linkedAlarmNames, lockScene, lockScenes } from './store.ts'

/** The first few names, and how many there are. */
function quoted(names: string[]): Phrase {
  const shown = names.slice(0, 5).reduce((before, name) => phrase('{before}「{name}」', { before, name }), phrase(''))
  return names.length > 5 ? phrase('{names} 等 {count} 个', { names: shown, count: names.length }) : shown
}

/** One that an alarm or another scene relies on is kept, with the reason. Runs and references go with it. */
export async function deleteScene(deps: ScenesDeps, { id }: { id: number }): Promise<void> {
  await deps.db.transaction().execute(async (db) => {
    await lockScenes(db)
    await lockScene(db, id)
    const alarms = await linkedAlarmNames(db, id)
    if (alarms.length > 0) {
      throw new AppError(errors.notEmpty, {
        msg: phrase('该场景已关联告警{alarms}，请先解除关联', { alarms: quoted(alarms) }),
      })
    }
    const users = await scenesUsingScene(db, id)
    if (users.length > 0) {
      throw new AppError(errors.notEmpty, {
        msg: phrase('该场景被场景{scenes}执行，请先修改它们的动作', { scenes: quoted(users) }),
      })
    }
    await db.deleteFrom('scene').where('id', '=', id).execute()
  })
  await deps.signal.send('scene.changed', { sceneID: id })
}
