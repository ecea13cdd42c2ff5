import { dayMs } from '@ithings/contract/durations.ts'
import { sendMessage } from '@ithings/contract/features/commands.ts'
import type { Device, DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { listHubLog } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '#api/call.ts'
import { deviceModelQuery, deviceProductQuery, keyOf } from '#blocks/device/queries.ts'
import { DeviceTab } from '#blocks/device/tabs.ts'
import type { TopicRow } from '#blocks/topics/topic-rows.ts'
import { type TopicExtras, TopicTable } from '#blocks/topics/topic-table.tsx'
import { deviceDetailPath } from '#kit/paths.ts'
import { May } from '#kit/rights.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { useMemo } from '#language/use-memo.ts'
import { lastUses, linesPerCall } from './last-uses.ts'

/** Further back the log is long and nobody asks. */
const lookBack = dayMs
const fresh = 30_000

const lastUsesQuery = (device: DeviceKey, topics: readonly string[]) =>
  queryOptions({
    queryKey: [listHubLog.path, 'last', device, topics],
    staleTime: fresh,
    queryFn: ({ signal }) => {
      const timeStart = Date.now() - lookBack
      return lastUses(topics, async (asked) => {
        const scope = { productID: device.productID, deviceNames: [device.deviceName], topics: asked }
        const body = { ...scope, timeStart, page: { page: 1, size: linesPerCall } }
        return (await call(listHubLog, body, { quiet: true, signal })).list
      })
    },
  })

const withTopic = (path: string, topic: string) => `${path}?topic=${encodeURIComponent(topic)}`

function LastUse({ device, topic, all }: { device: DeviceKey; topic: string; all: readonly TopicRow[] }) {
  const query = lastUsesQuery(
    device,
    all.map((row) => row.topic),
  )
  const { data } = useQuery(query)
  if (!data) return <span className="no-value">…</span>
  const used = data[topic]
  if (!used) return <span className="no-value">{t('24 小时内无')}</span>
  return (
    <Link to={withTopic(deviceDetailPath(device, DeviceTab.diagnosis), topic)} title={t('查看这个 Topic 的消息')}>
      <TimeText value={used} />
    </Link>
  )
}

/** When a topic of the device was used last, and the ways to its messages. */
const topicExtras = (device: DeviceKey): TopicExtras => ({
  last: ({ topic }, all) => <LastUse device={device} topic={topic} all={all} />,
  actions: ({ topic, way }) =>
    way === 'down' && (
      <May needs={sendMessage}>
        <Link style={{ paddingInline: 7 }} to={withTopic(deviceDetailPath(device, DeviceTab.debug), topic)}>
          {t('发送测试')}
        </Link>
      </May>
    ),
})

/** screens.md 6.12: the topics of the product with the names of this device. */
export function TopicsTab({ device }: { device: Device }) {
  const product = useQuery(deviceProductQuery(device.productID))
  // Only samples need the model: without it they are empty, the topics are the same.
  const { data: model } = useQuery(deviceModelQuery(device.productID))
  const extras = useMemo(() => topicExtras(keyOf(device)), [device])
  return (
    <Loaded query={product} subject={t('Topic 列表')}>
      {(known) => <TopicTable product={known} model={model} deviceName={device.deviceName} extras={extras} />}
    </Loaded>
  )
}
