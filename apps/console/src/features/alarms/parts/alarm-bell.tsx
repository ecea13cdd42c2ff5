/** The header's bell: how much waits for somebody, the latest alarms, and the tone of a new one (screens.md 1.3). */

import { BellOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Popover } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useWaiting } from '#blocks/access-requests.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { withTexts } from '#language/language.ts'
import { recordCountQuery, useAlarmLive } from '../record-queries.ts'
import { isNewAlarm, soundOnce } from '../sound.ts'
import './alarm-bell.css'

const BellPanel = lazy(async () => ({
  default: (await withTexts(['alarms', 'later'], import('./bell-panel.tsx'))).BellPanel,
}))

const most = 999
const countText = (open: number): string => (open > most ? `${most}+` : String(open))

/** As the queue asks that nobody has filtered: the two are one question. */
const bellQuery = recordCountQuery({ filters: {} }, () => ({}), false)

function useTone(opened: number | undefined) {
  const before = useRef<number>(undefined)
  useEffect(() => {
    if (isNewAlarm(before.current, opened)) soundOnce()
    before.current = opened ?? before.current
  }, [opened])
}

/** @param decides whether the person has the page of plans, where they are decided */
export function AlarmBell({ decides }: { decides: boolean }) {
  const pace = useAlarmLive()
  const { data } = useQuery({ ...bellQuery, refetchInterval: pace })
  const phone = usePhone()
  const [shown, setShown] = useState(false)
  useTone(data?.newestOpened)
  const waiting = useWaiting()
  const requests = waiting.requests.length
  const open = data?.open ?? 0
  const plans = decides ? waiting.plans : 0
  const amount = open + requests + plans
  const alarms = open > 0 ? t('告警，{open} 条未处理', { open }) : t('告警')
  const asked = requests > 0 ? t('{alarms}，{requests} 个权限申请', { alarms, requests }) : alarms
  const label = plans > 0 ? t('{asked}，{plans} 个配置计划待批准', { asked, plans }) : asked
  return (
    <Popover
      trigger="click"
      // In the middle it is moved to where a narrow screen has room.
      placement={phone ? 'bottom' : 'bottomRight'}
      arrow={false}
      open={shown}
      onOpenChange={setShown}
      destroyOnHidden
      content={
        <Suspense fallback={<div className="bell-panel" />}>
          <BellPanel count={data} plans={plans} onLeave={() => setShown(false)} />
        </Suspense>
      }
    >
      <button
        type="button"
        className="plain-button header-button inline-row softer center size-16 round-6 bell"
        aria-label={label}
        title={label}
      >
        <BellOutlined />
        {amount > 0 && <span className="bell-count small absolute line-18 centered">{countText(amount)}</span>}
      </button>
    </Popover>
  )
}

/** The same number beside the menu entry of the queue. */
export function AlarmCount() {
  const { data } = useQuery({ ...bellQuery, enabled: false })
  return data && data.open > 0 ? <span className="tone-error to-end bold small">{countText(data.open)}</span> : null
}
