/** A scene may name a webhook with its key: told, as that of a channel, only to who may read channels. */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { channelMask, readChannel } from '@ithings/contract/features/notify.ts'
import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import type { NotifyOutput, SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import { phrase } from '@ithings/contract/text.ts'
import { maskAddress } from '#features/notify/door.ts'
import type { ScenesDeps } from './scenes-deps.ts'

/** With the place of the action, so that two of one host stay apart when actions are moved. */
function maskReceiver(notify: NotifyOutput, place: number): NotifyOutput {
  const mark = (text: string) => (text.includes(channelMask) ? `${text}#${place}` : text)
  return {
    ...notify,
    ...(notify.url && { url: mark(maskAddress(notify.url)) }),
    ...(notify.secret && { secret: mark(channelMask) }),
  }
}

export const maskActions = (actions: SceneAction[]): SceneAction[] =>
  actions.map((action, i) => (action.notify ? { ...action, notify: maskReceiver(action.notify, i + 1) } : action))

export async function hideReceivers({ allows }: ScenesDeps, role: number, scenes: Scene[]): Promise<Scene[]> {
  if (await allows(role, readChannel)) return scenes
  return scenes.map((scene) => ({ ...scene, then: JSON.stringify(maskActions(JSON.parse(scene.then))) }))
}

/** What comes back hidden means what is stored, and goes where it went before: to no other address. */
function revealed(notify: NotifyOutput, stored: SceneAction[]): NotifyOutput {
  if (!notify.url?.includes(channelMask) && !notify.secret?.includes(channelMask)) return notify
  const places = stored.flatMap((action, i) => (action.notify ? [[action.notify, i + 1] as const] : []))
  for (const [own, place] of places) {
    const hidden = maskReceiver(own, place)
    if (hidden.url !== notify.url) continue
    if (notify.secret === hidden.secret) return { ...notify, url: own.url, secret: own.secret }
    if (!notify.secret?.includes(channelMask)) return { ...notify, url: own.url }
  }
  const detail = phrase('通知地址或密钥中的 {mask} 是被隐藏的内容，请填写完整', { mask: channelMask })
  throw new AppError(errors.parameter, { detail, field: 'then' })
}

export const revealReceivers = (actions: SceneAction[], stored: SceneAction[]): SceneAction[] =>
  actions.map((action) => (action.notify ? { ...action, notify: revealed(action.notify, stored) } : action))
