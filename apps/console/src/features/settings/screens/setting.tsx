import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useState } from 'react'
import { DurabilityCard } from '#blocks/cluster/durability-card.tsx'
import { DemoCard } from '#blocks/demo/demo-card.tsx'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { QueryError } from '#kit/states/loaded.tsx'
import { SettingForm } from '../parts/setting-form.tsx'
import '../parts/settings.css'
import { settingsQuery } from '../queries.ts'

/** screens.md 29: the platform's name and picture, and how long the logs are kept. */
export function SettingScreen() {
  const query = useQuery(settingsQuery)
  const [session, setSession] = useState(0)
  return (
    <>
      <PageHeading title={t('系统设置')} subtitle={t('平台名称、图标、统计时区与日志保留时间')} />
      {query.data ? (
        <SettingForm key={session} settings={query.data} onRestart={() => setSession(session + 1)} />
      ) : (
        <section className="list-card setting-card setting-waiting">
          {query.error ? (
            <QueryError subject={t('系统设置')} query={query} />
          ) : (
            <Skeleton active paragraph={{ rows: 8 }} />
          )}
        </section>
      )}
      <DurabilityCard />
      <DemoCard />
    </>
  )
}
