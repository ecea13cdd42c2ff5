/** A scene may name a webhook with its key: both are sealed where its actions are stored, everything else stays as it is. */
import type { SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import type { Db } from './schema.ts'
import { keysOf, places } from './sealed.ts'

const changed = (actions: SceneAction[], change: (place: string, text: string) => string): SceneAction[] =>
  actions.map((action) => {
    const { url, secret } = action.notify ?? {}
    if (!url && !secret) return action
    const receiver = {
      ...(url && { url: change(places.scene, url) }),
      ...(secret && { secret: change(places.scene, secret) }),
    }
    return { ...action, notify: { ...action.notify, ...receiver } as SceneAction['notify'] }
  })

export const sealReceivers = (db: Db, actions: SceneAction[]): SceneAction[] => changed(actions, keysOf(db).seal)
export const openReceivers = (db: Db, actions: SceneAction[]): SceneAction[] => changed(actions, keysOf(db).open)
