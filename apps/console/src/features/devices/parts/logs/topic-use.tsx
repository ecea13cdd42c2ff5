/** screens.md 6.12: when a topic of a device was used last, and the ways to its messages. */
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { sendMessage } from '@ithings/contract/features/devices/interact.ts'
import { listHubLog } from '@ithings/contract/features/devices/msg.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '#api/call.ts'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import type { TopicExtras } from '#blocks/topics/topic-table.tsx'
import { May } from '#kit/rights.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { DeviceTab } from '../detail/tabs.ts'

/** Further back the log is long and nobody asks. */
const lookBack = 86_400_000
const fresh = 30_000

const lastUseQuery = ({ productID, deviceName }: DeviceKey, topic: string) =>
  queryOptions({
    queryKey: [listHubLog.path, 'last', { productID, deviceName, topic }],
    staleTime: fresh,
    queryFn: async ({ signal }) => {
      const scope = { productID, deviceNames: [deviceName], topics: [topic] }
      const body = { ...scope, timeStart: Date.now() - lookBack, page: { page: 1, size: 1 } }
      return (await call(listHubLog, body, { quiet: true, signal })).list[0]?.timestamp ?? ''
    },
  })

const withTopic = (path: string, topic: string) => `${path}?topic=${encodeURIComponent(topic)}`

function LastUse({ device, topic }: { device: DeviceKey; topic: string }) {
  const { data } = useQuery(lastUseQuery(device, topic))
  if (data === undefined) return <span className="no-value">…</span>
  if (data === '') return <span className="no-value">24 小时内无</span>
  return (
    <Link to={withTopic(deviceDetailPath(device, DeviceTab.diagnosis), topic)} title="查看这个 Topic 的消息">
      <TimeText value={data} />
    </Link>
  )
}

export const topicExtras = (device: DeviceKey): TopicExtras => ({
  last: ({ topic }) => <LastUse device={device} topic={topic} />,
  actions: ({ topic, way }) =>
    way === 'down' && (
      <May needs={sendMessage}>
        <Link className="topic-test" to={withTopic(deviceDetailPath(device, DeviceTab.debug), topic)}>
          发送测试
        </Link>
      </May>
    ),
})
