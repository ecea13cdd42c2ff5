/** What a command would change, by what the device reports now; several changes are asked about before they go out. */

import type { Device } from '@ithings/contract/features/devices/info.ts'
import { listLatest } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQueryClient } from '@tanstack/react-query'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useConfirm } from '#kit/confirm.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { changesOf, reportedValues, type Values } from './changes.ts'

interface Asked {
  values: Values
  okText: string
  send: () => void
  /** Also one change, or none, is asked about. */
  always?: boolean
}

export function useChanges({ productID, deviceName, deviceAlias }: Device, { properties }: ThingModel) {
  const client = useQueryClient()
  const confirm = useConfirm()
  /** Nothing when it cannot be read. */
  const reported = (): Promise<Values> =>
    client
      .fetchQuery({
        ...endpointQuery(listLatest, { productID, deviceName }, { quiet: true }),
        // It is shown as the present state before something is changed.
        staleTime: 0,
      })
      .then(
        ({ list }) => reportedValues(properties, list),
        () => ({}),
      )
  const ask = async ({ values, okText, send, always = false }: Asked) => {
    if (!always && Object.keys(values).length < 2) return send()
    const changes = changesOf(properties, await reported(), values)
    if (!always && changes.length < 2) return send()
    confirm({
      title: changes.length > 1 ? t('同时改变 {count} 个属性？', { count: changes.length }) : t('下发这条指令？'),
      content: (
        <>
          <p>
            {t(
              changes.length > 0 ? '指令会作用于设备「{name}」：' : '指令会作用于设备「{name}」，它当前已经是这些值。',
              {
                name: deviceAlias || deviceName,
              },
            )}
          </p>
          <ul>
            {changes.map(({ name, from, to }) => (
              <li key={name}>
                <RichText text={t('{name}：{from} → <0/>', { name, from })} parts={[<b key="to">{to}</b>]} />
              </li>
            ))}
          </ul>
        </>
      ),
      okText,
      // The dialog closes at once: the panel shows how it goes on.
      onOk: async () => send(),
    })
  }
  return { reported, ask: (asked: Asked) => void ask(asked) }
}
