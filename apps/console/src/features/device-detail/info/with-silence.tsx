/** One card for "why is it offline, why does it say nothing": the cause, the next step, and the facts behind them. */

import { type Device, type DeviceStatus, deviceStatus } from '@ithings/contract/features/devices/info.ts'
import { type HubAction, listHubLog, ResultType } from '@ithings/contract/features/history.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import { call } from '#api/call.ts'
import { gatewayOfQuery, keyOf } from '#blocks/device/queries.ts'
import { DeviceTab } from '#blocks/device/tabs.ts'
import { Facts } from '#blocks/facts.tsx'
import { resultOf } from '#blocks/log-table/result-view.ts'
import { reasonText } from '#blocks/log-table/sessions.ts'
import { deviceDetailPath } from '#kit/paths.ts'
import { useMay } from '#kit/rights.tsx'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { Card } from '../card.tsx'
import { gatewayFact } from '../device-header.tsx'
import { latestQuery } from '../live-queries.ts'
import { lastReport } from '../state/property-rows.ts'
import { findCause, isSilent, passwordEnd } from './silence.ts'

const messages: HubAction[] = ['property', 'event', 'action', 'thing', 'gateway', 'publish', 'ext']

/** The newest line of a kind. Under the path of the log, so that whatever refreshes the log refreshes it. */
function useNewest(device: Device, actions: readonly HubAction[], enabled: boolean, resultType?: number) {
  const may = useMay()
  const { productID, deviceName } = keyOf(device)
  const body = { productID, deviceNames: [deviceName], actions: [...actions], resultType, page: { page: 1, size: 1 } }
  const { data, isLoading } = useQuery({
    queryKey: [listHubLog.path, 'newest', body, device.isOnline],
    queryFn: ({ signal }) => call(listHubLog, body, { quiet: true, signal }),
    enabled: enabled && may(listHubLog),
  })
  return { line: data?.list[0], isLoading }
}

const titles: Record<DeviceStatus, string> = { 1: '为什么没有数据', 2: '为什么离线', 3: '为什么还没有上线' }

const at = (time: string | number, words: ReactNode) => (
  <>
    <TimeText value={time} /> {words}
  </>
)

/** @param children come together with the card: nothing moves because it arrives above them */
export function WithSilence({ device, children }: { device: Device; children: ReactNode }) {
  const now = Date.now()
  // Afterwards they stay where they are, whatever is asked anew.
  const settled = useRef(false)
  const { data: latest, isLoading } = useQuery(latestQuery(device))
  const heard = lastReport(latest?.list ?? [])
  const shown = latest !== undefined && isSilent({ device, heard, now })
  const isSub = device.deviceType === DeviceType.subDevice
  const gateway = useQuery({ ...gatewayOfQuery(device), enabled: shown && isSub }).data?.gateway
  const asked = [
    useNewest(device, ['login'], shown, ResultType.failed),
    useNewest(device, messages, shown, ResultType.failed),
    useNewest(device, ['connected'], shown),
    useNewest(device, ['disconnected'], shown),
  ]
  if (!settled.current && (isLoading || asked.some((one) => one.isLoading))) return <PageSpinner />
  settled.current = true
  if (!shown) return children
  const [refusedLogin, refusedMessage, connected, disconnected] = asked.map(({ line }) => line)
  const facts = { device, now, heard, refusedLogin, refusedMessage, connected, disconnected, gateway }
  const { cause, step, tab, search = '' } = findCause(facts)
  const end = passwordEnd(connected)
  return (
    <>
      <Card title={t(titles[deviceStatus(device)])}>
        <Alert
          type="warning"
          showIcon
          title={cause}
          description={step}
          {...(tab !== DeviceTab.info && {
            action: (
              <Link to={deviceDetailPath(device, tab) + search}>
                <Button size="small">{t('去处理')}</Button>
              </Link>
            ),
          })}
        />
        <Facts
          facts={[
            { label: t('登录被拒绝'), value: refusedLogin && at(refusedLogin.timestamp, resultOf(refusedLogin).text) },
            { label: t('最近断开'), value: disconnected && at(disconnected.timestamp, reasonText(disconnected)) },
            { label: t('最后上报'), value: heard > 0 && <TimeText value={heard} /> },
            {
              label: t('上报被拒绝'),
              value: refusedMessage && at(refusedMessage.timestamp, resultOf(refusedMessage).text),
            },
            { label: t('凭证到期'), value: end && <TimeText value={end} mode="exact" /> },
            ...gatewayFact(device),
            { label: t('固件版本'), value: device.version && <span className="mono">{device.version}</span> },
          ].filter(({ value }) => value)}
        />
      </Card>
      {children}
    </>
  )
}
