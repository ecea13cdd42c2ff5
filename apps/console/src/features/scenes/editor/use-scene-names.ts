/** Names and thing models of everything a draft mentions; a sentence shows the ids until they are there. */
import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { modelNames, type SceneNames } from '@ithings/contract/rules/scene-names.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { zoneOffset } from '@ithings/contract/zone-days.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { allChannelsQuery } from '#blocks/channels-query.ts'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { modelQuery } from '#blocks/model-query.ts'
import { useMemo } from '#language/use-memo.ts'
import { aliasQuery, linkedAlarmsQuery, productNamesQuery, sceneNamesQuery } from './editor-queries.ts'
import type { SceneDraft } from './logic/draft.ts'
import type { Models } from './logic/judge-draft.ts'
import { mentionedBy } from './logic/mentioned.ts'

const deviceKey = (productID: string, deviceName: string) => `${productID} ${deviceName}`

/** What products and their models name. */
export function productWords(products: ReadonlyMap<string, string> | undefined, models: Models) {
  const namesOf = (productID: string) => {
    const model = models.get(productID)
    return model && modelNames(model)
  }
  return {
    product: (productID) => products?.get(productID),
    property: (productID, dataID) => namesOf(productID)?.property(dataID),
    event: (productID, dataID) => namesOf(productID)?.event(dataID),
    action: (productID, actionID) => namesOf(productID)?.action(actionID),
  } satisfies Partial<SceneNames>
}

export function useSceneNames(
  draft: SceneDraft,
  scene: Scene | undefined,
  timeZone: string | undefined,
): { names: SceneNames; named: boolean; models: Models; alarms: Scene['alarms'] } {
  const mentioned = useMemo(() => mentionedBy(draft), [draft])
  const asked = [
    useQuery(productNamesQuery(mentioned.products)),
    useQuery({ ...allChannelsQuery, enabled: mentioned.channels }),
    useQuery({ ...allGroupsQuery, enabled: mentioned.groups }),
    useQuery(sceneNamesQuery(mentioned.scenes)),
  ] as const
  const [products, channels, groups, scenes] = [asked[0].data, asked[1].data, asked[2].data, asked[3].data]
  const unknown = draft.alarmIDs.filter((id) => !scene?.alarms.some((alarm) => alarm.id === id))
  const added = useQuery(linkedAlarmsQuery(unknown)).data?.list
  const alarms = useMemo(() => {
    const known = [...(scene?.alarms ?? []), ...(added ?? [])]
    return draft.alarmIDs.flatMap((id) => known.find((alarm) => alarm.id === id) ?? [])
  }, [draft.alarmIDs, scene, added])
  // The same results give the same maps: what is computed from them is not computed again.
  const toModels = useCallback(
    (results: { data: ThingModel | undefined }[]): Models =>
      new Map(
        mentioned.products.flatMap((productID, index) => {
          const model = results[index]?.data
          return model ? [[productID, model] as const] : []
        }),
      ),
    [mentioned],
  )
  const toAliases = useCallback(
    (results: { data: string | undefined }[]) =>
      new Map(
        mentioned.devices.map(
          (one, index) => [deviceKey(one.productID, one.deviceName), results[index]?.data] as const,
        ),
      ),
    [mentioned],
  )
  const models = useQueries({ queries: mentioned.products.map(modelQuery), combine: toModels })
  const aliases = useQueries({
    queries: mentioned.devices.map(({ productID, deviceName }) => aliasQuery(productID, deviceName)),
    combine: toAliases,
  })
  const names = useMemo((): SceneNames => {
    return {
      ...productWords(products, models),
      device: (productID, deviceName) => aliases.get(deviceKey(productID, deviceName)) || undefined,
      group: (groupID) => groups?.find((group) => group.groupID === groupID)?.groupName,
      channel: (channelID) => channels?.list.find(({ id }) => id === channelID)?.name,
      scene: (sceneID) => scenes?.get(sceneID),
      alarms: alarms.map(({ name }) => name),
      // The name of the zone is long: sentences say how far it is off.
      zone: timeZone && zoneOffset(timeZone),
    }
  }, [products, channels, groups, scenes, models, aliases, alarms, timeZone])
  return { names, named: asked.every(({ isLoading }) => !isLoading), models, alarms }
}
