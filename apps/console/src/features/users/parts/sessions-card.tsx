import { DesktopOutlined, MobileOutlined } from '@ant-design/icons'
import type { UserSession } from '@ithings/contract/features/sessions.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useConfirm } from '#kit/confirm.tsx'
import { QueryError } from '#kit/states/loaded.tsx'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { sessionsQuery, useEndOtherSessions, useEndSession } from '../account-queries.ts'

const nameOf = ({ browser, os }: UserSession) => [browser, os].filter(Boolean).join(' · ') || t('未知的浏览器或程序')

function SessionRow({ session, onEnd }: { session: UserSession; onEnd: () => void }) {
  const handheld = /android|ios/i.test(session.os)
  return (
    <li className="session-row line-above row gap-12">
      <span className="quiet size-20">{handheld ? <MobileOutlined /> : <DesktopOutlined />}</span>
      <div className="column grow shrink">
        <span className="session-name flex wrap">
          {nameOf(session)}
          {session.current && <StatusTag text={t('当前设备')} tone="success" />}
          {session.newPlace && <StatusTag text={t('新地点')} tone="warning" />}
        </span>
        <span className="session-facts flex wrap meta">
          <span className="mono">{session.ipAddr || t('未知')}</span>
          <span>
            {t('登录于')} <TimeText value={session.createdTime} mode="exact" />
          </span>
          <span>
            {t('最近活动')} <TimeText value={session.seenTime} />
          </span>
        </span>
      </div>
      {!session.current && (
        <Button
          onClick={onEnd}
          aria-label={t('下线 {name} {ipAddr}', { name: nameOf(session), ipAddr: session.ipAddr })}
        >
          {t('下线', { context: 'session' })}
        </Button>
      )}
    </li>
  )
}

/** 登录设备: where this account is signed in. */
export function SessionsCard() {
  const confirm = useConfirm()
  const query = useQuery(sessionsQuery)
  const { data, error } = query
  const endOne = useEndSession()
  const endOthers = useEndOtherSessions()
  const askOne = (session: UserSession) =>
    confirm({
      title: t('让「{name}」下线？', { name: nameOf(session) }),
      content: t('该设备上的登录立即失效，再次使用需要重新登录。'),
      danger: true,
      okText: t('下线', { context: 'session' }),
      onOk: () => endOne.mutateAsync({ id: session.id }),
      done: t('已下线'),
    })
  const askOthers = () =>
    confirm({
      title: t('让其他设备全部下线？'),
      content: t('除当前设备外，所有登录立即失效。如果怀疑密码泄露，请同时修改密码。'),
      danger: true,
      okText: t('全部下线'),
      onOk: () => endOthers.mutateAsync({}),
      done: t('其他设备已下线'),
    })
  return (
    <section className="sheet profile-card" aria-labelledby="sessions-title">
      <div className="row wrap between" style={{ gap: '12px 16px' }}>
        <div className="column">
          <h2 id="sessions-title" className="title">
            {t('登录设备')}
          </h2>
          <span className="meta">{t('正在使用这个账号的浏览器和程序')}</span>
        </div>
        <Button onClick={askOthers} disabled={!data || data.total < 2}>
          {t('其他设备全部下线')}
        </Button>
      </div>
      {error && !data && <QueryError subject={t('登录设备')} query={query} />}
      {!data && !error && <PageSpinner />}
      {data && (
        <ul className="bare-list above-12">
          {data.list.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => askOne(session)} />
          ))}
        </ul>
      )}
    </section>
  )
}
